import { type Evidence, fits, ROWS, type Row } from "../../../src/payment/recovery/decision-table.ts";

const COLUMNS = ["purpose", "wanted", "heard", "booking", "undone", "age"] as const;

const WORDS = {
  purpose: [
    ...["reserving", "debiting", "crediting", "storing", "capturing"],
    ...["refunding", "settling", "returning", "reversing", "voiding"],
  ],
  wanted: [true, false],
  heard: ["nothing", "nothing-left", "unsure", "approved", "refused", "unsent", "unavailable"],
  booking: ["none", "booked", "undecided", "doubted", "refused", "unproven", "different"],
  undone: ["no", "part", "whole", "itself", "unseen", "undecided", "refused", "rest-refused"],
  age: ["young", "past-window", "past-a-day"],
} as const;

type Words = { readonly [K in keyof Evidence]?: readonly Evidence[K][] };

const REQUESTS = WORDS.purpose.filter((purpose) => purpose !== "voiding");
const REVERSIBLE = ["reserving", "debiting", "storing", "capturing"] as const;
const TRIED = ["no", "part", "whole", "undecided", "refused", "rest-refused"] as const;

/** The evidence with which the code asks the table. A missing column may have any word. */
const ASKED: readonly Words[] = [
  // evidence.ts: after a query, and for the next step of a request.
  { purpose: REQUESTS, wanted: [true], booking: WORDS.booking.slice(0, 6), undone: ["no"] },
  {
    ...{ purpose: REQUESTS, wanted: [true], booking: ["none", "booked", "undecided"] },
    ...{ undone: ["no", "whole", "itself", "unseen"], age: ["young", "past-window"] },
  },
  // reversal.ts: a booking that must not stand.
  {
    ...{ purpose: REVERSIBLE, wanted: [false], heard: ["approved"], booking: ["booked"] },
    ...{ undone: TRIED, age: ["young"] },
  },
  // surplus-reversal.ts: a booking that is shown in place of the approved one.
  { purpose: REVERSIBLE, heard: ["approved"], booking: ["different"], undone: ["no"], age: ["young"] },
  // void.ts
  {
    ...{ purpose: ["voiding"], wanted: [true], heard: ["nothing"], booking: ["booked"] },
    ...{ undone: TRIED, age: ["young"] },
  },
];

function has<T>(words: readonly T[] | undefined, word: T): boolean {
  return words === undefined || words.includes(word);
}

/** Whether the code may ask the table with this evidence. */
export function isAsked({ purpose, wanted, heard, booking, undone, age }: Evidence): boolean {
  // A request that takes only a part of its original has another word: refused.
  if (heard === "nothing-left" && purpose !== "settling" && purpose !== "returning") return false;
  return ASKED.some(
    (one) =>
      has(one.purpose, purpose) &&
      has(one.wanted, wanted) &&
      has(one.heard, heard) &&
      has(one.booking, booking) &&
      has(one.undone, undone) &&
      has(one.age, age),
  );
}

export const EVERY_EVIDENCE: readonly Evidence[] = WORDS.purpose.flatMap((purpose) =>
  WORDS.wanted.flatMap((wanted) =>
    WORDS.heard.flatMap((heard) =>
      WORDS.booking.flatMap((booking) =>
        WORDS.undone.flatMap((undone) => WORDS.age.map((age) => ({ purpose, wanted, heard, booking, undone, age }))),
      ),
    ),
  ),
);

/** A word that leads to this row in no evidence is struck out. */
function cell(
  column: (typeof COLUMNS)[number],
  value: Row[(typeof COLUMNS)[number]],
  met: readonly Evidence[],
): string {
  if (value === undefined) return "";
  const all = typeof value === "object" ? value : [value];
  return all
    .map((one) => {
      const word = typeof one === "boolean" ? (one ? "yes" : "no") : one;
      return met.some((evidence) => evidence[column] === one) ? word : `~~${word}~~`;
    })
    .join(", ");
}

/** docs/recovery.md: what the words mean, and every row of the table. */
export function recoveryPage(): string {
  const met = Map.groupBy(EVERY_EVIDENCE.filter(isAsked), (one) => ROWS.findIndex((row) => fits(row, one)));
  const rows = ROWS.map((row, at) => {
    const cells = COLUMNS.map((column) => cell(column, row[column], met.get(at) ?? []));
    return `| ${at + 1} | ${cells.join(" | ")} | ${row.do} | ${row.because} |`;
  });
  return `${HEAD}
| | purpose | wanted | heard | booking | undone | age | action | because |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}

${TAIL}`;
}

