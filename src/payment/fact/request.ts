import type { Minor } from "../../kit/money.ts";
import type { FollowUpType } from "../follow-up/follow-up.ts";
import type { Parameters } from "./parameters.ts";

/** Checked by the register's schema; the amount is in minor units. */
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
  readonly numberOfCaptures?: number | undefined;
  readonly cashier?: string | undefined;
  readonly order?: string | undefined;
  readonly expiresInMs?: number | undefined;
  readonly queue: boolean;
  readonly despite?: string | undefined;
  /** Passed to the gateway unchanged, nested as in the register API. */
  readonly parameters: Parameters;
  /**
   * SHA-256, hexadecimal, of the canonical JSON without queue, expiresInMs and despite: a repeated start has the same
   * one.
   */
  readonly fingerprint: string;
}

/** Checked by the register's schema. */
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
  /** The stored card's gateway id. */
  readonly registration: string;
  /** For this payment alone, where the stored card names no holder. */
  readonly holder?: string | undefined;
}

/** Checked by the register's schema. */
export interface LinkRequest
  extends Pick<
    StartRequest,
    "reference" | "currency" | "amount" | "cashier" | "order" | "despite" | "parameters" | "fingerprint"
  > {
  /** Counted from acceptance. */
  readonly validForMs: number;
}

/** `name`: a register's reference, else a payment's id. `gatewayId`: a booking that this journal need not know. */
export type OriginalKey =
  | { readonly name: string }
  | { readonly reference: string }
  | { readonly id: string }
  | { readonly gatewayId: string };

/** Checked by the register's schema. */
export interface FollowUpRequest {
  readonly type: FollowUpType;
  readonly of: OriginalKey;
  readonly reference: string;
  /** A decimal string as sent; the original has its currency. */
  readonly amount?: string | undefined;
  readonly cashier?: string | undefined;
  readonly fingerprint: string;
}
