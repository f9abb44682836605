import type { Clock } from "../kit/clock.ts";
import { systemClock } from "../kit/system-clock.ts";
import {
  cancelResultSchema,
  deletionResultSchema,
  listResultSchema,
  modelsResultSchema,
  openResultSchema,
  pairResultSchema,
  paymentResultSchema,
  pingResultSchema,
  receiptResultSchema,
  scanResultSchema,
  startResultSchema,
  subscribeResultSchema,
  terminalsResultSchema,
  testResultSchema,
  totalsResultSchema,
  unpairResultSchema,
} from "../register/rpc/schemas.ts";
import type {
  Cancelled,
  Change,
  Deleted,
  Hello,
  Models,
  Paired,
  PairParams,
  PaymentPage,
  PaymentView,
  Receipts,
  ReplaceParams,
  Scanned,
  Started,
  Terminal,
  Totals,
} from "./api.ts";
import { CallRefused, ConnectionLost } from "./errors.ts";
import { type Line, openLine } from "./line.ts";
import { credentialsFor, pageOrigin } from "./pairing.ts";
import type { PairingStore } from "./pairing-store.ts";
import type { Schema } from "./schema.ts";
import type { ChargeParams, LinkParams, ListParams, StartParams } from "./start-params.ts";
import { type OpenSocket, platformSocket } from "./wire-socket.ts";

export type Key = { readonly reference: string } | { readonly id: string };

/**
 * The original of a capture, void, refund or increment. Text is this register's own reference or a payment's id;
 * `gatewayId` also finds bookings unknown to this bridge.
 */
export type Original =
  | string
  | { readonly reference: string }
  | { readonly id: string }
  | { readonly gatewayId: string };

/** `reference` is the follow-up's own. Without `amount`: the entire remainder. */
export interface FollowUpParams {
  readonly of: Original;
  readonly reference: string;
  readonly amount?: string;
  readonly cashier?: string;
}

export interface ReceiptParams {
  readonly copy: "merchant" | "customer";
  /** `escpos` comes in base64. */
  readonly format: "text" | "html" | "json" | "escpos";
  readonly columns?: number;
  /** BCP 47; the shop's own by default. */
  readonly language?: string;
  /** Printed below the receipt, as a QR code if possible. */
  readonly code?: string;
  /** `escpos` only. */
  readonly printer?: { readonly model?: string; readonly cut?: "full" | "partial" | "none"; readonly drawer?: boolean };
}

/**
 * One open session. Every call rejects with CallRefused if the bridge refuses it, and with ConnectionLost if the socket
 * closes first.
 */
