import type { Heard } from "../attempt/definite-answer.ts";
import type { Purpose } from "../attempt/retry-by-role.ts";

/**
 * `doubted`: shown as approved, although the gateway says that it reversed it (900.100.301). `unproven`: a row may be
 * the request's, the list be cut off, or a link still payable. `different`: another booking is shown, not the approved
 * one.
 */
export type Booking = "none" | "booked" | "undecided" | "doubted" | "refused" | "unproven" | "different";

/**
 * `itself`: the gateway reversed it (900.100.301). `unseen`: reversed before a query showed it standing. `undecided`:
 * an RV is refused, but an earlier one may still go through.
 */
export type Undone = "no" | "part" | "whole" | "itself" | "unseen" | "undecided" | "refused" | "rest-refused";

export type Age = "young" | "past-window" | "past-a-day";

export type Action = "wait" | "adopt" | "reverse" | "refund" | "post-again" | "close" | "operator";

/**
 * `wanted: false`: the booking must not stand, because the payment failed or has another booking. An approved PA or DB
 * is then reversed, not adopted.
 */
export interface Evidence {
  readonly purpose: Purpose;
  readonly wanted: boolean;
  readonly heard: Heard;
  readonly booking: Booking;
  readonly undone: Undone;
  readonly age: Age;
}

type Column<K extends keyof Evidence> = Evidence[K] | readonly Evidence[K][];

export type Row = { readonly [K in keyof Evidence]?: Column<K> } & { readonly do: Action; readonly because: string };

const REVERSIBLE: readonly Purpose[] = ["reserving", "debiting", "storing", "capturing"];
const GIVING: readonly Purpose[] = ["crediting", "refunding"];
const OWED: readonly Purpose[] = ["settling", "returning"];
const REPEATED: readonly Purpose[] = ["capturing", "refunding", ...OWED, "reversing"];
const SILENCE: readonly Heard[] = ["nothing", "nothing-left", "unavailable"];
const OLD: readonly Age[] = ["past-window", "past-a-day"];
const STANDS: readonly Heard[] = ["approved", "unsure"];
const GONE: readonly Undone[] = ["whole", "itself", "unseen"];
const REFUSED: readonly Undone[] = ["refused", "rest-refused"];

/**
 * The first row that fits wins; a missing column fits anything. If none fits, an operator decides: a guess could move
 * money twice.
 */
export const ROWS: readonly Row[] = [
  { purpose: "voiding", undone: GONE, do: "adopt", because: "The booking is reversed: the void is done." },
  { purpose: "voiding", undone: ["no", "part"], do: "reverse", because: "Reversing again is safe: the second one finds nothing left." },
  { purpose: "voiding", undone: "undecided", do: "wait", because: "A refusal is no proof while an earlier try may go through." },
  { purpose: "voiding", undone: "refused", do: "close", because: "The gateway does not reverse it: the void has failed." },
  { purpose: "voiding", undone: "rest-refused", do: "operator", because: "A part is reversed, and the rest is refused." },
  { purpose: [...OWED, "reversing"], undone: "itself", do: "post-again", because: "The gateway reversed it itself: it is still owed." },
  { purpose: ["returning", "reversing"], undone: "unseen", do: "post-again", because: "It was reversed before it counted: it is still owed." },
  { purpose: OWED, undone: ["whole", "unseen"], do: "operator", because: "Somebody reversed it, perhaps with a reason." },
  { undone: GONE, do: "close", because: "Its reversal is shown: nothing of it stands." },
  { heard: SILENCE, booking: ["booked", "refused"], do: "adopt", because: "A query shows what became of it." },
  { purpose: "reversing", heard: SILENCE, do: "post-again", because: "Reversing again is safe: the second one finds nothing left." },
  { purpose: REVERSIBLE, heard: SILENCE, booking: "doubted", age: OLD, do: "adopt", because: "Reversing it once more is right either way." },
  { heard: SILENCE, booking: "doubted", age: "past-a-day", do: "adopt", because: "Its reversal would show by now." },
  { heard: SILENCE, booking: ["undecided", "unproven"], age: "past-a-day", do: "operator", because: "The gateway has not decided it for a day." },
  { heard: SILENCE, booking: ["undecided", "unproven", "doubted"], do: "wait", because: "The gateway may still decide it." },
  { purpose: REPEATED, heard: "unavailable", booking: "none", age: OLD, do: "post-again", because: "The gateway was not available, and nothing arrived." },
  { purpose: REPEATED, heard: "unavailable", booking: "none", do: "wait", because: "A second request waits until the first cannot arrive." },
  { heard: "unavailable", booking: "none", do: "close", because: "Not available, and a query shows nothing: it was not sent." },
  { heard: SILENCE, booking: "none", age: "young", do: "wait", because: "Not there is no proof before the unknown window has passed." },
  { purpose: "settling", heard: "nothing-left", booking: "none", do: "operator", because: "Nothing is left to capture, and no capture of ours shows." },
  { purpose: OWED, heard: SILENCE, booking: "none", do: "post-again", because: "A second one could not be booked beside the first." },
  { heard: SILENCE, booking: "none", do: "close", because: "Nothing shows. Late looks follow after 1, 24 and 72 hours." },
  // A definite answer is believed: the bridge sends each request once, so there is no second outcome (decision 5).
  { purpose: [...OWED, "reversing"], heard: ["refused", "unsent"], booking: "booked", do: "adopt", because: "A query shows it carried out after all." },
  { purpose: "reversing", heard: ["refused", "unsent", "unsure"], do: "post-again", because: "Reversing again is safe, ever more seldom." },
  { purpose: REPEATED, heard: "unsent", do: "post-again", because: "Nothing went to the acquirer." },
  { purpose: OWED, heard: ["refused", "unsure"], do: "operator", because: "A capture or a refund is owed, and it is refused or unclear." },
  { heard: ["refused", "unsent"], do: "close", because: "A definite answer is believed." },
  { wanted: true, heard: "approved", booking: "different", do: "operator", because: "The one shown may be the real one: do not reverse it." },
  { wanted: true, heard: "approved", do: "adopt", because: "A definite answer is believed." },
  { purpose: [...OWED, "reversing"], heard: "approved", do: "adopt", because: "A definite answer is believed." },
  { purpose: GIVING, heard: STANDS, do: "operator", because: "Money given to a customer is not taken back unasked." },
  { purpose: REVERSIBLE, heard: STANDS, undone: ["no", "part"], do: "reverse", because: "The payment is not approved: nothing of it may stand." },
  { purpose: REVERSIBLE, heard: STANDS, undone: "undecided", do: "wait", because: "An earlier try may still go through: a refund would give twice." },
  { purpose: ["debiting", "capturing"], heard: STANDS, undone: REFUSED, do: "refund", because: "Captured money that is reversed no more is refunded." },
];

export function actionFor(evidence: Evidence): Action {
  return ROWS.find((row) => fits(row, evidence))?.do ?? "operator";
}

export function fits(row: Row, { purpose, wanted, heard, booking, undone, age }: Evidence): boolean {
  const first = isIn(row.purpose, purpose) && isIn(row.wanted, wanted) && isIn(row.heard, heard);
  return first && isIn(row.booking, booking) && isIn(row.undone, undone) && isIn(row.age, age);
}

function isIn<T extends string | boolean>(column: T | readonly T[] | undefined, value: T): boolean {
  return column === undefined || column === value || (typeof column === "object" && column.includes(value));
}
