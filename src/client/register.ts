import { type Clock, sleep } from "../kit/clock.ts";
import { systemClock } from "../kit/system-clock.ts";
import type { RegisterClient } from "./client.ts";
import { CallRefused, ConnectionLost } from "./errors.ts";
import { type BridgeState, type KeptCursor, keepBridge } from "./keep-bridge.ts";
import { type Ask, type Follower, followPayment, type Payment } from "./payment.ts";
import type { StartParams } from "./start-params.ts";
import type { OpenSocket } from "./wire-socket.ts";

export interface RegisterOptions {
  /** ws://127.0.0.1:7717/v1 */
  readonly url: string;
  readonly token: string;
  /**
   * Storage of the last cursor across restarts. Without it, the bridge cannot notice that its data folder was restored.
   */
  readonly cursor?: KeptCursor;
  readonly client?: { readonly name: string; readonly version: string };
  /** The connection to the bridge, at each change. */
  readonly onState?: (state: BridgeState) => void;
  readonly openSocket?: OpenSocket;
  readonly clock?: Clock;
}

/** A cash register that stays connected to its bridge. */
export interface Register {
  state(): BridgeState;
  /** Starts a payment exactly once, even if the connection is lost. Aborting the signal cancels it. */
  start(params: StartParams, options?: { readonly signal?: AbortSignal }): Payment;
  /** Continues a payment by its reference, after a restart of the register. */
  resume(reference: string): Payment;
  /**
   * Makes any call on the open session, and repeats it if the connection was lost. Use only repeatable calls, which all
   * carry a reference.
   */
  readonly ask: Ask;
  /** Tries to connect at once instead of waiting. */
  retry(): void;
  close(): void;
}

/** Wait before the next try if the bridge is busy, stopping or restarting. */
const BUSY_MS = 1_000;
/** Errors that pass. After journal-broken, a payment may still have been accepted (docs/register-api.md, Errors). */
const PASSING = ["too-many-requests", "shutting-down", "journal-broken"];

/** The client's own close code for a refused token (RFC 6455, 7.4.2: private use). */
const NOT_TAKEN = 4401;

/** Connects, and reconnects after every loss, until closed. */
export function openRegister({
  url,
  token,
  cursor = cursorInMemory(),
  onState,
  clock = systemClock,
  ...options
}: RegisterOptions): Register {
  const payments = new Set<Follower>();
  let state: BridgeState = { is: "connecting" };
  let ended: Error | undefined;
  let turned = Promise.withResolvers<void>();
  const turn = (): void => {
    turned.resolve();
    turned = Promise.withResolvers<void>();
  };

  const end = (error: Error): void => {
    ended ??= error;
    for (const each of payments) each.ended(ended);
    turn();
  };

  const kept = keepBridge({
    ...{ url, token, cursor, clock, ...options },
    onState: (next) => {
      state = next;
      if (next.is === "refused") end(new ConnectionLost(NOT_TAKEN, next.why));
      turn();
      if (next.is === "open") for (const each of payments) each.reconnected();
      onState?.(next);
    },
    onChange: ({ payment }) => {
      const register = state.is === "open" ? state.client.register : undefined;
      if (register === undefined || payment.register === register) for (const each of payments) each.changed(payment);
    },
  });

  const session = async (): Promise<RegisterClient> => {
    for (;;) {
      if (ended !== undefined) throw ended;
      if (state.is === "open") return state.client;
      await turned.promise;
    }
  };
  const ask = repeating(session, clock, async (lost) => {
    while (ended === undefined && state.is === "open" && state.client === lost) await turned.promise;
  });
  const follow = (reference: string, params: StartParams | undefined, signal: AbortSignal | undefined): Payment => {
    const { payment, follower } = followPayment({
      ask,
      reference,
      params,
      signal,
      over: () => void payments.delete(follower),
    });
    payments.add(follower);
    return payment;
  };
  return {
    state: () => state,
    start: (params, { signal } = {}) => follow(params.reference, params, signal),
    resume: (reference) => follow(reference, undefined, undefined),
    ask,
    retry: kept.retry,
    close: () => {
      kept.stop();
      end(new ConnectionLost(1000, "the register was closed"));
    },
  };
}

/** Repeats a call until it is answered. `gone` resolves when that session has ended. */
function repeating(
  session: () => Promise<RegisterClient>,
  clock: Clock,
  gone: (session: RegisterClient) => Promise<void>,
): Ask {
  return async (call) => {
    for (;;) {
      const open = await session();
      try {
        return await call(open);
      } catch (error) {
        if (error instanceof CallRefused && PASSING.includes(error.code)) await sleep(clock, BUSY_MS);
        else if (error instanceof ConnectionLost) await gone(open);
        else throw error;
      }
    }
  };
}

function cursorInMemory(): KeptCursor {
  const cursors = new Map<string, string>();
  return { of: (bridge) => cursors.get(bridge), told: (bridge, cursor) => void cursors.set(bridge, cursor) };
}
