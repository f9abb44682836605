import type { DeletionStatus } from "../payment/deletion.ts";
import type { PaymentType, PaymentView } from "../payment/public.ts";
import type { RefundLimits } from "../payment/refund-limits.ts";
import type { Granted } from "../payment/refusal.ts";
import type { ChargeRequest, FollowUpRequest, LinkRequest, StartRequest } from "../payment/request.ts";
import type { ReceiptSource } from "../receipt/source.ts";
import type { TerminalStatus } from "../terminal/status.ts";

/** Who is calling: a register by name, and what its token lets it reach beyond its own payments. */
export interface Caller {
  readonly register: string;
  /** Payments of every register. */
  readonly all: boolean;
  /** Bookings at the gateway that this journal did not make; absent: none. */
  readonly foreign?: boolean;
  /** How much it may give back; absent: no limit. */
  readonly refundLimits?: RefundLimits;
  /** Aborted when the socket that asks is gone; absent: it is never gone. */
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

/** Approved payments of one terminal, type, brand and currency: how many, and their sum as a decimal string. */
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

/** One time that the data folder was seen to be put back; of each register the furthest fact that it has heard of and that is missing. Times are ISO 8601 UTC. */
export interface RollbackView {
  readonly number: number;
  readonly noticedAt: string;
  /** The last fact that was there when it was noticed. */
  readonly last: number;
  readonly shown: readonly { readonly register: string; readonly number: number; readonly at: string }[];
  readonly confirmed?: { readonly at: string; readonly by: string; readonly reason: string };
}

/** One change, with the cursor to resume after it. A change of the prompt alone carries the last cursor of its payment. */
export interface PaymentChange {
  readonly cursor: string;
  readonly payment: PaymentView;
}

/** Changes on their way to whoever asked for them. */
export interface Following {
  /** Where they begin. */
  readonly cursor: string;
  /** Nothing comes after it, and what is still being read of the past is left. */
  stop(): void;
  /** Resolves when the past was told, or at the stop; rejects where it could not be read to its end. */
  readonly told: Promise<void>;
}

/** What the register API needs of the engine. */
export interface Payments {
  start(caller: Caller, request: StartRequest): Promise<Granted<{ payment: PaymentView; created: boolean; warnings: readonly string[] }>>;
  /** The same by a stored card, without a terminal. */
  charge(caller: Caller, request: ChargeRequest): Promise<Granted<{ payment: PaymentView; created: boolean; warnings: readonly string[] }>>;
  /** The same by a link for the customer's own phone; the payment has the link in it where the gateway makes it soon enough. */
  link(caller: Caller, request: LinkRequest): Promise<Granted<{ payment: PaymentView; created: boolean; warnings: readonly string[] }>>;
  /** Deletes a stored card, by the gateway's id of it; `unknown`: not known yet, it goes on. The same again tells how it stands. */
  deleteRegistration(caller: Caller, request: { readonly reference: string; readonly registration: string }): Promise<Granted<DeletionStatus>>;
  /** Capture, void, refund or increment of what stands already: a payment of its own. */
  followUp(caller: Caller, request: FollowUpRequest): Promise<Granted<{ payment: PaymentView; created: boolean; warnings: readonly string[] }>>;
  /** The cashier's word on a signature; refused where none is waited for. */
  confirmSignature(caller: Caller, key: PaymentKey, accepted: boolean): Promise<Granted<PaymentView>>;
  get(caller: Caller, key: PaymentKey): Promise<Granted<PaymentView>>;
  wait(caller: Caller, key: PaymentKey, until: "decision" | "final", timeoutMs: number): Promise<Granted<PaymentView>>;
  cancel(caller: Caller, key: PaymentKey): Promise<Granted<{ cancellation: "accepted" | "too-late" | "already-final"; payment: PaymentView }>>;
  list(
    caller: Caller,
    filter: { limit: number; after?: string; from?: string; to?: string; terminal?: string; outcome?: string; open?: boolean },
  ): Promise<Granted<PaymentList>>;
  receipt(caller: Caller, key: PaymentKey): Promise<Granted<ReceiptSource>>;
  /** What was approved in that time, for the end of a shop's day (docs/register-api.md says how voids count). */
  totals(caller: Caller, period: Period): Promise<readonly TotalsRow[]>;
  terminals(): readonly TerminalView[];
  testTerminal(terminal: string): Promise<Granted<TerminalView>>;
  /** The cursor of the newest durable fact. */
  cursor(): Promise<string>;
  /** A register tells the last cursor that it was told; whether that proves that the data folder was put back is known once this resolves. */
  shown(caller: Caller, cursor: string): Promise<void>;
  /** Each time that the data folder was seen to be put back to an earlier moment, oldest first. */
  rollbacks(): readonly RollbackView[];
  /** A technician has seen to it that nothing of what is missing is sold once more: payments are accepted again. */
  confirmRollback(word: { readonly by: string; readonly reason: string }): Promise<Granted<RollbackView>>;
  /** Changes after the cursor, oldest first, then live ones, without a gap or a repeat between. Does not wait for the past to be told. */
  follow(caller: Caller, after: string | undefined, changed: (change: PaymentChange) => void): Promise<Granted<Following>>;
  /** Live changes only, of the one payment. */
  watch(payment: string, changed: (change: PaymentChange) => void): () => void;
}

/** What the books say of a terminal besides what its device tells. */
export interface TerminalNotes {
  /** Its name for people. */
  readonly label?: string;
  /** It stands in the data folder and not in the configuration file. */
  readonly paired: boolean;
  /** Another device than the configuration file says is in its place. */
  readonly replaced?: true;
}

/** A device's connection as the configuration writes it: exactly one of them. */
export interface WrittenConnection {
  readonly serial?: string | undefined;
  readonly tcp?: string | undefined;
  readonly websocket?: string | undefined;
  readonly usb?: { readonly vendorId: number; readonly productId: number; readonly serialNumber?: string | undefined } | undefined;
}

/** What is plugged in. `likely`: the most likely model first; `model`: the one that it is taken for; `usedBy`: the terminal in service that has it. */
export interface DeviceView {
  readonly connection: WrittenConnection;
  readonly name: string;
  readonly serialNumber?: string;
  readonly model?: string;
  readonly likely: readonly { readonly model: string; readonly title: string; readonly why: string }[];
  readonly usedBy?: string;
  /** Why the bridge cannot open it, with the mend. */
  readonly problem?: string;
}

/** A model that a terminal may be. */
export interface ModelView {
  readonly id: string;
  readonly title: string;
  readonly connections: readonly ("serial" | "tcp" | "usb" | "websocket")[];
  readonly options: readonly { readonly name: string; readonly meaning: string; readonly usual: string }[];
}

/** The device of a terminal as somebody asks for it; checked by the rules of the configuration. */
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
  readonly location?: { readonly latitude: string; readonly longitude: string; readonly accuracy?: string | undefined } | undefined;
}

