import type { Sealed } from "../card/card-data.ts";
import type { Command } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";
import type { Answer, Channel, Device, LinkSight, Operation, PresentedCard, SearchKey, SearchResult } from "../payment/exchange.ts";
import type { TerminalStatus } from "../terminal/status.ts";

/** JSON as it stands in a journal row. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A fact as the journal keeps it: numbered from 1 without gaps over all payments. */
export interface StoredFact {
  readonly number: number;
  readonly payment: string;
  readonly at: string;
  readonly fact: Json;
}

/** The row a list is made from, written in the same transaction as the facts. `open` is true as long as something is owed. */
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
  /** Only this register's; absent: all. */
  readonly register?: string;
  readonly terminal?: string;
  readonly outcome?: string;
  readonly open?: boolean;
  /** Only this one. */
  readonly payment?: string;
  /** Any of these, in currencies of so many decimals. Registrations have none. */
  readonly amounts?: readonly { readonly decimals: number; readonly amount: number }[];
  /** Half open on createdAt, ISO 8601 UTC. */
  readonly from?: string;
  readonly to?: string;
  /** The `next` of the page before. */
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

/** The reference of an append belongs to another payment of the same register; nothing was written. */
export class ReferenceTaken extends Error {
  constructor(register: string, reference: string, options?: ErrorOptions) {
    super(`reference ${reference} of register ${register} belongs to another payment`, options);
    this.name = "ReferenceTaken";
  }
}

/** The journal's facts and its witness do not agree any more: nothing may be written until a new process has read them back. */
export class JournalBroken extends JournalUnwritable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "JournalBroken";
  }
}

/** A list was asked to go on after something that is no `next` of a page. */
export class PageUnknown extends Error {
  constructor() {
    super("after: not the next of a page; start again without it");
    this.name = "PageUnknown";
  }
}

/**
 * What a register's cursor says of this journal.
 * - `held`: it stands behind that fact of this journal; - `ahead`: a number alone, beyond the last fact, which proves nothing;
 * - `foreign`: not made by this data folder, or invented; - `lost`: of a history that a technician has let go of;
 * - `rolled-back`: made by this data folder, in a history that it does not hold; - `none`: no cursor.
 */
export type CursorRead =
  | { readonly is: "held" | "ahead" | "foreign" | "lost"; readonly number: number }
  | { readonly is: "rolled-back"; readonly number: number; readonly generation: number }
  | { readonly is: "none" };

/** One time that a data folder was seen to be put back to an earlier moment; kept for ever. Times are ISO 8601 UTC. */
export interface Rollback {
  readonly number: number;
  readonly noticedAt: string;
  /** The last fact of this journal when it was noticed. */
  readonly last: number;
  /** The furthest fact of the lost history that each register has heard of. */
  readonly shown: readonly { readonly register: string; readonly number: number; readonly at: string }[];
  /** It was put back by `restore`, which noticed that by itself. */
  readonly restored?: Restoration;
  /** A technician has seen to it that nothing of the lost history is sold once more. */
  readonly confirmed?: { readonly at: string; readonly by: string; readonly reason: string };
}

/**
 * How the names of a payment's requests to the gateway begin: eight digits of this bridge, and twelve that stand for register and reference, for whoever has the folder's key. After a restore
 * they tell which of the gateway's bookings are this bridge's, and which references are used.
 */
export type NameBegins = (of: { readonly register: string; readonly reference: string }) => string;

/** A data folder that was restored from a backup. */
export interface Restoration {
  /** When the backup was made. */
  readonly madeAt: string;
  /** What the gateway has booked since, once it could be asked. */
  readonly read?: LostBookings | undefined;
}

/** What the gateway told of the time since a backup. Times are ISO 8601 UTC. */
export interface LostBookings {
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly bookings: readonly LostBooking[];
  /** Entities of the journal's payments that the configuration no longer names, and of which the gateway tells nothing. */
  readonly untold?: readonly UntoldEntity[] | undefined;
}

export interface UntoldEntity {
  readonly entityId: string;
  /** Why, in the gateway's words. */
  readonly description: string;
}

/** A booking of the gateway's that a restored journal does not hold. */
export interface LostBooking {
  readonly id: string;
  readonly entityId: string;
  readonly paymentType: string;
  /** As the gateway tells it, "12.34". */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly merchantTransactionId?: string | undefined;
  readonly referencedId?: string | undefined;
  readonly resultCode: string;
  readonly is: "booked" | "refused" | "undecided";
  readonly at?: string | undefined;
  /** Its name shows that this bridge asked for it. */
  readonly isOwn: boolean;
  /** The payment of this journal that it belongs to, by its register and reference. */
  readonly of?: { readonly register: string; readonly reference: string } | undefined;
}

/** Makes and reads the cursors of registers, and keeps what they prove. */
export interface CursorBook {
  /** The cursor behind that fact. */
  at(number: number): string;
  read(cursor: string): CursorRead;
  /** Oldest first; only the last one may wait to be confirmed. */
  rollbacks(): readonly Rollback[];
  /** Holds from the call on, and for the next process once it resolves; rejects with JournalUnwritable. False: it was known already. */
  notice(proof: {
    readonly register: string;
    readonly at: string;
    readonly last: number;
    readonly number: number;
    readonly generation: number;
  }): Promise<boolean>;
  /** `restore` has put the folder back to this state: one waits to be confirmed from now on. Rejects with JournalUnwritable. */
  restored(by: { readonly at: string; readonly last: number; readonly madeAt: string }): Promise<void>;
  /** Keeps what the gateway has booked since the backup, in place of what was kept of it. Rejects with JournalUnwritable; RangeError where no restored folder waits. */
  lost(read: LostBookings): Promise<void>;
  /** Confirms the one that waits; undefined where none does. Rejects with JournalUnwritable, and then it waits on. */
  confirm(word: { readonly at: string; readonly by: string; readonly reason: string }): Promise<Rollback | undefined>;
}

