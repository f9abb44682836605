/** The lanes on which a payment's steps are drawn, by who acts. */
export type Track = "register" | "card" | "terminal" | "gateway" | "journal";

/** One step of a payment, as a technician reads it. Times are epoch milliseconds; `code` is the name of the journal's fact. */
export interface Step {
  readonly at: number;
  /** From what the step answers, by the payment's own time; absent where nothing began it. */
  readonly tookMs?: number;
  readonly track: Track;
  readonly code: string;
  readonly text: string;
}
