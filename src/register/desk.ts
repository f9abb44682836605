import type { Clock } from "../kit/clock.ts";
import { openFeed } from "./feed.ts";
import { LIMITS } from "./limits.ts";
import { type Context, type RegisterMethod, refuse, type Session } from "./method.ts";
import type { Caller, Payments, Tokens } from "./ports.ts";
import type { Ran } from "./ran.ts";
import { methodOf } from "./roster.ts";
import { errorText, internalError, invalidParams, notificationText, type RpcRequest, refusalError, replyText, unknownMethod } from "./rpc.ts";
import type { WireError } from "./wire.ts";

export interface DeskPorts {
  readonly payments: Payments;
  readonly tokens: Tokens;
  readonly clock: Clock;
  /** Something failed in a way that the register is not told about: for the log. */
  problem(error: unknown, where: string): void;
  readonly line: { send(text: string): void; end(code: number, reason: string): void };
}

/** Who calls on one socket, and what becomes of each call. */
export interface Desk {
  /** Answers with exactly one reply or error; never rejects. */
  answer(request: RpcRequest): Promise<void>;
  close(): void;
}

type Opener = Extract<RegisterMethod, { session: "opens" }>;

const unauthorized = refuse("unauthorized", "call session.open with a token first");
const revokedMeanwhile = refuse("unauthorized", "the token was revoked: make one with `posbridge tokens create`", "fix-config", "token");

const sessionsFull = refuse("too-many-requests", `${LIMITS.sessions} sessions are open, and no further one is taken: close one that is not needed`, "retry");

/** RFC 6455, 7.4.1. */
const POLICY = 1008;
const INTERNAL = 1011;

/** `admit` is asked when the socket is about to have its session; false where no further one may be open. */
export function openDesk(ports: DeskPorts, admit: () => boolean): Desk {
  const { problem, line } = ports;
  const own = createOwnSession(ports, admit);
  let wrongTokens = 0;

  const call = async ({ method: name, params }: RpcRequest): Promise<Ran<unknown> | undefined> => {
    const method = methodOf(name);
    if (method?.session === "opens") return own.open(method, params);
    const context = await own.context();
    if (context === undefined) return unauthorized;
    if (method === undefined) return undefined;
    const { scopes } = method;
    if (scopes.length > 0 && !scopes.some((scope) => context.session.scopes.includes(scope))) {
      return refuse("forbidden", `${name} needs the scope ${scopes.join(" or ")}: ask for a token that has it`, "fix-config");
    }
    return method.call(context, params);
  };

  const attempt = async (request: RpcRequest): Promise<{ text: string; replied?: (() => void) | undefined; wrongToken: boolean }> => {
    try {
      const ran = await call(request);
      const text = ran?.ok ? replyText(request.id, ran.value) : errorText(request.id, errorOf(ran));
      return { text, replied: ran?.replied, wrongToken: ran?.ok === false && "refusal" in ran && ran.path === "token" };
    } catch (error) {
      problem(error, request.method);
      return { text: errorText(request.id, internalError()), wrongToken: false };
    }
  };

  const answer = async (request: RpcRequest): Promise<void> => {
    const { text, replied, wrongToken } = await attempt(request);
    line.send(text);
    replied?.();
    if (!wrongToken) return;
    wrongTokens += 1;
    if (wrongTokens >= LIMITS.wrongTokens) line.end(POLICY, "wrong tokens");
  };
  return { answer, close: own.close };
}

/** The session of one socket: none before `session.open`, and none after a revoke. */
interface OwnSession {
  /** Rejects where the method does. */
  open(method: Opener, params: unknown): Promise<Ran<unknown>>;
  /** Waits for the answer to a `session.open` that was sent before. */
  context(): Promise<Context | undefined>;
  close(): void;
}

function createOwnSession(ports: DeskPorts, admit: () => boolean): OwnSession {
  const { payments, tokens, line } = ports;
  let context: Context | undefined;
  let closed = false;
  /** The last `session.open`: calls sent behind it wait for its answer. */
  let opening: Promise<unknown> = Promise.resolve();
  /** Who lost their tokens since that began: it may have found one before. */
  const revoked = new Set<string>();
  const stopWatching = tokens.watch((register) => {
    if (context === undefined) revoked.add(register);
    else if (context.session.register === register) {
      line.end(POLICY, "the token was revoked");
      // What was accepted goes on without this socket; a call that has not begun by now is refused, and nothing more is told.
      context.feed.stop();
      context = undefined;
    }
  });

  const openNow = async (method: Opener, params: unknown): Promise<Ran<unknown>> => {
    if (context !== undefined) return refuse("not-allowed", "this socket has its session: open another socket for another one");
    revoked.clear();
    const ran = await method.call({ payments, tokens }, params);
    if (!ran.ok || ran.opened === undefined || closed) return ran;
    if (revoked.has(ran.opened.register)) return revokedMeanwhile;
    if (!admit()) return sessionsFull;
    context = contextOf(ports, ran.opened);
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
    close: () => {
      closed = true;
      stopWatching();
      context?.feed.stop();
    },
  };
}

function contextOf({ payments, clock, problem, line }: DeskPorts, session: Session): Context {
  const caller = callerOf(session);
  const broke = (error: unknown): void => {
    problem(error, "payment.changed");
    line.end(INTERNAL, "changes are missing: open again and subscribe after the last cursor");
  };
  const tell = (change: unknown): void => line.send(notificationText("payment.changed", change));
  return { payments, clock, session, caller, feed: openFeed({ payments, caller, tell, broke }) };
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
