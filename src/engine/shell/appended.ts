import type { Fact } from "../../payment/machine.ts";
import type { Payment } from "../../payment/state.ts";

/** Facts of one payment that the journal has just taken together, and the payment on both sides of them. Of an acceptance both sides are the payment as it begins. */
export interface Appended {
  readonly before: Payment;
  readonly facts: readonly Fact[];
  readonly after: Payment;
  /** From taking the input until these facts were durable, milliseconds. */
  readonly tookMs: number;
}
