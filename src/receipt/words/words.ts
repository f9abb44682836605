import type { PaymentType, PaymentView } from "../../payment/view-schema.ts";
import type { ReceiptReason } from "../reasons.ts";

export type LabelKey =
  | "vatId"
  | "date"
  | "time"
  | "reference"
  | "terminalId"
  | "merchantId"
  | "means"
  | "brand"
  | "number"
  | "entryMode"
  | "verification"
  | "applicationLabel"
  | "cryptogram"
  | "approvalCode"
  | "sequenceNumber"
  | "tip"
  | "amount"
  | "signature";

export type Verification =
  | "online-pin"
  | "offline-pin"
  | "signature"
  | "none"
  | "device"
  | "failed"
  | "pin-not-verified"
  | "signature-to-compare"
  | "signature-not-accepted";

type Result = NonNullable<PaymentView["outcome"]> | "NOT_FINAL" | "APPROVED_TO_SIGN" | "PARTIALLY_APPROVED_TO_SIGN";

/** A receipt's words in one language. AID, TVR, TSI, ARC and RRN are called so in all of them. */
export interface ReceiptWords {
  readonly labels: Readonly<Record<LabelKey, string>>;
  readonly types: Readonly<Record<PaymentType, string>>;
  readonly copies: Readonly<Record<"merchant" | "customer", string>>;
  readonly results: Readonly<Record<Result, string>>;
  readonly verifications: Readonly<Record<Verification, string>>;
  readonly means: Readonly<Record<"stored-card" | "link", string>>;
  /** Nothing that a sandbox approves moves money. */
  readonly test: string;
  /** Absent in English, in which the bridge gives each reason in full. */
  readonly reasons?: Readonly<Record<ReceiptReason, string>>;
  readonly decimalSign: "." | ",";
}