/**
 * The book of facts. `append` resolves once facts, view and witness are durable, and rejects with JournalUnwritable where they are not; appends become
 * visible in the order they were called. Reads see every append that resolved.
 */
export interface Journal {
  append(facts: readonly Json[], at: string, row: PaymentRow): Promise<{ readonly last: number }>;
  facts(payment: string): Promise<readonly StoredFact[]>;
  openPayments(): Promise<readonly string[]>;
  byReference(register: string, reference: string): Promise<string | undefined>;
  /** The payments of this reference, one a register at most. */
  byReferenceOfAny(reference: string): Promise<readonly PaymentRow[]>;
  /** The payment whose request to the gateway went under that name. */
  byMerchantTransactionId(merchantTransactionId: string): Promise<string | undefined>;
  /** Payments of which an answer of the gateway, a person's word or a paid link has named that id of the gateway's. */
  byGatewayId(gatewayId: string): Promise<readonly string[]>;
  /** Payments of which some fact has this text in it: a question for people, for which all facts are read. */
  naming(text: string): Promise<readonly string[]>;
  list(filter: ListFilter): Promise<{ readonly rows: readonly PaymentRow[]; readonly next?: string }>;
  /** Facts with a number above `after`, oldest first; without those that were archived. */
  after(after: number, limit: number): Promise<readonly StoredFact[]>;
  /** The highest number of a fact that was archived; 0 where none was. Changes before it cannot be told again. */
  archivedTo(): Promise<number>;
  lastNumber(): Promise<number>;
  /** The highest `sequenceNumber` of an operation; 0 where there is none. */
  lastSequenceNumber(): Promise<number>;
  /** Each gateway and entity by which a payment went: all facts are read. */
  channels(): Promise<readonly Pick<Channel, "gateway" | "entityId">[]>;
  readonly cursors: CursorBook;
}

/**
 * The book of stored cards that are to be deleted (payment/stored-card/deletion.ts): jobs that move no money and are no payments. `keep` resolves once the job is durable, and rejects
 * with JournalUnwritable where it is not.
 */
export interface DeletionBook {
  /** Writes a job down, in place of what was there under that reference of that register. `open`: it goes on. */
  keep(entry: { readonly register: string; readonly reference: string; readonly open: boolean; readonly job: Json }): Promise<void>;
  find(register: string, reference: string): Promise<Json | undefined>;
  /** The jobs that go on, oldest first. */
  open(): Promise<readonly Json[]>;
}

/** What goes to the gateway with an operation. `pos` data is there for PA, DB, CD and RG, and again (without sealed data) where the original had it. */
export interface GatewayOrder {
  readonly operation: Operation;
  readonly channel: Channel;
  readonly device: Device;
  readonly card?: PresentedCard;
  readonly sealed?: { readonly sred?: Sealed; readonly pin?: Sealed };
  /** Nested parameters a register passed through: merchantInvoiceId, merchantMemo, descriptor, cart, customer, customParameters, ... */
  readonly parameters: Readonly<Record<string, Json>>;
}

/** For what goes by that key, and all that refers to it: captures, reversals, refunds. */
export interface GatewaySearch {
  readonly channel: Channel;
  readonly of: SearchKey;
}

/** No call ever rejects: whatever happens is an answer of its own. */
export interface Gateway {
  /** False of what was begun with another gateway, about which this one is neither asked nor told anything. */
  reaches(channel: Channel): boolean;
  /** Opens (or keeps warm) a connection, so that the request of a card that waits does not begin with a handshake. */
  warm(): void;
  post(order: GatewayOrder, deadlineMs: number): Promise<Answer>;
  search(search: GatewaySearch, deadlineMs: number): Promise<SearchResult>;
  /** How a link stands, by the gateway's id of it. */
  look(at: { readonly channel: Channel; readonly link: string }, deadlineMs: number): Promise<LinkSight>;
}

/** A booking in the gateway's list of a time frame; `at`: epoch milliseconds. */
export interface Listed extends Omit<LostBooking, "entityId" | "isOwn" | "of" | "at"> {
  readonly at?: number | undefined;
}

/** `isFull`: there may be more of that time. `refused`: the gateway answers no such question. */
export type Listing =
  | { readonly is: "listed"; readonly bookings: readonly Listed[]; readonly isFull: boolean }
  | { readonly is: "throttled" }
  | { readonly is: "no-answer" | "refused"; readonly description: string };

/** What the gateway has of a time, both ends included, epoch milliseconds. No call rejects. */
export interface Lister {
  list(entityId: string, from: number, to: number): Promise<Listing>;
}

export type TerminalEvent =
  | { readonly on: "notice"; readonly terminal: string; readonly notice: Notice }
  | { readonly on: "status"; readonly terminal: string; readonly status: TerminalStatus };

/** All terminals of this bridge. `send` numbers the command and returns at once; what comes of it are notices with that number, the last of them ending the command. */
export interface Terminals {
  list(): readonly TerminalStatus[];
  status(terminal: string): TerminalStatus | undefined;
  send(terminal: string, command: Command): number;
  listen(listener: (event: TerminalEvent) => void): void;
}

/** What a person must be told now; the log carries it, loudly. `reference` and `register` are what the commands know a payment, or a stored card's deletion, by. */
export interface Alarm {
  readonly payment?: string;
  readonly reference: string;
  readonly register: string;
  readonly terminal?: string;
  /** It was so before the bridge was restarted, and still is. */
  readonly afterRestart?: true;
  readonly what: string;
  readonly mend: string;
}

export interface Alarms {
  raise(alarm: Alarm): void;
}
