import type { Kind } from "../script.ts";

/**
 * What a world's checkers see, in words of their own: what registers asked for and were told, what the gateway's ledger
 * holds, what went to the gateway and what came back,
 * and what the cards said. Nothing here is shared with the product. Times are milliseconds of the world; amounts are
 * minor units.
 */

export interface Asked {
  readonly reference: string;
  readonly register: string;
  readonly terminal: string;
  readonly does: Kind;
  readonly amount: number;
  /** Absent: euros. */
  readonly currency?: string;
  /** Without a terminal, whose name is empty then. */
  readonly by?: "stored-card" | "link";
  /** The stored card that pays, by the gateway's id. */
  readonly registration?: string;
  /** How long the customer has to pay by the link. */
  readonly validForMs?: number;
  /** The gateway is to keep the card as well. */
  readonly createRegistration?: true;
  /** The reference of the payment that this one follows. */
  readonly of?: string;
  /** By this id of the gateway its register names that. */
  readonly ofBooking?: string;
  /** It was booked without the bridge, which knows nothing of it. */
  readonly elsewhere?: true;
  readonly allowPartialApproval: boolean;
  readonly order: string | undefined;
  /** So much of the amount; one that is more than that makes no sense, and must be refused. */
  readonly tip?: number;
  /** How old the request may become before its card is asked for, or the stored card is charged. */
  readonly expiresInMs?: number;
  readonly queue: boolean;
}

/** A payment as a register was told of it, as far as a truth speaks of it. */
export interface Told {
  readonly id: string;
  readonly state: string;
  readonly decision: string | undefined;
  readonly outcome: string | undefined;
  readonly reason: string | undefined;
  readonly currency?: string | undefined;
  readonly amount?: number | undefined;
  readonly tip?: number | undefined;
  readonly approvedAmount: number | undefined;
  readonly capturedAmount?: number | undefined;
  readonly refundedAmount?: number | undefined;
  readonly capture: string | undefined;
  readonly lateBooking: boolean;
  readonly entryMode: string | undefined;
  readonly cryptogram: string | undefined;
  /** How the cardholder was verified, as the card says it. */
  readonly cvm?: string | undefined;
  readonly registrationId?: string | undefined;
  /** The gateway's id of its booking. */
  readonly gatewayId?: string | undefined;
  /** The address of the link that the customer is to pay by. */
  readonly link?: string | undefined;
  /** The product's names of its own requests, which must explain every booking on the ledger. */
  readonly attempts: readonly string[];
}

/** One row of the gateway's ledger. */
export interface Row {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly currency?: string | undefined;
  /** The result once settled. */
  readonly code: string;
  readonly of: string | undefined;
  /** The stored card that came with it. */
  readonly registration?: string | undefined;
  readonly request: string | undefined;
  readonly at: number;
  /** When queries begin to see it. */
  readonly visibleAt: number;
  /** The customer has paid once more in a second browser, which nobody could prevent. */
  readonly isSecond?: boolean;
}

/**
 * A request as it left for the gateway, and what came back of it. `type`: of the payment, or "link" for one that makes
 * a link and books nothing.
 */
export interface Post {
  readonly type: string;
  readonly request: string | undefined;
  readonly of: string | undefined;
  readonly sentAt: number;
  /** As it is written in the request. */
  readonly money?: { readonly amount: string; readonly currency: string | undefined } | undefined;
  /** It says that it is the last one of its kind. */
  readonly isLast?: boolean;
  /**
   * Undefined while nothing came; `lost` says that nothing will. Otherwise the code of a reply that arrived whole and
   * could be read, and the acquirer's own code in it.
   */
  answer:
    | { readonly is: "not-sent" | "lost" | "unreadable" }
    | { readonly is: "code"; readonly code: string; readonly acquirer: string | undefined }
    | undefined;
}

/** A cryptogram as its card made it. */
export interface Word {
  readonly terminal: string;
  readonly type: "ARQC" | "TC" | "AAC";
  readonly amount: number;
  readonly cryptogram: string;
}

/** All that is known of one payment. */
export interface Evidence {
  readonly asked: Asked;
  /** This payment, what it follows and what follows that, the first one first. Each keeps its own rows and posts. */
  readonly family: Evidence[];
  readonly ids: Set<string>;
  readonly rows: Row[];
  readonly posts: Post[];
  readonly words: Word[];
  /** Its receipt in the end, line by line; undefined where nobody printed one. */
  receipt: ReadonlyMap<string, string> | undefined;
  /** Somebody has asked for its stored card to be deleted. */
  mayLoseCard: boolean;
  /** Its register was told that its cancel is accepted. */
  isCalledOff: boolean;
  /** The cashier has said that the signature is the cardholder's. */
  isSigned: boolean;
  /** A start was told that it made the payment. */
  created: boolean;
  /** When its start was sent: the one that was told that it made the payment, or else the first one. */
  sentAt: number | undefined;
  /** When a terminal was first told to ask for its card, or its stored card was first charged. */
  takenUpAt: number | undefined;
  /** The currency of its card, and how many decimals that was said to have. */
  cardAskedIn: string | undefined;
  /** Something has kept the bridge, or the word of it, waiting since: a kill, a full disk, a socket that was gone. */
  isDelayed: boolean;
  /** When anything was first told of it. */
  acceptedAt: number | undefined;
  told: Told | undefined;
  /** The last event, which may be behind what was told otherwise. */
  event: { readonly told: Told; readonly cursor: number; readonly at: number } | undefined;
  decision: { readonly says: string; readonly at: number } | undefined;
  final: { readonly told: Told; readonly at: number } | undefined;
}

/** `family`: of the payment that it follows. */
export function newEvidence(asked: Asked, family: Evidence[] = []): Evidence {
  const evidence: Evidence = {
    asked,
    family,
    ids: new Set(),
    rows: [],
    posts: [],
    words: [],
    receipt: undefined,
    mayLoseCard: false,
    isCalledOff: false,
    isSigned: false,
    created: false,
    sentAt: undefined,
    takenUpAt: undefined,
    cardAskedIn: undefined,
    isDelayed: false,
    acceptedAt: undefined,
    told: undefined,
    event: undefined,
    decision: undefined,
    final: undefined,
  };
  family.push(evidence);
  return evidence;
}

export interface Violation {
  /** Which rule was broken. */
  readonly rule: string;
  readonly reference: string;
  /** Milliseconds of the world. */
  readonly at: number;
  readonly text: string;
}
