import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import type { Clock } from "../kit/clock.ts";
import { preflight, readableBy } from "../kit/cross-origin.ts";
import { systemClock } from "../kit/system-clock.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { type EventStreams, eventStreams } from "./control-events.ts";
import { deckList } from "./deck-list.ts";
import { faultNames } from "./fault.ts";
import { shapeOf } from "./look.ts";
import { waysOfPresenting } from "./panel.ts";
import type { SimulatedTerminal, SimulatorModel } from "./simulated-terminal.ts";
import { SimulatorProblem } from "./simulator-problem.ts";
import { createWireLog } from "./wire-log.ts";

/** Calls of contract, section 5, on the loopback interface, for tests and pages that control a simulated terminal. */
export interface ControlServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

export interface ControlOptions {
  readonly model: SimulatorModel;
  /** Exact origins of pages that may call; read at every request, because a port may be known late. Default none. */
  readonly origins?: () => readonly string[];
  /** The driver's words for frames; without them the wire log shows numbers of bytes. */
  readonly wire?: DriverModel["wire"];
  readonly clock?: Clock;
}

/** Longer bodies are refused; nobody types that many keys. */
const MAX_BODY_BYTES = 4096;
const MAX_KEYS = 64;
const MAX_AFTER = 10_000;

const cardSchema = z.strictObject({ name: z.string(), way: z.enum(waysOfPresenting).optional() });
const customerSchema = z
  .strictObject({ card: z.string().optional(), acts: z.boolean().optional() })
  .refine(
    ({ card, acts }) => card !== undefined || acts !== undefined,
    "name a card, or whether the customer acts by himself",
  );
const keysSchema = z.strictObject({
  keys: z.union([z.string().max(MAX_KEYS), z.array(z.string().max(MAX_KEYS)).max(MAX_KEYS)]),
});
const faultSchema = z.strictObject({ do: z.enum(faultNames), after: z.int().min(0).max(MAX_AFTER).default(0) });

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

interface Control {
  readonly terminal: SimulatedTerminal;
  readonly model: SimulatorModel;
  readonly streams: EventStreams;
  origins(): readonly string[];
  /** Host names accepted by this port; known once it listens. */
  hosts: readonly string[];
}

/** Rejects if the port is taken (EADDRINUSE). */
export function serveControl(
  terminal: SimulatedTerminal,
  port: number,
  options: ControlOptions,
): Promise<ControlServer> {
  const { model, origins = () => [], wire, clock = systemClock } = options;
  const log = createWireLog(wire, clock.now);
  terminal.onLine(log.events);
  const streams = eventStreams(terminal, log, () => screenOf(terminal));
  const control: Control = { terminal, model, streams, origins, hosts: [] };
  const server = createServer((request, response) => {
    serve(control, request, response).catch((error: unknown) => send(response, problem(500, String(error)), {}));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, () => {
      server.off("error", reject);
      const address = server.address();
      const listening = typeof address === "object" && address !== null ? address.port : port;
      control.hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${listening}`);
      const close = (): Promise<void> =>
        new Promise((closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        });
      resolve({ port: listening, url: `http://127.0.0.1:${listening}/`, close });
    });
  });
}

/** A foreign Host means DNS rebinding; a foreign Origin means another site's page. */
async function serve(control: Control, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { host, origin } = request.headers;
  const { hosts } = control;
  if (!hosts.includes((host ?? "").toLowerCase()))
    return send(response, problem(421, "this host name is not served here"), {});
  const pages = [...control.origins(), ...hosts.map((name) => `http://${name}`)];
  if (origin !== undefined && !pages.includes(origin))
    return send(response, problem(403, "this origin may not control the terminal"), {});
  const readable = readableBy(origin, control.origins());
  const asked = preflight(request.method, origin, control.origins());
  if (asked !== undefined) {
    response.writeHead(204, asked);
    response.end();
    return;
  }
  if (request.method === "GET" && pathOf(request) === "/events") {
    if (!control.streams.open(response, readable))
      send(response, problem(503, "too many windows listen already: close one"), readable);
    return;
  }
  const body = await bodyOf(request);
  const reply =
    body === undefined
      ? problem(413, `the body is longer than ${MAX_BODY_BYTES} bytes`)
      : answer(control, request, body);
  send(response, reply, readable);
}

function answer(control: Control, request: IncomingMessage, body: string): Reply {
  try {
    return call(control, request, body);
  } catch (error) {
    if (error instanceof SimulatorProblem) return problem(409, error.message);
    throw error;
  }
}

const pathOf = ({ url }: IncomingMessage): string | undefined => (url ?? "/").split("?")[0];

const CALLS =
  "POST card, DELETE card, POST customer, POST keys, GET screen, GET events, GET model, GET deck, POST faults";

function call({ terminal, model }: Control, request: IncomingMessage, body: string): Reply {
  const path = pathOf(request);
  switch (`${request.method} ${path}`) {
    case "POST /card":
      return withBody(request, body, cardSchema, ({ name, way }) => terminal.present(name, way), terminal);
    case "POST /customer":
      return withBody(request, body, customerSchema, (customer) => tellCustomer(terminal, customer), terminal);
    case "DELETE /card":
      terminal.removeCard();
      return screen(terminal);
    case "POST /keys":
      return withBody(request, body, keysSchema, ({ keys }) => terminal.press(keys), terminal);
    case "GET /screen":
      return screen(terminal);
    case "GET /model":
      return { status: 200, body: modelOf(model, terminal) };
    case "GET /deck":
      return { status: 200, body: { cards: deckList } };
    case "POST /faults":
      return withBody(request, body, faultSchema, (fault) => terminal.fault(fault.do, fault.after), terminal);
    default:
      return problem(404, `there is no ${request.method} ${path} here: ${CALLS}`);
  }
}

function tellCustomer(terminal: SimulatedTerminal, { card, acts }: z.infer<typeof customerSchema>): void {
  if (card !== undefined) terminal.customerUses(card);
  if (acts !== undefined) terminal.customerActs(acts);
}

/** The model, its capabilities and its visible parts. */
function modelOf(model: SimulatorModel, { serialNumber }: SimulatedTerminal) {
  const { id, driver, title, capabilities } = model;
  return { id, driver, title, serialNumber, capabilities, shape: shapeOf(model) };
}

function screenOf(terminal: SimulatedTerminal) {
  return {
    ...terminal.screen(),
    plugged: terminal.plugged(),
    hung: terminal.hung(),
    customer: terminal.customer() ?? null,
  };
}

function screen(terminal: SimulatedTerminal): Reply {
  return { status: 200, body: screenOf(terminal) };
}

/** Requires a JSON content type: a web page's form cannot send it without a preflight. */
function withBody<T>(
  request: IncomingMessage,
  text: string,
  schema: z.ZodType<T>,
  run: (body: T) => void,
  terminal: SimulatedTerminal,
): Reply {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return problem(415, "content-type must be application/json");
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success)
    return problem(
      400,
      parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`).join("; "),
    );
  run(parsed.data);
  return screen(terminal);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > MAX_BODY_BYTES) return undefined;
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}

function problem(status: number, message: string): Reply {
  return { status, body: { error: message } };
}

function send(response: ServerResponse, { status, body }: Reply, headers: Readonly<Record<string, string>>): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    ...headers,
    "content-type": "application/json",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
