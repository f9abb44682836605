/** The lanes of a payment's steps, by actor. */
export type Track = "register" | "card" | "terminal" | "gateway" | "journal";

/** One step of a payment for technicians. Times are epoch milliseconds; `code` is the journal fact's name. */
export interface Step {
  readonly at: number;
  /** Duration by the payment's own time; absent: the step ends nothing. */
  readonly tookMs?: number;
  readonly track: Track;
  readonly code: string;
  readonly text: string;
}
