import type { Minor } from "../../kit/money.ts";
import type { FollowUpType } from "../follow-up/follow-up.ts";
import type { Parameters } from "./parameters.ts";

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
  /** Passed to the gateway unchanged. */
  readonly parameters: Parameters;
  /** SHA-256 of the start without queue, expiresInMs and despite. A repeated start has the same. */
  readonly fingerprint: string;
}

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
  readonly registration: string;
  readonly holder?: string | undefined;
}

export interface LinkRequest
  extends Pick<
    StartRequest,
    "reference" | "currency" | "amount" | "cashier" | "order" | "despite" | "parameters" | "fingerprint"
  > {
  /** Counted from acceptance. */
  readonly validForMs: number;
}

/** `name`: the register's reference, or else a payment's id. `gatewayId`: a booking that this journal may not know. */
export type OriginalKey =
  | { readonly name: string }
  | { readonly reference: string }
  | { readonly id: string }
  | { readonly gatewayId: string };

export interface FollowUpRequest {
  readonly type: FollowUpType;
  readonly of: OriginalKey;
  readonly reference: string;
  /** Decimal text, in the original's currency. */
  readonly amount?: string | undefined;
  readonly cashier?: string | undefined;
  readonly fingerprint: string;
}
