import { type Clock, isoTime } from "../../kit/clock.ts";
import { openTraces } from "../methods/traces.ts";
import type { PairingDecision, RegisterPairing } from "../pairing/desk.ts";
import { type Introduction, openIntroduction, type SocketFacts } from "../pairing/introduction.ts";
import type { BridgeKey } from "../pairing/keys.ts";
import type { Caller, Pairing, Payments, Tokens } from "../ports.ts";
import { openFeed } from "../stream/feed.ts";
import type { Technician } from "../technician.ts";
import type { Ran } from "./call-result.ts";
import type { Ending } from "./close-reasons.ts";
import { LIMITS } from "./limits.ts";
import { type Context, type RegisterMethod, refuse, type Session } from "./method.ts";
import { methodOf } from "./method-registry.ts";
import {
  errorText,
  internalError,
  invalidParams,
  notificationText,
  type RpcRequest,
  refusalError,
  replyText,
  unknownMethod,
} from "./rpc.ts";
import type { WireError } from "./schemas.ts";
import type { SocketEvent } from "./socket-event.ts";

export interface DeskPorts {
  readonly payments: Payments;
  readonly pairing: Pairing;
  readonly registers: RegisterPairing;
  readonly key: BridgeKey;
  readonly tokens: Tokens;
  readonly technician: Technician;
  readonly clock: Clock;
  /** Logs a failure that the register does not learn about. */
  problem(error: unknown, where: string): void;
  readonly line: Line;
  readonly socket: SocketFacts;
  audit(event: SocketEvent): void;
}

/** The socket as calls and replies use it. */
export interface Line {
  send(text: string): void;
  /** True: the reader is so slow that optional messages are dropped. */
  isSlow(): boolean;
  end(why: Ending): void;
  /** The socket may stay without a session until `decided`. */
  awaitDecision(): void;
  decided(): void;
}

/** The session and the calls of one socket. */
export interface Desk {
  /** Sends exactly one reply or error; never rejects. */
  answer(request: RpcRequest): Promise<void>;
  /** A frame was refused before it became a call. */
  refused(method: string, error: WireError): void;
  /** The register of the session, even after its end. */
  register(): string | undefined;
  close(): void;
}

/** The fields by which a register proves itself. */
const PROOFS: ReadonlySet<string> = new Set(["token", "key", "signature"]);

type Opener = Extract<RegisterMethod, { session: "opens" }>;

const unauthorized = refuse("unauthorized", "call session.open with a token first");
const revokedMeanwhile = refuse(
  "unauthorized",
  "the token was revoked: make one with `posbridge tokens create`",
  "fix-config",
  "token",
);

const hasSession = refuse("not-allowed", "this socket has its session: open another socket for another one");

const sessionsFull = refuse(
  "too-many-requests",
  `${LIMITS.sessions} sessions are open, and no further one is taken: close one that is not needed`,
  "retry",
);

/** `admit` is called before the socket gets its session; false: all sessions are taken. */
export function openDesk(ports: DeskPorts, admit: () => boolean): Desk {
  const { problem, line, clock } = ports;
  const introduction = introductionOf(ports);
  const own = createOwnSession(ports, introduction, admit);
  let wrongTokens = 0;
  const told = (method: string, ms: number, error?: WireError): void =>
    ports.audit(callEvent({ ...own.who(), method, ms }, error));

  const call = async ({ method: name, params }: RpcRequest): Promise<Ran<unknown> | undefined> => {
    const method = methodOf(name);
    if (method?.session === "opens") return own.open(method, params);
    const context = await own.context();
    if (method?.session === "none") {
      if (context !== undefined) return hasSession;
      return method.call(introduction, params);
    }
    if (context === undefined) return unauthorized;
    if (method === undefined) return undefined;
    const { scopes } = method;
    if (scopes.length > 0 && !scopes.some((scope) => context.session.scopes.includes(scope))) {
      return refuse(
        "forbidden",
        `${name} needs the scope ${scopes.join(" or ")}: ask for a token that has it`,
        "fix-config",
      );
    }
    return method.call(context, params);
  };

  const attempt = async (request: RpcRequest): Promise<Attempted> => {
    try {
      const ran = await call(request);
      if (ran?.ok) return { text: replyText(request.id, ran.value), replied: ran.replied };
      const error = errorOf(ran);
      return { text: errorText(request.id, error), replied: ran?.replied, error };
    } catch (thrown) {
      problem(thrown, request.method);
      const error = internalError();
      return { text: errorText(request.id, error), error };
    }
  };

  const answer = async (request: RpcRequest): Promise<void> => {
    const began = clock.monotonic();
    const { text, replied, error } = await attempt(request);
    line.send(text);
    replied?.();
    told(request.method, clock.monotonic() - began, error);
    if (error?.data.code !== "unauthorized" || !PROOFS.has(error.data.path ?? "")) return;
    wrongTokens += 1;
    if (wrongTokens >= LIMITS.wrongTokens) line.end("wrong-tokens");
  };
  return {
    answer,
    refused: (method, error) => told(method, 0, error),
    register: () => own.who().register,
    close: () => {
      introduction.close();
      own.close();
    },
  };
}

