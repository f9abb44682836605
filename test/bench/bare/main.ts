import { createServer } from "node:http";
import path from "node:path";
import { pino } from "pino";
import { Pool } from "undici";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { type BarePayment, openBareJournal } from "./journal.ts";
import { openBareTill } from "./till.ts";

/*
 * What an expert would write without the bridge: registers over WebSocket, terminals over serial lines, a pool of
 * connections to the gateway that stay open, each step durable before the next, a log. And nothing else.
 */

const orderSchema = z.object({
  folder: z.string(),
  gateway: z.string(),
  token: z.string(),
  entityId: z.string(),
  devices: z.array(z.string()),
});
const order = orderSchema.parse(JSON.parse(process.argv[2] ?? ""));
const callSchema = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.enum(["session.open", "events.subscribe", "payment.start"]),
  params: z.object({ reference: z.string(), terminal: z.string(), amount: z.string() }).optional().catch(undefined),
});

const log = pino({ base: null }, pino.destination({ dest: path.join(order.folder, "bare.log"), sync: false }));
const journal = openBareJournal(path.join(order.folder, "bare-data"));
const gateway = new Pool(order.gateway, { connections: 64, keepAliveTimeout: 600_000 });
const { entityId, token } = order;
const tills = await Promise.all(
  order.devices.map((device, at) =>
    openBareTill({ device, terminalId: String(10_000_000 + at), entityId, token, gateway, journal, log }),
  ),
);
/** The last sale of each terminal: the next waits for its end. */
const busy = new Map<string, Promise<void>>();
const subscribers = new Set<WebSocket>();
let ids = 0;

const start = async (socket: WebSocket, id: string | number, params: z.infer<typeof callSchema>["params"]) => {
  if (params === undefined) throw new Error("payment.start without parameters");
  const { reference, terminal, amount } = params;
  ids += 1;
  const payment: BarePayment = { id: `pay_${ids}`, register: "register-1", reference, amount, state: "CREATED" };
  await journal.append(payment, [{ fact: "accepted", at: Date.now(), ...params, entityId }]);
  socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: { created: true, payment } }));
  log.info({ payment: payment.id, reference, terminal, amount }, "payment accepted");
  const changed = (now: BarePayment): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", method: "payment.changed", params: { cursor: "1", payment: now } });
    socket.send(text);
    for (const one of subscribers) if (one !== socket) one.send(text);
  };
  const till = tills[Number(/\d+$/.exec(terminal)?.[0]) - 1];
  if (till === undefined) throw new Error(`no terminal ${terminal}`);
  const sold = (busy.get(terminal) ?? Promise.resolve()).then(() => till.sell({ payment, changed }));
  busy.set(terminal, sold);
  await sold;
};

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (socket) => {
  socket.on("close", () => subscribers.delete(socket));
  socket.on("message", (data) => {
    const { id, method, params } = callSchema.parse(JSON.parse(String(data)));
    if (method === "payment.start") void start(socket, id, params);
    else {
      if (method === "events.subscribe") subscribers.add(socket);
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: { cursor: "1" } }));
    }
  });
});
const warm = gateway.request({ path: "/", method: "POST", body: "entityId=" }).then(({ body }) => body.text());
await warm;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`bare script at ${typeof address === "object" ? address?.port : 0}\n`);
});
