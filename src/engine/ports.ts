import type { Sealed } from "../card/card-data.ts";
import type { Command } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";
import type {
  Answer,
  Channel,
  Device,
  LinkSight,
  Operation,
  PresentedCard,
  SearchKey,
  SearchResult,
} from "../payment/exchange.ts";
import type { TerminalStatus } from "../terminal/status.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A fact as stored; numbered from 1 without gaps over all payments. */
export interface StoredFact {
  readonly number: number;
  readonly payment: string;
  readonly at: string;
  readonly fact: Json;
}

/** The row of a list, written in the transaction of its facts. `open`: effects are owed. */
export interface PaymentRow {
  readonly payment: string;
  readonly register: string;
  readonly reference: string;
  readonly terminal: string;
  readonly order: string | null;
  readonly type: string;
  readonly currency: string;
  readonly amount: number;
  readonly state: string;
  readonly outcome: string | null;
  readonly open: boolean;
  readonly createdAt: string;
}

export interface ListFilter {
  /** Only this register; absent: all. */
  readonly register?: string;
  readonly terminal?: string;
  readonly outcome?: string;
  readonly open?: boolean;
  readonly payment?: string;
  /** Any of these amounts, in currencies with that many decimals. Registrations have none. */
  readonly amounts?: readonly { readonly decimals: number; readonly amount: number }[];
  /** Half-open range of createdAt, ISO 8601 UTC. */
  readonly from?: string;
  readonly to?: string;
  /** The `next` of the previous page. */
  readonly after?: string;
  readonly limit: number;
}

/** The journal could not make a fact durable: nothing that depends on it may run. */
export class JournalUnwritable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "JournalUnwritable";
  }
}

/** The reference belongs to another payment of the same register; nothing was written. */
export class ReferenceTaken extends Error {
  constructor(register: string, reference: string, options?: ErrorOptions) {
    super(`reference ${reference} of register ${register} belongs to another payment`, options);
    this.name = "ReferenceTaken";
  }
}

/** The journal's facts and its witness may disagree: no write until a new process has read them back. */
export class JournalBroken extends JournalUnwritable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "JournalBroken";
  }
}

/** The `after` of a list is no `next` of a page. */
export class PageUnknown extends Error {
  constructor() {
    super("after: not the next of a page; start again without it");
    this.name = "PageUnknown";
  }
}

/**
 * `held`: refers to a fact here. `ahead`: an unsigned number beyond the last fact, no proof. `foreign`: forged, or of
 * another folder. `lost`: of a history given up by a technician. `rolled-back`: of a history missing here.
 */
export type CursorRead =
  | { readonly is: "held" | "ahead" | "foreign" | "lost"; readonly number: number }
  | { readonly is: "rolled-back"; readonly number: number; readonly generation: number }
  | { readonly is: "none" };

/** A detected rollback of the data folder to an earlier moment; kept for ever. Times are ISO 8601 UTC. */
export interface Rollback {
  readonly number: number;
  readonly noticedAt: string;
  /** The journal's last fact when the rollback was noticed. */
  readonly last: number;
  /** For each register, its furthest known fact of the lost history. */
  readonly shown: readonly { readonly register: string; readonly number: number; readonly at: string }[];
  /** Present if `restore` put the folder back and recorded it. */
  readonly restored?: Restoration;
  /** A technician has made sure that nothing of the lost history is sold twice. */
  readonly confirmed?: { readonly at: string; readonly by: string; readonly reason: string };
}

/**
 * The start of a payment's request names: eight digits of this bridge, twelve from register, reference and the folder's
 * key. After a restore they identify the bridge's own bookings and the used references.
 */
export type NameBegins = (of: { readonly register: string; readonly reference: string }) => string;

/** A data folder restored from a backup. */
export interface Restoration {
  /** Time of the backup. */
  readonly madeAt: string;
  /** Bookings the gateway made since, once queried. */
  readonly read?: LostBookings | undefined;
}

/** The gateway's list of bookings since a backup. Times are ISO 8601 UTC. */
export interface LostBookings {
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly bookings: readonly LostBooking[];
  /** Entities of the journal's payments that the configuration no longer names and the gateway does not list. */
  readonly untold?: readonly UntoldEntity[] | undefined;
}

export interface UntoldEntity {
  readonly entityId: string;
  /** The gateway's reason. */
  readonly description: string;
}

/** A booking at the gateway that a restored journal does not hold. */
export interface LostBooking {
  readonly id: string;
  readonly entityId: string;
  readonly paymentType: string;
  /** As the gateway writes it, "12.34". */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly merchantTransactionId?: string | undefined;
  readonly referencedId?: string | undefined;
  readonly resultCode: string;
  readonly is: "booked" | "refused" | "undecided";
  readonly at?: string | undefined;
  /** Its name shows that this bridge requested it. */
  readonly isOwn: boolean;
  /** Register and reference of its payment in this journal. */
  readonly of?: { readonly register: string; readonly reference: string } | undefined;
}

/** Makes and reads the cursors of registers, and keeps the rollbacks they prove. */
export interface CursorBook {
  /** The cursor of this fact. */
  at(number: number): string;
  read(cursor: string): CursorRead;
  /** Oldest first; only the last one may be unconfirmed. */
  rollbacks(): readonly Rollback[];
  /** In force from the call, durable once it resolves; rejects with JournalUnwritable. False: already known. */
  notice(proof: {
    readonly register: string;
    readonly at: string;
    readonly last: number;
    readonly number: number;
    readonly generation: number;
  }): Promise<boolean>;
  /** Records an unconfirmed rollback by `restore` to this state. Rejects with JournalUnwritable. */
  restored(by: { readonly at: string; readonly last: number; readonly madeAt: string }): Promise<void>;
  /** Replaces the bookings since the backup. Rejects with JournalUnwritable; RangeError without an open restore. */
  lost(read: LostBookings): Promise<void>;
  /** Confirms the open rollback; undefined if none. Rejects with JournalUnwritable, and it stays open. */
  confirm(word: { readonly at: string; readonly by: string; readonly reason: string }): Promise<Rollback | undefined>;
}