const HEAD = `<!-- Written by npm run recovery-page from src/payment/recovery/decision-table.ts. -->
# Recovery

The bridge uses this table when it does not know what became of a request, or when a booking must not stand. It collects
evidence, takes the first row that fits, and does what the row says. An empty cell fits anything. If no row fits, an
operator decides.

The bridge sends each request once and believes a definite answer. It looks further only after silence: no answer, an
unreadable one, one that the gateway itself calls uncertain, or a refusal that names a duplicate or a replay. If
something else delivered a request twice, \`posbridge reconcile\` finds it.

## The evidence

| column | word | meaning |
|---|---|---|
| purpose | reserving | a preauthorization (PA), or its increment |
| | debiting | a debit (DB) |
| | capturing | a capture that a register asked for (CP) |
| | settling | a sale's own capture (CP) |
| | crediting, refunding | money to a customer: CD, RF |
| | returning | a refund in place of a reversal that is refused (RF) |
| | storing | a card's registration (RG) |
| | reversing | one reversal or deletion (RV, DR) |
| | voiding | a register's void, all its reversals together |
| wanted | yes, no | whether the payment may still be approved by it |
| heard | nothing | no definite answer |
| | nothing-left | refused, because too little is left of the original. An earlier try may have taken it |
| | unsure | the gateway tried to reverse it and does not know whether it stands (000.400.030) |
| | approved, refused | a definite answer |
| | unsent | the acquirer got nothing so far |
| | unavailable | the gateway says that it cannot work (900.100.600 and its like) |
| booking | none | queries show nothing under the request's name, or of an expired link only declined cards |
| | booked, refused | a query shows the request's own row |
| | undecided | the booking, or a reversal of it, is pending or uncertain |
| | doubted | a query shows it standing, although the gateway said that it reversed it (900.100.301) |
| | unproven | a row without a name may be the booking, the list may be cut off, or a link may still be paid |
| | different | a query shows another booking, but not the approved one |
| undone | no, part, whole | how much reversals have undone |
| | itself | the gateway says that it reversed the booking itself |
| | unseen | the booking was already reversed when a query first showed it |
| | undecided | a reversal was refused, but an earlier try may still go through |
| | refused, rest-refused | the gateway refuses the reversal for good; with rest-refused a part is reversed |
| age | young, past-window, past-a-day | for how long this has been so. The limits are \`unknownWindowMs\` and 25 hours |

## The actions

| action | what happens |
|---|---|
| wait | the bridge queries at once, after 30 s, 1, 2 and 4 minutes, then every 5 minutes, after two hours every hour |
| adopt | the answer, or the booking that a query shows, is the outcome |
| reverse | the bridge sends a reversal (for a stored card a deletion), again after 5, 15 and 30 s, then ever more seldom |
| refund | the bridge refunds the money instead of reversing it |
| post-again | the bridge sends the request again, after the same times |
| close | nothing stands. If this rests on empty queries alone, the bridge queries again after 1, 24 and 72 hours; it reverses a late booking, or tells an operator |
| operator | an alarm, and a line in \`payments list --open\`; queries go on every hour. Your decision ends it: [closing one by hand](payments.md#closing-one-by-hand) |

## The table

A struck-out word never leads to its row: an earlier row takes it, or the bridge never asks so. \`wanted\` is "no" only
for a booking that the bridge has decided to reverse.
`;

const TAIL = `## Two rows that look careless

**Row 18: one empty answer closes a debit (DB) or credit (CD) after 900.100.600, without late queries.** The gateway has
answered: it could not reach the acquirer, so nothing was booked. The query only checks that statement, and the customer
waits for it at the till. The bridge never sends such a request again, so nothing can be booked twice by the bridge. If
the gateway booked it nevertheless, \`posbridge reconcile\` shows it.

**Row 16: a register's capture or refund is sent again after 900.100.600, but not after plain silence (row 22).** After
900.100.600 two things say that nothing was booked: the gateway's answer, and empty queries for the whole unknown window.
After silence only the queries say so. If both are wrong, a partial capture or refund is booked twice. The bridge does
not query for the first request any more; \`posbridge reconcile\` shows both bookings.
`;
