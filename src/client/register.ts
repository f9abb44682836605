import { type Clock, sleep } from "../kit/clock.ts";
import { systemClock } from "../kit/system-clock.ts";
import type { PaymentPage, PaymentView, Receipts, Started, Terminal, Totals } from "./api.ts";
import type { FollowUpParams, Key, ReceiptParams, RegisterClient } from "./client.ts";
import { CallRefused, ConnectionLost } from "./errors.ts";
import { type BridgeState, keepBridge } from "./keep-bridge.ts";
import { keptIn, memoryStorage, type TextStorage } from "./kept.ts";
import { type Page, platformPage } from "./page.ts";
import type { PairingStore } from "./pairing-store.ts";
import { type Ask, type Follower, followPayment, type Payment } from "./payment.ts";
import type { ChargeParams, LinkParams, ListParams, StartParams } from "./start-params.ts";
import type { OpenSocket } from "./wire-socket.ts";

export interface RegisterOptions {
  /** ws://127.0.0.1:7717/v1 */
  readonly url: string;
  /** For a register that is not paired. */
  readonly token?: string | undefined;
  /** Where a paired register keeps its key, in place of a token. */
  readonly pairing?: PairingStore | undefined;
  /**
   * Keeps cursor and unfinished payments over restarts: `localStorage`, or a file. Without it, the register stores its
   * references itself, and the bridge cannot notice that its data folder was restored.
   */
  readonly storage?: TextStorage;
  readonly client?: { readonly name: string; readonly version: string };
  /** The connection to the bridge, at each change. */
  readonly onState?: (state: BridgeState) => void;
  /** The browser's page; by default the one that runs this. */
  readonly page?: Page | undefined;
  readonly openSocket?: OpenSocket;
  /** The Origin that `openSocket` sends, where it is not the page's own. */
  readonly origin?: string;
  readonly clock?: Clock;
}

export interface PaymentOptions {
  /** Aborting it cancels the payment. */
  readonly signal?: AbortSignal;
}

/**
 * A cash register that stays connected to its bridge. Each payment is started exactly once, even if the connection is
 * lost. All other calls wait for a connection, and are repeated if it was lost.
 */
export interface Register {
  state(): BridgeState;
  start(params: StartParams, options?: PaymentOptions): Payment;
  /** Captures a preauthorization. */
  capture(params: FollowUpParams, options?: PaymentOptions): Payment;
  /** Reverses a whole payment. */
  void(params: Omit<FollowUpParams, "amount">, options?: PaymentOptions): Payment;
  /** Refunds captured money. */
  refund(params: FollowUpParams, options?: PaymentOptions): Payment;
  /** Raises a preauthorization by `amount`. */
  increment(params: FollowUpParams & { readonly amount: string }, options?: PaymentOptions): Payment;
  /** Makes a link for the customer's own phone. */
  createLink(params: LinkParams, options?: PaymentOptions): Payment;
  /** Pays by a stored card, which nobody presents. */
  payRegistration(params: ChargeParams, options?: PaymentOptions): Payment;
  /** Continues a payment by its reference, after a restart of the register. NotFound: it was never accepted. */
  resume(reference: string, options?: PaymentOptions): Payment;
  /** References in `storage` of payments whose outcome this register has not heard: resume each. */
  unfinished(): readonly string[];
  get(key: Key): Promise<PaymentView>;
  list(filter?: ListParams): Promise<PaymentPage>;
  receipt(key: Key, params: ReceiptParams): Promise<Receipts["receipt"]>;
  totals(period?: { readonly from?: string; readonly to?: string }): Promise<Totals["rows"]>;
  terminals(): Promise<readonly Terminal[]>;
  /** The cashier's decision while the prompt is SIGN. */
  confirmSignature(key: Key, accepted: boolean): Promise<PaymentView>;
  /** Any other call of a session. Use only repeatable calls, which all carry a reference. */
  readonly ask: Ask;
  /** Tries to connect at once instead of waiting. */
  retry(): void;
  close(): void;
}

/** Wait before the next try if the bridge is busy, stopping or restarting. */
const BUSY_MS = 1_000;
/** Errors that pass. After journal-broken, a payment may still have been accepted (docs/register-reference.md, Errors). */
const PASSING = ["too-many-requests", "shutting-down", "journal-broken"];

/** The client's own close code for a refused token (RFC 6455, 7.4.2: private use). */
const NOT_TAKEN = 4401;

/** Connects, and reconnects after every loss, until closed. */
export function connect({
  url,
  token,
  pairing,
  storage = memoryStorage(),
  onState,
  clock = systemClock,
  page = platformPage(),
  ...options
}: RegisterOptions): Register {
  const kept = keptIn(storage);
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

  const bridge = keepBridge({
    ...{ url, token, pairing, clock, page, ...options },
    cursor: kept.cursor,
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

  /** Waits for an open session. Rejects if none will come. */
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
  const follow = (reference: string, begin: Begin | undefined, { signal }: PaymentOptions = {}): Payment => {
    const over = (error: Error | undefined): void => {
      payments.delete(follower);
      // Only a lost connection leaves the outcome open.
      if (!(error instanceof ConnectionLost)) kept.ended(reference);
    };
    const { payment, follower } = followPayment({ ask, reference, begin, signal, over });
    payments.add(follower);
    return payment;
  };
  const close = (): void => {
    bridge.stop();
    end(new ConnectionLost(1000, "the register was closed"));
  };
  return {
    state: () => state,
    ...starts((reference, begin, on) => {
      const written = (session: RegisterClient): Promise<Started> => {
        kept.begun(reference);
        return begin(session);
      };
      return follow(reference, written, on);
    }),
    resume: (reference, on) => follow(reference, undefined, on),
    unfinished: kept.unfinished,
    ...calls(ask),
    ask,
    retry: bridge.retry,
    close,
  };
}

type Begin = (session: RegisterClient) => Promise<Started>;
type Follow = (reference: string, begin: Begin, options?: PaymentOptions) => Payment;

type Starts = "start" | "capture" | "void" | "refund" | "increment" | "createLink" | "payRegistration";

function starts(follow: Follow): Pick<Register, Starts> {
  return {
    start: (params, on) => follow(params.reference, (session) => session.startPayment(params), on),
    capture: (params, on) => follow(params.reference, (session) => session.capture(params), on),
    void: (params, on) => follow(params.reference, (session) => session.void(params), on),
    refund: (params, on) => follow(params.reference, (session) => session.refund(params), on),
    increment: (params, on) => follow(params.reference, (session) => session.increment(params), on),
    createLink: (params, on) => follow(params.reference, (session) => session.createLink(params), on),
    payRegistration: (params, on) => follow(params.reference, (session) => session.payRegistration(params), on),
  };
}

type Calls = "get" | "list" | "receipt" | "totals" | "terminals" | "confirmSignature";

function calls(ask: Ask): Pick<Register, Calls> {
  return {
    get: (key) => ask((session) => session.get(key)),
    list: (filter) => ask((session) => session.list(filter)),
    receipt: (key, params) => ask((session) => session.receipt(key, params)),
    totals: (period) => ask((session) => session.totals(period)),
    terminals: () => ask((session) => session.terminals()),
    confirmSignature: (key, accepted) => ask((session) => session.confirmSignature(key, accepted)),
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