/**
 * `append` resolves once facts, row and witness are durable, else rejects with JournalUnwritable. Appends become
 * visible in call order. Reads see all resolved appends.
 */
export interface Journal {
  append(facts: readonly Json[], at: string, row: PaymentRow): Promise<{ readonly last: number }>;
  facts(payment: string): Promise<readonly StoredFact[]>;
  openPayments(): Promise<readonly string[]>;
  byReference(register: string, reference: string): Promise<string | undefined>;
  /** The payments with this reference, at most one a register. */
  byReferenceOfAny(reference: string): Promise<readonly PaymentRow[]>;
  /** The payment with a gateway request of this name. */
  byMerchantTransactionId(merchantTransactionId: string): Promise<string | undefined>;
  /** Payments with this gateway id in a reply, an operator's decision or a paid link. */
  byGatewayId(gatewayId: string): Promise<readonly string[]>;
  /** Payments with a fact that contains this text. Reads all facts, so only for operators. */
  naming(text: string): Promise<readonly string[]>;
  list(filter: ListFilter): Promise<{ readonly rows: readonly PaymentRow[]; readonly next?: string }>;
  /** Facts with a number above `after`, oldest first; without archived ones. */
  after(after: number, limit: number): Promise<readonly StoredFact[]>;
  /** The highest number of an archived fact, or 0. Changes up to it cannot be replayed. */
  archivedTo(): Promise<number>;
  lastNumber(): Promise<number>;
  /** The highest `sequenceNumber` of an operation, or 0. */
  lastSequenceNumber(): Promise<number>;
  /** Each gateway and entity used by a payment. Reads all facts. */
  channels(): Promise<readonly Pick<Channel, "gateway" | "entityId">[]>;
  readonly cursors: CursorBook;
}

/** Jobs to delete stored cards (payment/stored-card/deletion.ts). `keep` rejects with JournalUnwritable. */
export interface DeletionBook {
  /** Replaces the job of this register and reference. `open`: the job is unfinished. */
  keep(entry: {
    readonly register: string;
    readonly reference: string;
    readonly open: boolean;
    readonly job: Json;
  }): Promise<void>;
  find(register: string, reference: string): Promise<Json | undefined>;
  /** Open jobs, oldest first. */
  open(): Promise<readonly Json[]>;
}

/** An operation with its data. PA, DB, CD and RG carry `pos` data; follow-ups repeat the original's, never sealed. */
export interface GatewayOrder {
  readonly operation: Operation;
  readonly channel: Channel;
  readonly device: Device;
  readonly card?: PresentedCard;
  readonly sealed?: { readonly sred?: Sealed; readonly pin?: Sealed };
  /** Passed through: merchantInvoiceId, merchantMemo, descriptor, cart, customer, customParameters, ... */
  readonly parameters: Readonly<Record<string, Json>>;
}

/** A query for the booking with this key, and all that refers to it: captures, reversals, refunds. */
export interface GatewaySearch {
  readonly channel: Channel;
  readonly of: SearchKey;
}

/** No call ever rejects: each failure is an answer of its own. */
export interface Gateway {
  /** False for a payment started with another gateway: this one must not be asked about it. */
  reaches(channel: Channel): boolean;
  /** Opens a connection or keeps it warm, so that a waiting card's request needs no handshake. */
  warm(): void;
  post(order: GatewayOrder, deadlineMs: number): Promise<Answer>;
  search(search: GatewaySearch, deadlineMs: number): Promise<SearchResult>;
  /** State of a link, by its gateway id. */
  look(at: { readonly channel: Channel; readonly link: string }, deadlineMs: number): Promise<LinkSight>;
}

/** A booking in the gateway's list of a time frame; `at`: epoch milliseconds. */
export interface Listed extends Omit<LostBooking, "entityId" | "isOwn" | "of" | "at"> {
  readonly at?: number | undefined;
}

/** `isFull`: the time frame may have more bookings. `refused`: the gateway does not support this query. */
export type Listing =
  | { readonly is: "listed"; readonly bookings: readonly Listed[]; readonly isFull: boolean }
  | { readonly is: "throttled" }
  | { readonly is: "no-answer" | "refused"; readonly description: string };

/** Lists the gateway's bookings of a time frame, both ends included, epoch milliseconds. No call rejects. */
export interface Lister {
  list(entityId: string, from: number, to: number): Promise<Listing>;
}

export type TerminalEvent =
  | { readonly on: "notice"; readonly terminal: string; readonly notice: Notice }
  | { readonly on: "status"; readonly terminal: string; readonly status: TerminalStatus };

/** `send` returns the command's number at once. Notices with this number follow; the last one ends the command. */
export interface Terminals {
  list(): readonly TerminalStatus[];
  status(terminal: string): TerminalStatus | undefined;
  send(terminal: string, command: Command): number;
  listen(listener: (event: TerminalEvent) => void): void;
}

/** A problem for an operator, also logged. `reference`, `register`: of a payment or a stored card's deletion. */
export interface Alarm {
  readonly payment?: string;
  readonly reference: string;
  readonly register: string;
  readonly terminal?: string;
  /** The problem existed before the bridge restarted, and still does. */
  readonly afterRestart?: true;
  readonly what: string;
  readonly mend: string;
}

export interface Alarms {
  raise(alarm: Alarm): void;
}
