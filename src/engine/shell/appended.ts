import type { Fact } from "../../payment/machine.ts";
import type { Payment } from "../../payment/state.ts";

/**
 * Facts of one payment just written together, with the payment before and after. For an acceptance, both are the new
 * payment.
 */
export interface Appended {
  readonly before: Payment;
  readonly facts: readonly Fact[];
  readonly after: Payment;
  /** Milliseconds from taking the input until the facts were durable. */
  readonly tookMs: number;
}
