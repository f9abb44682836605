import type { PaymentView } from "../../payment/view-schema.ts";
import type { Refusal } from "./refusal.ts";

/** The page's knowledge of a request's result. */
export type Standing =
  | { readonly is: "sending" }
  /** Perhaps sent, but unanswered; the bridge is queried by reference. */
  | { readonly is: "unheard" }
  | Known
  /** The bridge never accepted it: nothing was started. */
  | { readonly is: "not-accepted" }
  /** Sent under another register, to another bridge, or forgotten by this one, so its state cannot be known. */
  | { readonly is: "elsewhere" }
  | { readonly is: "refused"; readonly refusal: Refusal };

export interface Known {
  readonly is: "known";
  readonly payment: PaymentView;
  /** The PIN was wrong, and the terminal asks again. */
  readonly wasPinWrong?: true;
  /** The issuer has been asked for longer than normal. */
  readonly isSlow?: true;
}

export type Cancellation = "accepted" | "too-late" | "already-final";
