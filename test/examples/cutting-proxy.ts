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

const paymentSchema = z.looseObject({ reference: z.string(), state: z.string() });
type Payment = z.output<typeof paymentSchema>;
const frameSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      after: z.string().optional(),
      cursor: z.string().optional(),
      reference: z.string().optional(),
      payment: paymentSchema.optional(),
    })
    .optional(),
  result: z.looseObject({ cursor: z.string().optional(), payment: paymentSchema.optional() }).optional(),
});
type Frame = z.output<typeof frameSchema>;

/** The change that the bridge tells of a payment whose outcome at the gateway is not known. */
function unknownOutcome(final: Payment, cursor: string): string {
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
  let reference: string | undefined;
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
    register.on("message", (data) => {
      const { text, frame } = read(data);
      if (frame.method === "session.open") resumedAfter.push(frame.params?.after);
      if (frame.method === "payment.start") reference = frame.params?.reference;
      void opened.then(() => bridge.send(text)).catch(cut);
    });
    bridge.on("message", (data) => {
      if (register.readyState !== WebSocket.OPEN) return;
      const { text, frame } = read(data);
      // A register may hear of other payments too.
      const payment = [frame.result?.payment, frame.params?.payment].find(
        (one) => one !== undefined && one.reference === reference,
      );
      if (number === 1 && payment !== undefined) {
        cut();
        return;
      }
      const cursor = frame.params?.cursor ?? frame.result?.cursor;
      if (cursor !== undefined) cursors.add(cursor);
      if (number === 2 && payment?.state === "FINAL") {
        bridge.terminate();
        register.send(unknownOutcome(payment, [...cursors].at(-1) ?? ""));
        register.close(1001, "the bridge stops");
        return;
      }
      register.send(text);
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