function introductionOf({ socket, key, registers, tokens, line }: DeskPorts): Introduction {
  const decided = (decision: PairingDecision): void => {
    const { is, ...told } = decision;
    line.send(notificationText(is === "paired" ? "session.paired" : "session.pairingRefused", told));
    line.decided();
  };
  return openIntroduction({ socket, key, registers, tokens, asked: line.awaitDecision, decided });
}

/** The result of one call. */
interface Attempted {
  readonly text: string;
  readonly replied?: (() => void) | undefined;
  readonly error?: WireError;
}

interface Called {
  readonly from: string;
  readonly register?: string;
  readonly method: string;
  readonly ms: number;
}

/** An unknown method name is foreign text and is never repeated. */
function callEvent({ method: name, ms, ...who }: Called, error: WireError | undefined): SocketEvent {
  const method = methodOf(name);
  if (method?.session === "opens" && error !== undefined)
    return { on: "session-refused", ...who, code: error.data.code };
  return {
    on: "call",
    ...who,
    method: method?.name ?? "unknown",
    ms,
    ...(error !== undefined && { code: error.data.code }),
  };
}

/** The session of one socket: none before `session.open`, and none after a revoke. */
interface OwnSession {
  /** Rejects if the method does. */
  open(method: Opener, params: unknown): Promise<Ran<unknown>>;
  /** Waits for the answer to an earlier `session.open`. */
  context(): Promise<Context | undefined>;
  who(): { readonly from: string; readonly register?: string };
  close(): void;
}

function createOwnSession(ports: DeskPorts, introduction: Introduction, admit: () => boolean): OwnSession {
  const { payments, tokens, line, audit } = ports;
  const { from } = ports.socket;
  let context: Context | undefined;
  let register: string | undefined;
  const gone = new AbortController();
  /** The last `session.open`: later calls wait for its answer. */
  let opening: Promise<unknown> = Promise.resolve();
  /** Registers whose tokens were revoked since then: the call may have found one before. */
  const revoked = new Set<string>();
  const stopWatching = tokens.watch((loser) => {
    if (context === undefined) revoked.add(loser);
    else if (context.session.register === loser) {
      line.end("revoked");
      // Accepted payments go on without this socket. Calls not yet begun are refused, and notifications end.
      endOf(context);
      context = undefined;
    }
  });

  const openNow = async (method: Opener, params: unknown): Promise<Ran<unknown>> => {
    if (context !== undefined) return hasSession;
    revoked.clear();
    const ran = await method.call({ payments, tokens, introduction }, params);
    if (!ran.ok || ran.opened === undefined || gone.signal.aborted) return ran;
    if (revoked.has(ran.opened.register)) return revokedMeanwhile;
    if (!admit()) return sessionsFull;
    context = contextOf(ports, ran.opened, gone.signal);
    const { scopes, client } = ran.opened;
    register = ran.opened.register;
    audit({ on: "session-opened", from, register, scopes, ...(client !== undefined && { client }) });
    return ran;
  };
  return {
    open: (method, params) => {
      const ran = opening.then(() => openNow(method, params));
      opening = ran.catch(() => undefined);
      return ran;
    },
    context: async () => {
      await opening;
      return context;
    },
    who: () => ({ from, ...(register !== undefined && { register }) }),
    close: () => {
      gone.abort();
      stopWatching();
      if (context !== undefined) endOf(context);
    },
  };
}

/** Ends all notifications to the session. */
function endOf({ feed, traces }: Context): void {
  feed.stop();
  traces.stop();
}

function contextOf(
  { payments, pairing, registers, technician, clock, problem, line, socket: { from }, audit }: DeskPorts,
  session: Session,
  gone: AbortSignal,
): Context {
  const caller = { ...callerOf(session), gone };
  const broke = (error: unknown): void => {
    problem(error, "payment.changed");
    line.end("missed-changes");
  };
  const tell = (change: unknown): void => line.send(notificationText("payment.changed", change));
  const who = { from, register: session.register };
  const traces = openTraces({
    technician,
    tell: (traced) => line.send(notificationText("terminal.traced", traced)),
    isSlow: line.isSlow,
    now: () => isoTime(clock.now()),
    audit: (on, terminal) => audit({ on, ...who, terminal }),
  });
  const feed = openFeed({ payments, caller, tell, broke });
  const noted: Context["audit"] = (on) => audit({ on, ...who });
  return { payments, pairing, registers, technician, clock, session, caller, feed, traces, audit: noted };
}

function callerOf({ register, scopes, refundLimits }: Session): Caller {
  return {
    ...{ register, all: scopes.includes("payments:all") },
    ...(scopes.includes("foreign-bookings") && { foreign: true }),
    ...(refundLimits !== undefined && { refundLimits }),
  };
}

/** `undefined` stands for a method that does not exist. */
function errorOf(ran: Exclude<Ran<unknown>, { ok: true }> | undefined): WireError {
  if (ran === undefined) return unknownMethod();
  return "invalid" in ran ? invalidParams(ran.invalid) : refusalError(ran.refusal, ran.path);
}