/** The device that answered, and what has to be done before it can be sold on. */
export interface ProvenDevice {
  readonly serialNumber: string;
  readonly warnings: readonly string[];
}

/** Granted, refused, or a field that is wrong. */
export type Checked<T> = Granted<T> | { readonly ok: false; readonly invalid: { readonly path: string; readonly message: string } };

/** Terminals that come, change and go while the bridge runs. `by`: who asks, for the audit. */
export interface Pairing {
  notes(terminal: string): TerminalNotes;
  models(): readonly ModelView[];
  /** Opens nothing. */
  scan(): Promise<readonly DeviceView[]>;
  /** Opens the line, reads the serial number back, and takes the terminal into service; nothing is kept where that fails. */
  pair(by: string, request: PairRequest): Promise<Checked<ProvenDevice>>;
  /** Without a label (empty text) it has none any more. */
  rename(by: string, terminal: string, label: string): Promise<Checked<TerminalNotes>>;
  /** Another device takes the terminal's place. */
  replace(by: string, terminal: string, request: DeviceRequest): Promise<Checked<ProvenDevice>>;
  unpair(by: string, terminal: string): Promise<Checked<Readonly<Record<string, never>>>>;
}

export type Scope = "payments" | "refunds" | "unlinked-refunds" | "stored-cards" | "foreign-bookings" | "payments:all" | "technician";

/** What a token lets whoever presents it do. */
export interface TokenRights {
  readonly register: string;
  readonly scopes: readonly Scope[];
  readonly refundLimits?: RefundLimits;
}

/** Looks up a token by what the register presented; only hashes are stored. */
export interface Tokens {
  /** `damaged`: what is kept of it was changed, so that nobody knows what it may do; the text says the mend. */
  find(token: string): Promise<TokenRights | { readonly damaged: string } | undefined>;
  /** Tells, before the revoke is answered, whose tokens were taken away. Stop by calling what it returns. */
  watch(revoked: (register: string) => void): () => void;
}
