import type { Minor } from "../../kit/money.ts";
import type { FollowUpType } from "../follow-up/follow-up.ts";
import type { Parameters } from "./parameters.ts";

/** A start that passed the register's schema: the amount is in minor units, the currency is one of ours. */
export interface StartRequest {
  readonly reference: string;
  readonly type: "SALE" | "PREAUTHORIZATION" | "REFUND" | "REGISTRATION";
  readonly terminal: string;
  readonly currency: string;
  readonly amount: Minor;
  readonly tip?: Minor | undefined;
  readonly entryModes?: ("chip" | "contactless" | "magstripe" | "manual")[] | undefined;
  readonly allowPartialApproval: boolean;
  readonly createRegistration?: boolean | undefined;
  /** Of a PREAUTHORIZATION: how often it may be captured. */
  readonly numberOfCaptures?: number | undefined;
  readonly cashier?: string | undefined;
  readonly order?: string | undefined;
  readonly expiresInMs?: number | undefined;
  readonly queue: boolean;
  readonly despite?: string | undefined;
  /**
   * What goes to the gateway as it is, nested as in the register API: merchantInvoiceId, merchantMemo, descriptor,
   * cart, customer, customParameters, ...
   */
  readonly parameters: Parameters;
  /**
   * SHA-256 in hexadecimal of the canonical JSON as sent, without queue, expiresInMs and despite: two starts with one
   * reference are equal when this is.
   */
  readonly fingerprint: string;
}

/** A payment by a stored card that passed the register's schema. */
export interface ChargeRequest
  extends Pick<
    StartRequest,
    | "reference"
    | "currency"
    | "amount"
    | "numberOfCaptures"
    | "cashier"
    | "order"
    | "expiresInMs"
    | "despite"
    | "parameters"
    | "fingerprint"
  > {
  readonly type: "SALE" | "PREAUTHORIZATION";
  /** The gateway's id of the stored card. */
  readonly registration: string;
  /** The cardholder's name for this payment alone, where the stored card has none. */
  readonly holder?: string | undefined;
}

/** A payment by a link, for the customer's own phone, that passed the register's schema. */
export interface LinkRequest
  extends Pick<
    StartRequest,
    "reference" | "currency" | "amount" | "cashier" | "order" | "despite" | "parameters" | "fingerprint"
  > {
  /** How long the customer has, from the acceptance on. */
  readonly validForMs: number;
}

/**
 * What a follow-up is asked of. `name`: a register's own reference, or else a payment's id; `gatewayId`: a booking that
 * this journal need not know.
 */
export type OriginalKey =
  | { readonly name: string }
  | { readonly reference: string }
  | { readonly id: string }
  | { readonly gatewayId: string };

/** A capture, void, refund or increment that passed the register's schema. */
export interface FollowUpRequest {
  readonly type: FollowUpType;
  readonly of: OriginalKey;
  readonly reference: string;
  /** A decimal string as sent: its currency is that of what it follows. */
  readonly amount?: string | undefined;
  readonly cashier?: string | undefined;
  readonly fingerprint: string;
}