export interface RegisterClient {
  readonly hello: Hello;
  readonly register: string;
  readonly scopes: readonly string[];
  /**
   * The cursor for resuming on the next socket: after all changes passed to `onChange`, or the start of the session or
   * subscription.
   */
  cursor(): string;
  startPayment(params: StartParams): Promise<Started>;
  /** Waits until the payment is final, without time limit. */
  waitPayment(key: Key): Promise<PaymentView>;
  get(key: Key): Promise<PaymentView>;
  cancel(key: Key): Promise<Cancelled>;
  /** Captures a preauthorization. */
  capture(params: FollowUpParams): Promise<Started>;
  /** Reverses a whole payment. */
  void(params: Omit<FollowUpParams, "amount">): Promise<Started>;
  /** Refunds captured money. */
  refund(params: FollowUpParams): Promise<Started>;
  /** Raises a preauthorization by `amount`. */
  increment(params: FollowUpParams & { readonly amount: string }): Promise<Started>;
  /** Makes a link for the customer's own phone: `payment.link`. */
  createLink(params: LinkParams): Promise<Started>;
  /** Pays by a stored card, which nobody presents. */
  payRegistration(params: ChargeParams): Promise<Started>;
  /** Deletes a stored card; `unknown`: the bridge goes on with the deletion. */
  deleteRegistration(params: {
    readonly registration: string;
    readonly reference: string;
  }): Promise<Deleted["deletion"]>;
  /** The cashier's decision while the prompt is SIGN. */
  confirmSignature(key: Key, accepted: boolean): Promise<PaymentView>;
  list(filter?: ListParams): Promise<PaymentPage>;
  receipt(key: Key, params: ReceiptParams): Promise<Receipts["receipt"]>;
  /** Approved payments by terminal, type, brand and currency; ISO 8601 UTC, half open on createdAt. */
  totals(period?: { readonly from?: string; readonly to?: string }): Promise<Totals["rows"]>;
  terminals(): Promise<Terminal[]>;
  testTerminal(terminal: string): Promise<Terminal>;
  /** Plugged-in devices and their terminals. Needs the scope `technician`, like all calls that change terminals. */
  scanTerminals(): Promise<Scanned["devices"]>;
  terminalModels(): Promise<Models["models"]>;
  /** Verifies the device and takes it into service, which takes some seconds. */
  pairTerminal(params: PairParams): Promise<Paired>;
  renameTerminal(terminal: string, label: string): Promise<Terminal>;
  /** Replaces the device; the id stays. */
  replaceTerminal(params: ReplaceParams): Promise<Paired>;
  unpairTerminal(terminal: string): Promise<void>;
  /** After this, `onChange` gets the changes of every payment this session may read, beginning after `after`. */
  subscribe(after?: string): Promise<string>;
  ping(): Promise<string>;
  /** Any call, for methods without a function here. */
  call<T>(method: string, params: object, result: Schema<T>): Promise<T>;
  close(): void;
  /** Resolves when the socket has closed, with the reason. */
  readonly closed: Promise<Error>;
}

export interface ConnectOptions {
  /** ws://127.0.0.1:7717/v1 */
  readonly url: string;
  /** Of a register that is not paired. */
  readonly token?: string | undefined;
  /** Where a paired register keeps its key, in place of a token. */
  readonly pairing?: PairingStore | undefined;
  /**
   * The last cursor of this register: `cursor()` of its last connection, stored across restarts. Each session sends it,
   * so that the bridge notices a restored data folder. Undefined only before the first cursor. A function serves
   * several bridges.
   */
  readonly after: string | undefined | ((hello: Hello) => string | undefined);
  /** A payment changed: only those that this client started; all after `subscribe`. */
  readonly onChange?: (change: Change) => void;
  /** Any other notification, for those without a function here. */
  readonly onNotification?: (method: string, params: unknown) => void;
  readonly client?: { readonly name: string; readonly version: string };
  readonly openSocket?: OpenSocket;
  /** The Origin that `openSocket` sends, where it is not the page's own. */
  readonly origin?: string | undefined;
  readonly clock?: Clock;
}

/** Interval of the pings that check the connection. */
const PING_MS = 20_000;
/** Time limit of one `payment.wait` call. */
const WAIT_MS = 60_000;

/**
 * Opens a session. Rejects with ConnectionLost if nobody answers, with CallRefused for an invalid token, and with
 * NotThisBridge or NotPaired. The caller reconnects, from `cursor`.
 */
export async function connectRegister(options: ConnectOptions): Promise<RegisterClient> {
  const {
    url,
    token,
    pairing,
    after,
    client,
    onChange = () => undefined,
    onNotification = () => undefined,
    openSocket = platformSocket,
    origin = pageOrigin(),
    clock = systemClock,
  } = options;
  const line = openLine({ url, openSocket, onChange, onNotification });
  try {
    const hello = await line.hello;
    const last = typeof after === "function" ? after(hello) : after;
    const proof =
      pairing === undefined ? { token } : await credentialsFor({ url, hello, call: line.calls.call, origin }, pairing);
    const session = { ...proof, api: 1, ...(last !== undefined && { after: last }), ...(client && { client }) };
    const { register, scopes, cursor } = await line.calls.call("session.open", session, openResultSchema);
    line.startAt(cursor);
    void line.closed.then(keepAlive(line, clock));
    return { hello, register, scopes, cursor: line.cursor, close: line.close, closed: line.closed, ...callsOf(line) };
  } catch (error) {
    line.close();
    throw error;
  }
}

