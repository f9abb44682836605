import type {
  ChargeRequest,
  DeletionStatus,
  FollowUpRequest,
  Granted,
  LinkRequest,
  RefundLimits,
  StartRequest,
} from "../payment/request.ts";
import type { PaymentType, PaymentView } from "../payment/view-schema.ts";
import type { ReceiptSource } from "../receipt/source.ts";
import type { TerminalStatus } from "../terminal/status.ts";

/** The calling register, and its token's rights beyond its own payments. */
export interface Caller {
  readonly register: string;
  /** Payments of every register. */
  readonly all: boolean;
  /** Bookings at the gateway without an entry in this journal; absent: none. */
  readonly foreign?: boolean;
  /** Limits of refunds; absent: none. */
  readonly refundLimits?: RefundLimits;
  /** Aborted when the calling socket is gone; absent: never. */
  readonly gone?: AbortSignal;
}

/** A payment of any register. A reference that several registers used needs the register's name. */
export type AnyPaymentKey = { readonly id: string } | { readonly reference: string; readonly register?: string };

export type PaymentKey = { readonly reference: string } | { readonly id: string };

export type TerminalView = Omit<TerminalStatus, "state" | "capabilities" | "configuration" | "hostWaitMs"> & {
  readonly state: "ready" | "busy" | "offline" | "out-of-service";
  readonly capabilities: readonly string[];
  readonly payment?: string;
  readonly queue: number;
};

export interface PaymentList {
  readonly payments: readonly PaymentView[];
  readonly next?: string;
}

/** Approved payments of one terminal, type, brand and currency: their number, and their sum as a decimal string. */
export interface TotalsRow {
  readonly terminal: string;
  readonly type: PaymentType;
  readonly brand: string;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
}

/** Half open on createdAt, ISO 8601 UTC with milliseconds. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/**
 * One rollback of the data folder. `shown` has the furthest missing fact that each register knows. Times are ISO 8601
 * UTC.
 */
export interface RollbackView {
  readonly number: number;
  readonly noticedAt: string;
  /** The last fact in the journal when it was noticed. */
  readonly last: number;
  readonly shown: readonly { readonly register: string; readonly number: number; readonly at: string }[];
  readonly confirmed?: { readonly at: string; readonly by: string; readonly reason: string };
}

/**
 * One change, with the cursor to resume after it. A change of the prompt alone carries the last cursor of its payment.
 */
export interface PaymentChange {
  readonly cursor: string;
  readonly payment: PaymentView;
}

/** A subscription to changes. */
export interface Following {
  /** Cursor of its start. */
  readonly cursor: string;
  /** Stops all changes, including those still being read from the past. */
  stop(): void;
  /** Resolves when the past has been sent, or at the stop; rejects if it could not be read completely. */
  readonly told: Promise<void>;
}

/** The engine as the register API uses it. */
export interface Payments {
  start(
    caller: Caller,
    request: StartRequest,
  ): Promise<Granted<{ payment: PaymentView; created: boolean; warnings: readonly string[] }>>;
  /** A payment by a stored card, without a terminal. */
  charge(
    caller: Caller,
    request: ChargeRequest,
  ): Promise<Granted<{ payment: PaymentView; created: boolean; warnings: readonly string[] }>>;
  /** A payment by a link for the customer's own phone. It contains the link if the gateway makes it soon enough. */
  link(
    caller: Caller,
    request: LinkRequest,
  ): Promise<Granted<{ payment: PaymentView; created: boolean; warnings: readonly string[] }>>;
  /**
   * Deletes a stored card by the gateway's id. `unknown`: still in progress. A repeated call returns the current
   * status.
   */
  deleteRegistration(
    caller: Caller,
    request: { readonly reference: string; readonly registration: string },
  ): Promise<Granted<DeletionStatus>>;
  /** Capture, void, refund or increment of an earlier booking: a payment of its own. */
  followUp(
    caller: Caller,
    request: FollowUpRequest,
  ): Promise<Granted<{ payment: PaymentView; created: boolean; warnings: readonly string[] }>>;
  /** The cashier's decision on a signature; refused if none is pending. */
  confirmSignature(caller: Caller, key: PaymentKey, accepted: boolean): Promise<Granted<PaymentView>>;
  get(caller: Caller, key: PaymentKey): Promise<Granted<PaymentView>>;
  wait(caller: Caller, key: PaymentKey, until: "decision" | "final", timeoutMs: number): Promise<Granted<PaymentView>>;
  cancel(
    caller: Caller,
    key: PaymentKey,
  ): Promise<Granted<{ cancellation: "accepted" | "too-late" | "already-final"; payment: PaymentView }>>;
  list(
    caller: Caller,
    filter: {
      limit: number;
      after?: string;
      from?: string;
      to?: string;
      terminal?: string;
      outcome?: string;
      open?: boolean;
    },
  ): Promise<Granted<PaymentList>>;
  receipt(caller: Caller, key: PaymentKey): Promise<Granted<ReceiptSource>>;
  /** Approved payments of a period, for the end of a shop's day (docs/register-reference.md says how voids count). */
  totals(caller: Caller, period: Period): Promise<readonly TotalsRow[]>;
  terminals(): readonly TerminalView[];
  testTerminal(terminal: string): Promise<Granted<TerminalView>>;
  /** The cursor of the newest durable fact. */
  cursor(): Promise<string>;
  /**
   * Takes the last cursor that a register knows. When this resolves, a rollback of the data folder is detected or
   * excluded.
   */
  shown(caller: Caller, cursor: string): Promise<void>;
  /** Every detected rollback of the data folder, oldest first. */
  rollbacks(): readonly RollbackView[];
  /** A technician has made sure that no missing payment is sold again: payments are accepted again. */
  confirmRollback(word: { readonly by: string; readonly reason: string }): Promise<Granted<RollbackView>>;
  /**
   * Changes after the cursor, oldest first, then live ones, without gaps or repetitions. Does not wait for the end of
   * the past.
   */
  follow(
    caller: Caller,
    after: string | undefined,
    changed: (change: PaymentChange) => void,
  ): Promise<Granted<Following>>;
  /** Live changes of one payment. */
  watch(payment: string, changed: (change: PaymentChange) => void): () => void;
}

