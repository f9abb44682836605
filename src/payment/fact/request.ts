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
  readonly parameters: Parameters;
  /**
   * SHA-256 of the start without queue, expiresInMs and despite, which a repeated start may change. With any other
   * change the reference is refused.
   */
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
  readonly validForMs: number;
}

/**
 * `name`: a reference or, if none matches, a payment's id. `gatewayId`: a booking that another system than the bridge
 * may have made.
 */
export type OriginalKey =
  | { readonly name: string }
  | { readonly reference: string }
  | { readonly id: string }
  | { readonly gatewayId: string };

export interface FollowUpRequest {
  readonly type: FollowUpType;
  readonly of: OriginalKey;
  readonly reference: string;
  readonly amount?: string | undefined;
  readonly cashier?: string | undefined;
  readonly fingerprint: string;
}
