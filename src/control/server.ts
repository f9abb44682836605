import fs from "node:fs";
import net from "node:net";
import { z } from "zod";
import type { Cancel, Clock } from "../kit/clock.ts";
import type { Platform } from "../kit/platform.ts";
import type { Random } from "../kit/random.ts";
import { Secret } from "../kit/secret.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { systemRandom } from "../kit/system-random.ts";
import { ControlFailed, controlAddress } from "./address.ts";
import { certificatesCreate } from "./certificate-methods.ts";
import { lineOf, lineReader } from "./lines.ts";
import { type ControlMessage, requestSchema } from "./message.ts";
import type { ControlMethod } from "./method.ts";
import {
  bridgeChecks,
  bridgeReload,
  bridgeStatus,
  bridgeStop,
  bridgeSupportBundle,
  type ControlHandlers,
  type ControlReply,
  paymentsResolve,
  ping,
  registersApprove,
  registersPending,
  registersRefuse,
  rollbacksConfirm,
  terminalsList,
  terminalsPair,
  terminalsRename,
  terminalsReplace,
  terminalsTest,
  terminalsTrace,
  terminalsUnpair,
  tokensCreate,
  tokensList,
  tokensRevoke,
  tokensRevokeDamaged,
} from "./methods.ts";
import { type Greeting, greeter, newNonce } from "./proof.ts";
import { removeSecret, writeSecret } from "./secret-file.ts";

/** Limit of connected commands. */
const MAX_CONNECTIONS = 32;
/** A connection silent for this long is closed. */
const IDLE_MS = 30_000;

export interface ControlServer {
  /** Closes every connection and removes the socket. */
  close(): Promise<void>;
}

export interface ControlOptions {
  /** A data folder locked by this process, so that an existing socket is a dead daemon's. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly random?: Random;
  readonly platform?: Platform;
  readonly handlers: ControlHandlers;
  /** Logs a handler's exception; the command gets no details. */
  readonly problem: (error: unknown, where: string) => void;
}

type Runner = (params: unknown) => Promise<Outcome>;
type Outcome =
  | { readonly result: z.core.util.JSONType }
  | { readonly code: "refused" | "bad-request"; readonly message: string };

function runner<P extends z.ZodType, R extends z.ZodType>(
  method: ControlMethod<string, P, R>,
  handle: (params: z.output<P>) => Promise<ControlReply<z.input<R>>>,
): Runner {
  return async (params) => {
    const parsed = method.params.safeParse(params);
    if (!parsed.success) return { code: "bad-request", message: z.prettifyError(parsed.error).replaceAll("\n", " ") };
    const reply = await handle(parsed.data);
    return reply.ok
      ? { result: z.json().parse(method.result.parse(reply.value)) }
      : { code: "refused", message: reply.message };
  };
}

function runnersOf(handlers: ControlHandlers): ReadonlyMap<string, Runner> {
  const table: Readonly<Record<keyof ControlHandlers, Runner>> = {
    ping: runner(ping, handlers.ping),
    "tokens.create": runner(tokensCreate, handlers["tokens.create"]),
    "tokens.list": runner(tokensList, handlers["tokens.list"]),
    "tokens.revoke": runner(tokensRevoke, handlers["tokens.revoke"]),
    "tokens.revokeDamaged": runner(tokensRevokeDamaged, handlers["tokens.revokeDamaged"]),
    "registers.pending": runner(registersPending, handlers["registers.pending"]),
    "registers.approve": runner(registersApprove, handlers["registers.approve"]),
    "registers.refuse": runner(registersRefuse, handlers["registers.refuse"]),
    "payments.resolve": runner(paymentsResolve, handlers["payments.resolve"]),
    "terminals.list": runner(terminalsList, handlers["terminals.list"]),
    "terminals.test": runner(terminalsTest, handlers["terminals.test"]),
    "terminals.pair": runner(terminalsPair, handlers["terminals.pair"]),
    "terminals.rename": runner(terminalsRename, handlers["terminals.rename"]),
    "terminals.replace": runner(terminalsReplace, handlers["terminals.replace"]),
    "terminals.unpair": runner(terminalsUnpair, handlers["terminals.unpair"]),
    "terminals.trace": runner(terminalsTrace, handlers["terminals.trace"]),
    "certificates.create": runner(certificatesCreate, handlers["certificates.create"]),
    "rollbacks.confirm": runner(rollbacksConfirm, handlers["rollbacks.confirm"]),
    "bridge.checks": runner(bridgeChecks, handlers["bridge.checks"]),
    "bridge.supportBundle": runner(bridgeSupportBundle, handlers["bridge.supportBundle"]),
    "bridge.status": runner(bridgeStatus, handlers["bridge.status"]),
    "bridge.reload": runner(bridgeReload, handlers["bridge.reload"]),
    "bridge.stop": runner(bridgeStop, handlers["bridge.stop"]),
  };
  return new Map(Object.entries(table));
}

