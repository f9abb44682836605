import type { PaymentView } from "../../payment/public.ts";
import type { Refusal } from "./refusal.ts";

/** How far this page knows what became of what it asked. */
export type Standing =
  | { readonly is: "sending" }
  /** Sent, perhaps: no answer came. The bridge is asked by the reference. */
  | { readonly is: "unheard" }
  | Known
  /** The bridge says that it never accepted it: nothing was begun. */
  | { readonly is: "not-accepted" }
  /** Sent under another name, to another bridge, or forgotten by this one: it cannot know. */
  | { readonly is: "elsewhere" }
  | { readonly is: "refused"; readonly refusal: Refusal };

export interface Known {
  readonly is: "known";
  readonly payment: PaymentView;
  /** The PIN was wrong, and the terminal asks for it again. */
  readonly wasPinWrong?: true;
  /** The bank has been asked for so long that nobody should take it for ordinary work. */
  readonly isSlow?: true;
}

/** The answer to a cancellation. */
export type Cancellation = "accepted" | "too-late" | "already-final";
