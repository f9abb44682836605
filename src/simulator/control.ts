import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { faultNames } from "./fault.ts";
import { waysOfPresenting } from "./panel.ts";
import type { SimulatedTerminal } from "./simulated-terminal.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

/** The calls of contract, section 5, on the loopback interface: what a test does to a simulated terminal. */
export interface ControlServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/** A longer list of keys than anybody types; a body that is longer is refused. */
const MAX_BODY_BYTES = 4096;
const MAX_KEYS = 64;
const MAX_AFTER = 10_000;

const cardSchema = z.strictObject({ name: z.string(), way: z.enum(waysOfPresenting).optional() });
const customerSchema = z.strictObject({ card: z.string() });
const keysSchema = z.strictObject({ keys: z.union([z.string().max(MAX_KEYS), z.array(z.string().max(MAX_KEYS)).max(MAX_KEYS)]) });
const faultSchema = z.strictObject({ do: z.enum(faultNames), after: z.int().min(0).max(MAX_AFTER).default(0) });

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Rejects where the port cannot be had (the error has the code EADDRINUSE). */
export function serveControl(terminal: SimulatedTerminal, port: number): Promise<ControlServer> {
  let hosts: readonly string[] = [];
  const server = createServer((request, response) => {
    answer(terminal, hosts, request).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, problem(500, String(error))),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, () => {
      server.off("error", reject);
      const address = server.address();
      const listening = typeof address === "object" && address !== null ? address.port : port;
      hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${listening}`);
      resolve({
        port: listening,
        url: `http://127.0.0.1:${listening}/`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

/** Another name in Host is a page that had its name point here (DNS rebinding); another Origin is a page of somebody else. */
async function answer(terminal: SimulatedTerminal, hosts: readonly string[], request: IncomingMessage): Promise<Reply> {
  const { host, origin } = request.headers;
  if (!hosts.includes((host ?? "").toLowerCase())) return problem(421, "this host name is not served here");
  if (origin !== undefined && !hosts.some((name) => origin === `http://${name}`)) return problem(403, "this origin may not control the terminal");
  const body = await bodyOf(request);
  if (body === undefined) return problem(413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
  try {
    return call(terminal, request, body);
  } catch (error) {
    if (error instanceof SimulatorProblem) return problem(409, error.message);
    throw error;
  }
}

function call(terminal: SimulatedTerminal, request: IncomingMessage, body: string): Reply {
  const [path] = (request.url ?? "/").split("?");
  switch (`${request.method} ${path}`) {
    case "POST /card":
      return withBody(request, body, cardSchema, ({ name, way }) => terminal.present(name, way), terminal);
    case "POST /customer":
      return withBody(request, body, customerSchema, ({ card }) => terminal.customerUses(card), terminal);
    case "DELETE /card":
      terminal.removeCard();
      return screen(terminal);
    case "POST /keys":
      return withBody(request, body, keysSchema, ({ keys }) => terminal.press(keys), terminal);
    case "GET /screen":
      return screen(terminal);
    case "POST /faults":
      return withBody(request, body, faultSchema, (fault) => terminal.fault(fault.do, fault.after), terminal);
    default:
      return problem(404, `there is no ${request.method} ${path} here: POST card, DELETE card, POST customer, POST keys, GET screen, POST faults`);
  }
}

function screen(terminal: SimulatedTerminal): Reply {
  return { status: 200, body: { ...terminal.screen(), plugged: terminal.plugged() } };
}

/** JSON only, said by its content type: a form of a web page cannot say that without asking first. */
function withBody<T>(request: IncomingMessage, text: string, schema: z.ZodType<T>, run: (body: T) => void, terminal: SimulatedTerminal): Reply {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return problem(415, "content-type must be application/json");
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) return problem(400, parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`).join("; "));
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

function send(response: ServerResponse, { status, body }: Reply): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", "content-length": Buffer.byteLength(text) });
  response.end(text);
}