/** Data of a terminal that its device does not report. */
export interface TerminalNotes {
  /** Its name for people. */
  readonly label?: string;
  /** It is defined in the data folder, not in the configuration file. */
  readonly paired: boolean;
  /** Its device differs from the one in the configuration file. */
  readonly replaced?: true;
}

/** A device's connection in the form of the configuration: exactly one member. */
export interface WrittenConnection {
  readonly serial?: string | undefined;
  readonly tcp?: string | undefined;
  readonly websocket?: string | undefined;
  readonly usb?:
    | { readonly vendorId: number; readonly productId: number; readonly serialNumber?: string | undefined }
    | undefined;
}

/**
 * A plugged-in device. `likely`: models, the most likely first; `model`: the assumed one; `usedBy`: the terminal that
 * uses it.
 */
export interface DeviceView {
  readonly connection: WrittenConnection;
  readonly name: string;
  readonly serialNumber?: string;
  readonly model?: string;
  readonly likely: readonly { readonly model: string; readonly title: string; readonly why: string }[];
  readonly usedBy?: string;
  /** Why the bridge cannot open it, with the fix. */
  readonly problem?: string;
}

/** A model of terminal. */
export interface ModelView {
  readonly id: string;
  readonly title: string;
  readonly connections: readonly ("serial" | "tcp" | "usb" | "websocket")[];
  readonly options: readonly { readonly name: string; readonly meaning: string; readonly usual: string }[];
}

/** The requested device of a terminal; checked by the rules of the configuration. */
export interface DeviceRequest {
  readonly model?: string | undefined;
  readonly connection?: WrittenConnection | undefined;
  readonly options?: Readonly<Record<string, string>> | undefined;
  readonly terminalId?: string | undefined;
  readonly deviceType?: string | undefined;
  readonly deviceId?: string | undefined;
}

export interface PairRequest extends DeviceRequest {
  readonly id: string;
  readonly model: string;
  readonly connection: WrittenConnection;
  readonly terminalId: string;
  readonly label?: string | undefined;
  readonly entityId?: string | undefined;
  readonly location?:
    | { readonly latitude: string; readonly longitude: string; readonly accuracy?: string | undefined }
    | undefined;
}

/** The device that answered, and the steps before it can be used for sales. */
export interface ProvenDevice {
  readonly serialNumber: string;
  readonly warnings: readonly string[];
}

/** Granted, refused, or a wrong field. */
export type Checked<T> =
  | Granted<T>
  | { readonly ok: false; readonly invalid: { readonly path: string; readonly message: string } };

/** Terminals added, changed and removed while the bridge runs. `by`: the caller, for the audit. */
export interface Pairing {
  notes(terminal: string): TerminalNotes;
  models(): readonly ModelView[];
  /** Opens nothing. */
  scan(): Promise<readonly DeviceView[]>;
  /** Opens the line, reads the serial number, and takes the terminal into service. A failure stores nothing. */
  pair(by: string, request: PairRequest): Promise<Checked<ProvenDevice>>;
  /** An empty label removes it. */
  rename(by: string, terminal: string, label: string): Promise<Checked<TerminalNotes>>;
  /** Gives the terminal another device. */
  replace(by: string, terminal: string, request: DeviceRequest): Promise<Checked<ProvenDevice>>;
  unpair(by: string, terminal: string): Promise<Checked<Readonly<Record<string, never>>>>;
}

export type Scope =
  | "payments"
  | "refunds"
  | "unlinked-refunds"
  | "stored-cards"
  | "foreign-bookings"
  | "payments:all"
  | "technician";

/** Rights of a token. */
export interface TokenRights {
  readonly register: string;
  readonly scopes: readonly Scope[];
  readonly refundLimits?: RefundLimits;
}

/** Finds a token by the text that the register presented, or a paired key; only hashes of tokens are stored. */
export interface Tokens {
  /** `damaged`: the stored row was changed, so its rights are unknown; the text names the fix. */
  find(token: string): Promise<TokenRights | { readonly damaged: string } | undefined>;
  /** `origin`: the page's Origin for which the key was paired, or `none`. */
  findKey(key: string): Promise<(TokenRights & { readonly origin: string }) | { readonly damaged: string } | undefined>;
  /**
   * Reports a register whose tokens were revoked, before the revoke is answered. Returns a function that stops this.
   */
  watch(revoked: (register: string) => void): () => void;
}
