import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { z } from "zod";

/**
 * A WebSocket proxy between one register and the bridge that cuts two connections: the first when the bridge accepts
 * the payment, the second when the bridge tells its end. The register hears neither; before the second cut it hears
 * that the outcome is not known yet.
 */
export interface CuttingProxy {
  readonly url: string;
  connections(): number;
  /** `after` of each session.open, in order. */
  readonly resumedAfter: readonly (string | undefined)[];
  /** Every cursor that reached the register. */
  readonly cursors: ReadonlySet<string>;
  close(): void;
}

const frameSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ after: z.string().optional(), cursor: z.string().optional() }).optional(),
  result: z.looseObject({ cursor: z.string().optional() }).optional(),
});
const endSchema = z.union([
  z
    .object({ params: z.object({ payment: z.looseObject({ state: z.literal("FINAL") }) }) })
    .transform(({ params }) => params.payment),
  z
    .object({ result: z.object({ payment: z.looseObject({ state: z.literal("FINAL") }) }) })
    .transform(({ result }) => result.payment),
]);
type Frame = z.output<typeof frameSchema>;

/** The change that the bridge tells of a payment whose outcome at the gateway is not known. */
function unknownOutcome(final: z.output<typeof endSchema>, cursor: string): string {
  const reason = { code: "outcome-unknown", message: "The gateway gave no clear answer in time.", advice: "wait" };
  const payment = { ...final, state: "RESOLVING", outcome: undefined, decision: undefined, prompt: undefined, reason };
  return JSON.stringify({ jsonrpc: "2.0", method: "payment.changed", params: { cursor, payment } });
}

const read = (data: RawData): { readonly text: string; readonly frame: Frame } => {
  const text = data.toString();
  return { text, frame: frameSchema.parse(JSON.parse(text)) };
};

export async function openCuttingProxy(bridgeUrl: string): Promise<CuttingProxy> {
  const resumedAfter: (string | undefined)[] = [];
  const cursors = new Set<string>();
  let connections = 0;
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, path: "/v1" });

  const join = (register: WebSocket, request: IncomingMessage): void => {
    connections += 1;
    const number = connections;
    const { origin } = request.headers;
    const bridge = new WebSocket(bridgeUrl, origin === undefined ? {} : { origin });
    const opened = once(bridge, "open");
    const cut = (): void => {
      register.terminate();
      bridge.terminate();
    };
    // Typed as unknown ids: a register may number its calls by text.
    const starts = new Set<unknown>();
    register.on("message", (data) => {
      const { text, frame } = read(data);
      if (frame.method === "session.open") resumedAfter.push(frame.params?.after);
      if (frame.method === "payment.start") starts.add(frame.id);
      void opened.then(() => bridge.send(text)).catch(cut);
    });
    bridge.on("message", (data) => {
      const { text, frame } = read(data);
      const isAccepted = frame.method === undefined && starts.has(frame.id);
      if (number === 1 && isAccepted) {
        cut();
        return;
      }
      const cursor = frame.params?.cursor ?? frame.result?.cursor;
      if (cursor !== undefined) cursors.add(cursor);
      const end = endSchema.safeParse(frame);
      if (number === 2 && end.success) {
        bridge.terminate();
        register.send(unknownOutcome(end.data, [...cursors].at(-1) ?? ""));
        register.close(1001, "the bridge stops");
        return;
      }
      if (register.readyState === WebSocket.OPEN) register.send(text);
    });
    register.on("error", cut).on("close", cut);
    bridge.on("error", cut).on("close", () => register.close(1001));
  };

  server.on("connection", join);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `ws://127.0.0.1:${port}/v1`,
    connections: () => connections,
    resumedAfter,
    cursors,
    close: () => {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}
