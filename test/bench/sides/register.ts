import { once } from "node:events";
import { WebSocket } from "ws";
import { z } from "zod";
import { moment } from "../moment.ts";

/** A change that a register was told, and when its frame had come. */
export interface Heard {
  readonly reference: string;
  readonly state: string;
  readonly outcome?: string | undefined;
  readonly capture?: string | undefined;
  readonly at: number;
}

/** A register without any work of its own: neither side's figures hold a client's time. */
export interface BenchRegister {
  call(method: string, params: object): Promise<unknown>;
  /** The first change of that payment that fits, told already or to come. */
  until(reference: string, fits: (heard: Heard) => boolean): Promise<Heard>;
  /** Forgets what was told. */
  forget(): void;
  close(): void;
}

const messageSchema = z.union([
  z.object({ id: z.number(), result: z.unknown() }),
  z.object({ id: z.number(), error: z.object({ message: z.string() }) }),
  z.object({
    method: z.literal("payment.changed"),
    params: z.object({
      payment: z.object({
        reference: z.string(),
        state: z.string(),
        outcome: z.string().optional(),
        capture: z.string().optional(),
      }),
    }),
  }),
  z.object({ method: z.string() }),
]);

const LIMIT_MS = 60_000;

export async function openRegister(url: string, token: string): Promise<BenchRegister> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  const answers = new Map<number, PromiseWithResolvers<unknown>>();
  let heard: Heard[] = [];
  const looking = new Set<(change: Heard) => void>();
  let ids = 0;
  socket.on("message", (data) => {
    const at = moment();
    const message = messageSchema.parse(JSON.parse(String(data)));
    if ("error" in message) answers.get(message.id)?.reject(new Error(message.error.message));
    else if ("id" in message) answers.get(message.id)?.resolve(message.result);
    else if ("params" in message) {
      const change = { ...message.params.payment, at };
      heard.push(change);
      for (const look of looking) look(change);
    }
  });
  const call = (method: string, params: object): Promise<unknown> => {
    ids += 1;
    const answer = Promise.withResolvers<unknown>();
    answers.set(ids, answer);
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: ids, method, params }));
    const id = ids;
    return answer.promise.finally(() => answers.delete(id));
  };
  await call("session.open", { token, api: 1 });
  return {
    call,
    until: (reference, fits) => {
      const found = heard.find((one) => one.reference === reference && fits(one));
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(limit);
          looking.delete(look);
        };
        const look = (change: Heard): void => {
          if (change.reference !== reference || !fits(change)) return;
          end();
          resolve(change);
        };
        const limit = setTimeout(() => {
          end();
          reject(new Error(`${reference}: only ${JSON.stringify(heard.slice(-5))}`));
        }, LIMIT_MS);
        looking.add(look);
      });
    },
    forget: () => {
      heard = [];
    },
    close: () => socket.close(),
  };
}
