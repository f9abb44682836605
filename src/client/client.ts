import type { z } from "zod";
import type { Clock } from "../kit/clock.ts";
import { systemClock } from "../kit/system-clock.ts";
import type { PaymentView } from "../payment/public.ts";
import {
  cancelResultSchema,
  deletionResultSchema,
  type Hello,
  listResultSchema,
  modelsResultSchema,
  openResultSchema,
  type pairParamsSchema,
  pairResultSchema,
  paymentResultSchema,
  pingResultSchema,
  receiptResultSchema,
  type replaceParamsSchema,
  scanResultSchema,
  startResultSchema,
  subscribeResultSchema,
  terminalsResultSchema,
  testResultSchema,
  totalsResultSchema,
  unpairResultSchema,
} from "../register/rpc/schemas.ts";
import { CallRefused, ConnectionLost } from "./errors.ts";
import { type Change, type Line, openLine } from "./line.ts";
import type { StartParams } from "./start-params.ts";
import { type OpenSocket, platformSocket } from "./wire-socket.ts";

export type Key = { readonly reference: string } | { readonly id: string };

/** What a capture, void, refund or increment is about: text is this register's own reference or a payment's id; `gatewayId` also reaches what this bridge never saw. */
export type Original = string | { readonly reference: string } | { readonly id: string } | { readonly gatewayId: string };

/** `reference` is the follow-up's own. Without `amount`: all that is left. */
export interface FollowUpParams {
  readonly of: Original;
  readonly reference: string;
  readonly amount?: string;
  readonly cashier?: string;
}

/** A payment by a stored card. `registration`: the gateway's id of it. */
export interface ChargeParams {
  readonly registration: string;
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly type?: "SALE" | "PREAUTHORIZATION";
  readonly [parameter: string]: unknown;
}

/** A payment by a link, for the customer's own phone. Without `validForMs` he has an hour. */
export interface LinkParams {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly validForMs?: number;
  readonly description?: string;
  readonly [parameter: string]: unknown;
}

export interface ReceiptParams {
  readonly copy: "merchant" | "customer";
  /** `escpos` comes in base64. */
  readonly format: "text" | "html" | "json" | "escpos";
  readonly columns?: number;
  /** BCP 47; the shop's own unless said. */
  readonly language?: string;
  /** Stands below the receipt, as a QR code where that can be drawn. */
  readonly code?: string;
  /** Of `escpos` only. */
  readonly printer?: { readonly model?: string; readonly cut?: "full" | "partial" | "none"; readonly drawer?: boolean };
}

/** One open session. Every call rejects with CallRefused where the bridge refuses it and with ConnectionLost where the socket closes first. */
export interface RegisterClient {
  readonly hello: Hello;
  readonly register: string;
  readonly scopes: readonly string[];
  /** Where to resume from on the next socket: behind all changes that `onChange` was given, or where the session or the subscription began. */
  cursor(): string;
  startPayment(params: StartParams): Promise<z.output<typeof startResultSchema>>;
  /** Waits until the payment is final, however long that takes. */
  waitPayment(key: Key): Promise<PaymentView>;
  get(key: Key): Promise<PaymentView>;
  cancel(key: Key): Promise<z.output<typeof cancelResultSchema>>;
  /** Takes the money of a preauthorization. */
  capture(params: FollowUpParams): Promise<z.output<typeof startResultSchema>>;
  /** Takes a payment back as a whole. */
  void(params: Omit<FollowUpParams, "amount">): Promise<z.output<typeof startResultSchema>>;
  /** Gives back what was captured. */
  refund(params: FollowUpParams): Promise<z.output<typeof startResultSchema>>;
  /** Raises a preauthorization by `amount`. */
  increment(params: FollowUpParams & { readonly amount: string }): Promise<z.output<typeof startResultSchema>>;
  /** Makes a link by which the customer pays on his own phone: `payment.link`. */
  createLink(params: LinkParams): Promise<z.output<typeof startResultSchema>>;
  /** Takes money from a stored card, which nobody presents. */
  payRegistration(params: ChargeParams): Promise<z.output<typeof startResultSchema>>;
  /** Deletes a stored card; `unknown` means that the bridge goes on with it. */
  deleteRegistration(params: { readonly registration: string; readonly reference: string }): Promise<z.output<typeof deletionResultSchema>["deletion"]>;
  /** The cashier's word while the prompt is SIGN. */
  confirmSignature(key: Key, accepted: boolean): Promise<PaymentView>;
  list(filter?: { readonly [name: string]: string | number | boolean }): Promise<z.output<typeof listResultSchema>>;
  receipt(key: Key, params: ReceiptParams): Promise<z.output<typeof receiptResultSchema>["receipt"]>;
  /** Approved payments by terminal, type, brand and currency; ISO 8601 UTC, half open on createdAt. */
  totals(period?: { readonly from?: string; readonly to?: string }): Promise<z.output<typeof totalsResultSchema>["rows"]>;
  terminals(): Promise<z.output<typeof terminalsResultSchema>["terminals"]>;
  testTerminal(terminal: string): Promise<z.output<typeof testResultSchema>["terminal"]>;
  /** Scope `technician`, as all that change terminals: what is plugged in, and which terminal has it. */
  scanTerminals(): Promise<z.output<typeof scanResultSchema>["devices"]>;
  terminalModels(): Promise<z.output<typeof modelsResultSchema>["models"]>;
  /** Proves the device and takes it into service; that takes some seconds. */
  pairTerminal(params: z.input<typeof pairParamsSchema>): Promise<z.output<typeof pairResultSchema>>;
  renameTerminal(terminal: string, label: string): Promise<z.output<typeof testResultSchema>["terminal"]>;
  /** Puts another device in its place; the id stays. */
  replaceTerminal(params: z.input<typeof replaceParamsSchema>): Promise<z.output<typeof pairResultSchema>>;
  unpairTerminal(terminal: string): Promise<void>;
  /** From now on `onChange` of the connection hears every payment this session may read, first what came after `after`. */
  subscribe(after?: string): Promise<string>;
  ping(): Promise<string>;
  /** Any call, for methods that this client has no function for. */
  call<S extends z.ZodType>(method: string, params: object, result: S): Promise<z.output<S>>;
  close(): void;
  /** Resolves when the socket has closed, with what closed it. */
  readonly closed: Promise<Error>;
}