/**
 * Browsers cannot ping, and a half-open connection shows no error. An answer later than the next ping closes the
 * socket. Returns a function that stops this.
 */
function keepAlive(line: Line, clock: Clock): () => void {
  let answered = true;
  let stop: () => void;
  const ping = (): void => {
    if (!answered) {
      line.abandon(new ConnectionLost(1006, "no answer to a ping"));
      return;
    }
    answered = false;
    line.calls.call("session.ping", {}, pingResultSchema).then(
      () => {
        answered = true;
      },
      // A closed socket ends every call, this one too, and `closed` reports it. A refusal (too many calls) is an
      // answer.
      (error: unknown) => {
        answered = error instanceof CallRefused;
      },
    );
    stop = clock.after(PING_MS, ping);
  };
  stop = clock.after(PING_MS, ping);
  return () => stop();
}

type Functions = Omit<RegisterClient, "hello" | "register" | "scopes" | "cursor" | "close" | "closed">;

function callsOf({ calls: { call }, startAt }: Line): Functions {
  const payment = async (method: string, params: object): Promise<PaymentView> =>
    (await call(method, params, paymentResultSchema)).payment;
  const waitPayment = async (key: Key): Promise<PaymentView> => {
    for (;;) {
      const now = await payment("payment.wait", { ...key, until: "final", timeoutMs: WAIT_MS });
      if (now.state === "FINAL") return now;
    }
  };
  const subscribe = async (after?: string): Promise<string> => {
    // Sets the cursor at once. If the socket closes before the first change, all later changes are still missing;
    // changes may directly follow the reply.
    const begin = (from: { readonly cursor: string }): void => startAt(from.cursor);
    const { cursor } = await call(
      "events.subscribe",
      after === undefined ? {} : { after },
      subscribeResultSchema,
      begin,
    );
    return cursor;
  };
  return {
    call,
    startPayment: (params) => call("payment.start", params, startResultSchema),
    waitPayment,
    get: (key) => payment("payment.get", key),
    cancel: (key) => call("payment.cancel", key, cancelResultSchema),
    capture: (params) => call("payment.capture", params, startResultSchema),
    void: (params) => call("payment.void", params, startResultSchema),
    refund: (params) => call("payment.refund", params, startResultSchema),
    increment: (params) => call("payment.increment", params, startResultSchema),
    createLink: (params) => call("link.create", params, startResultSchema),
    payRegistration: (params) => call("registration.pay", params, startResultSchema),
    deleteRegistration: async (params) => (await call("registration.delete", params, deletionResultSchema)).deletion,
    confirmSignature: (key, accepted) => payment("payment.confirmSignature", { ...key, accepted }),
    list: (filter = {}) => call("payment.list", filter, listResultSchema),
    receipt: async (key, params) => (await call("payment.receipt", { ...key, ...params }, receiptResultSchema)).receipt,
    totals: async (period = {}) => (await call("totals.get", period, totalsResultSchema)).rows,
    terminals: async () => (await call("terminals.list", {}, terminalsResultSchema)).terminals,
    testTerminal: async (terminal) => (await call("terminals.test", { terminal }, testResultSchema)).terminal,
    scanTerminals: async () => (await call("terminals.scan", {}, scanResultSchema)).devices,
    terminalModels: async () => (await call("terminals.models", {}, modelsResultSchema)).models,
    pairTerminal: (params) => call("terminals.pair", params, pairResultSchema),
    renameTerminal: async (terminal, label) =>
      (await call("terminals.rename", { terminal, label }, testResultSchema)).terminal,
    replaceTerminal: (params) => call("terminals.replace", params, pairResultSchema),
    unpairTerminal: async (terminal) => void (await call("terminals.unpair", { terminal }, unpairResultSchema)),
    subscribe,
    ping: async () => (await call("session.ping", {}, pingResultSchema)).now,
  };
}