async function answer(
  line: string,
  runners: ReadonlyMap<string, Runner>,
  problem: ControlOptions["problem"],
): Promise<ControlMessage> {
  const request = parseRequest(line);
  if (request === undefined)
    return { id: null, error: { code: "bad-request", message: "not a request: { id, method, params }" } };
  const { id, method, params } = request;
  const run = runners.get(method);
  if (run === undefined)
    return {
      id,
      error: { code: "bad-request", message: `this daemon knows no method ${JSON.stringify(method.slice(0, 64))}` },
    };
  try {
    const outcome = await run(params);
    return "result" in outcome ? { id, result: outcome.result } : { id, error: outcome };
  } catch (cause) {
    problem(cause, `control ${method}`);
    const message = cause instanceof ControlFailed ? cause.message : `${method} failed in the daemon; its log says why`;
    return { id, error: { code: "failed", message } };
  }
}

function parseRequest(line: string): z.infer<typeof requestSchema> | undefined {
  try {
    return requestSchema.parse(JSON.parse(line));
  } catch {
    // Not JSON or not a request: both get the same answer.
    return undefined;
  }
}

const UNPROVEN: ControlMessage = {
  id: null,
  error: {
    code: "bad-request",
    message: "the caller did not prove that it knows this data folder's secret; is it of the same version?",
  },
};

interface Conversation {
  readonly clock: Clock;
  readonly greet: (line: string) => Greeting;
  readonly ask: (line: string) => Promise<ControlMessage>;
}

/** Verifies the caller, then answers its requests in order. Waiting for an answer does not count as idle. */
function converse(socket: net.Socket, { clock, greet, ask }: Conversation): void {
  const lines = lineReader();
  let met: "not yet" | Exclude<Greeting["is"], "say"> = "not yet";
  let last: Promise<void> = Promise.resolve();
  let asked = 0;
  let idle: Cancel = () => undefined;
  const rest = (): void => {
    idle();
    idle = asked > 0 || socket.destroyed ? () => undefined : clock.after(IDLE_MS, () => socket.destroy());
  };
  const reply = async (line: string): Promise<void> => {
    const message = await ask(line);
    asked -= 1;
    if (!socket.destroyed) socket.write(lineOf(message));
    rest();
  };
  const meet = (line: string): void => {
    const greeting = greet(line);
    if (greeting.is === "say") socket.write(lineOf(greeting.message));
    else met = greeting.is;
    if (greeting.is === "refused") socket.end(lineOf(UNPROVEN));
  };
  const hear = (line: string): void => {
    if (met === "not yet") meet(line);
    else if (met === "proven") {
      asked += 1;
      last = last.then(() => reply(line));
    }
  };
  rest();
  socket.on("data", (chunk: Uint8Array) => {
    try {
      for (const line of lines.push(chunk)) hear(line);
      rest();
    } catch (thrown) {
      socket.destroy(thrown instanceof Error ? thrown : undefined);
    }
  });
  // A disconnected command needs no answer; "close" follows.
  socket.on("error", () => socket.destroy());
  socket.on("close", () => idle());
}

function listen(server: net.Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** The caller holds the folder's lock, so nobody listens on an existing socket. */
function removeStale(address: string): void {
  const found = fs.lstatSync(address, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new ControlFailed(`${address} is in the way and is not a socket; move it away`);
  fs.unlinkSync(address);
}

const SECRET_BYTES = 32;

/**
 * Listens for commands on `control.sock` of the data folder (mode 0600), on Windows on a pipe named after it. Callers
 * must prove that they can read the folder's secret, new at each start.
 */
export async function serveControl(on: ControlOptions): Promise<ControlServer> {
  const { clock, dataDir, random = systemRandom, platform = systemPlatform } = on;
  const address = controlAddress(dataDir, platform);
  const runners = runnersOf(on.handlers);
  const secret = new Secret(Buffer.from(random.bytes(SECRET_BYTES)).toString("hex"));
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    converse(socket, {
      clock,
      greet: greeter(secret, newNonce(random)),
      ask: (line) => answer(line, runners, on.problem),
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  if (platform !== "windows") removeStale(address);
  try {
    writeSecret(dataDir, secret);
    await listen(server, address);
    if (platform !== "windows") fs.chmodSync(address, 0o600);
  } catch (cause) {
    throw new ControlFailed(`${address} cannot be opened: ${listenProblem(cause)}`, { cause });
  }
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
        removeSecret(dataDir);
      }),
  };
}

/** This process holds the folder's lock, so another listener is no daemon of this folder. */
function listenProblem(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  const isTaken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
  return isTaken ? `${text}; another program has made it: find that program and end it` : text;
}