export interface ConnectOptions {
  /** ws://127.0.0.1:7717/v1 */
  readonly url: string;
  readonly token: string;
  /**
   * The last cursor that this register was told: `cursor()` of its connection before this one, kept where a restart of the register finds it. Undefined only where it was never told one.
   * It is sent with every session, so that the bridge learns from it where its data folder was put back to an earlier moment. As a function: for one that talks to several bridges.
   */
  readonly after: string | undefined | ((hello: Hello) => string | undefined);
  /** A payment changed: at first those that this client started, after `subscribe` all. */
  readonly onChange?: (change: Change) => void;
  /** Any other notification, for those that this client has no function for. */
  readonly onNotification?: (method: string, params: unknown) => void;
  readonly client?: { readonly name: string; readonly version: string };
  readonly openSocket?: OpenSocket;
  readonly clock?: Clock;
}

/** How often the bridge is asked whether it is still there. */
const PING_MS = 20_000;
/** How long one `payment.wait` is asked to wait. */
const WAIT_MS = 60_000;

/** Opens a session. Rejects with ConnectionLost where nobody answers and with CallRefused where the token is not taken. Reconnecting is the caller's: `cursor` says from where. */
export async function connectRegister(options: ConnectOptions): Promise<RegisterClient> {
  const { url, token, after, client, onChange = () => undefined, onNotification = () => undefined, openSocket = platformSocket, clock = systemClock } = options;
  const line = openLine({ url, openSocket, onChange, onNotification });
  try {
    const hello = await line.hello;
    const last = typeof after === "function" ? after(hello) : after;
    const session = { token, api: 1, ...(last !== undefined && { after: last }), ...(client && { client }) };
    const { register, scopes, cursor } = await line.calls.call("session.open", session, openResultSchema);
    line.startAt(cursor);
    void line.closed.then(keepAlive(line, clock));
    return { hello, register, scopes, cursor: line.cursor, close: line.close, closed: line.closed, ...callsOf(line) };
  } catch (error) {
    line.close();
    throw error;
  }
}

/** Browsers cannot ping, and a half-open connection tells nothing by itself: an answer that takes longer than until the next ping ends it. Returns what stops it. */
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
      // A closed socket ends every call, this one too, and `closed` says so; a refusal (too many calls) is an answer.
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
  const payment = async (method: string, params: object): Promise<PaymentView> => (await call(method, params, paymentResultSchema)).payment;
  const waitPayment = async (key: Key): Promise<PaymentView> => {
    for (;;) {
      const now = await payment("payment.wait", { ...key, until: "final", timeoutMs: WAIT_MS });
      if (now.state === "FINAL") return now;
    }
  };
  const subscribe = async (after?: string): Promise<string> => {
    // The session may have begun later: where the socket goes before the first change, all that came after this is still to be told. What is told may stand right behind the reply.
    const begin = (from: { readonly cursor: string }): void => startAt(from.cursor);
    const { cursor } = await call("events.subscribe", after === undefined ? {} : { after }, subscribeResultSchema, begin);
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
    renameTerminal: async (terminal, label) => (await call("terminals.rename", { terminal, label }, testResultSchema)).terminal,
    replaceTerminal: (params) => call("terminals.replace", params, pairResultSchema),
    unpairTerminal: async (terminal) => void (await call("terminals.unpair", { terminal }, unpairResultSchema)),
    subscribe,
    ping: async () => (await call("session.ping", {}, pingResultSchema)).now,
  };
}
