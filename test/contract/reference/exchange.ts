import { z } from "zod";
import type { WireSocket } from "../../../src/client/wire-socket.ts";
import type { StoryShop } from "../../stories/shop.ts";

export type Json = z.core.util.JSONType;

/** One call and the bridge's reply, as they went over the socket. A request that is no JSON stands as its text. */
export interface Exchange {
  readonly request: Json;
  readonly response: Json;
}

/** What a recording looks for in a frame. */
const frameSchema = z.looseObject({
  id: z.union([z.int(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ payment: z.looseObject({ reference: z.string() }).optional() }).optional(),
  result: z.json().optional(),
});
/** A frame of the bridge; `raw` has its members in their order. */
export type Frame = z.infer<typeof frameSchema> & { readonly raw: Json };

/** One register's socket of a shop in this process. */
export interface Line {
  readonly heard: readonly Frame[];
  /** Sends a call, and gives both frames. */
  ask(method: string, params?: Json): Promise<Exchange>;
  /** The same for a call that must be granted; gives its result. */
  granted<T>(result: z.ZodType<T>, method: string, params: Json): Promise<T>;
  /** The first frame, told already or to come, that fits. */
  until(what: string, fits: (frame: Frame) => boolean): Promise<Frame>;
}

export function openLine(shop: StoryShop): Line {
  const heard: Frame[] = [];
  const watchers = new Set<() => void>();
  let last = 0;
  const socket: WireSocket = shop.openSocket(shop.url(), {
    text: (text) => {
      const raw = z.json().parse(JSON.parse(text));
      heard.push({ ...frameSchema.parse(raw), raw });
      for (const look of watchers) look();
    },
    closed: () => undefined,
  });
  const until: Line["until"] = (what, fits) => {
    const found = Promise.withResolvers<Frame>();
    const look = (): void => {
      const frame = heard.find(fits);
      if (frame !== undefined) found.resolve(frame);
    };
    watchers.add(look);
    look();
    const problem = (): string => `${what} did not come; the last frame was ${JSON.stringify(heard.at(-1)?.raw)}`;
    return shop.time.within(7_200_000, found.promise, problem).finally(() => watchers.delete(look));
  };
  const ask: Line["ask"] = async (method, params = {}) => {
    last += 1;
    const id = last;
    const request = { jsonrpc: "2.0", id, method, params };
    socket.send(JSON.stringify(request));
    const { raw } = await until(`the reply to ${method}`, (frame) => frame.method === undefined && frame.id === id);
    return { request, response: raw };
  };
  const granted: Line["granted"] = async (result, method, params) => {
    const { response } = await ask(method, params);
    const reply = z.object({ result }).safeParse(response);
    if (!reply.success) throw new Error(`${method} was answered ${JSON.stringify(response)}`);
    return reply.data.result;
  };
  return { heard, ask, granted, until };
}
