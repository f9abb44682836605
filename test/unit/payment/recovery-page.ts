import { ROWS, type Row } from "../../../src/payment/recovery/decision-table.ts";

const COLUMNS = ["purpose", "wanted", "heard", "booking", "undone", "age"] as const;

function cell(value: Row[(typeof COLUMNS)[number]]): string {
  if (value === undefined) return "";
  const all = typeof value === "object" ? value : [value];
  return all.map((one) => (typeof one === "boolean" ? (one ? "yes" : "no") : one)).join(", ");
}

/** docs/recovery.md: what the words mean, and every row of the table. */
export function recoveryPage(): string {
  const rows = ROWS.map(
    (row, at) =>
      `| ${at + 1} | ${COLUMNS.map((column) => cell(row[column])).join(" | ")} | ${row.do} | ${row.because} |`,
  );
  return `${HEAD}
| | purpose | wanted | heard | booking | undone | age | action | because |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

const HEAD = `<!-- Written by npm run recovery-page from src/payment/recovery/decision-table.ts. -->
# Recovery

What the bridge does when it does not know what became of a request, or when a booking must not stand. It collects evidence, takes the first row below that fits, and does what
the row says. An empty cell fits anything. Where no row fits, an operator decides.

A definite answer is believed: the bridge sends a request once. Only silence is looked into: no answer, half an answer, one that the gateway itself calls uncertain, and a refusal
that names a duplicate or a replay. A request that something else delivered twice is found by \`posbridge reconcile\`.

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
| | nothing-left | too little is left of the original, which an earlier try may have taken |
| | unsure | the gateway tried to reverse it and does not know whether it stands (000.400.030) |
| | approved, refused | a definite answer |
| | unsent | nothing went to the acquirer, or not yet |
| | unavailable | the gateway says that it cannot work (900.100.600 and its like) |
| booking | none | queries show nothing under the request's name |
| | booked, refused | its row |
| | undecided | pending or uncertain, or beside a reversal that is |
| | doubted | shown as if it stood, after the gateway said that it reversed it (900.100.301) |
| | unproven | something without a name may be it, or the list may be cut off |
| | different | another booking than was approved, and that one is not shown |
| undone | no, part, whole | what reversals have taken back |
| | itself | the gateway reversed it, by its own word |
| | unseen | it was reversed when a query first showed it |
| | undecided | a reversal was refused, and an earlier try may still go through |
| | refused, rest-refused | the gateway reverses it no more; a part may be reversed |
| age | young, past-window, past-a-day | for how long it has been so: \`unknownWindowMs\`, and 25 hours |

## The actions

| action | what happens |
|---|---|
| wait | queries go on: at once, after 30 s, 1, 2 and 4 minutes, every 5 minutes, after two hours every hour |
| adopt | what was heard or shown is the outcome |
| reverse | a reversal is sent (a deletion for a stored card), again after 5, 15 and 30 s and ever more seldom |
| refund | the money is refunded instead |
| post-again | the request is sent again, after the same times |
| close | nothing stands. What was only never shown is looked for again after 1, 24 and 72 hours; a late booking is reversed, or told |
| operator | an alarm, and a line in \`payments list --open\`; queries go on every hour. Your decision ends it: [closing one by hand](payments.md#closing-one-by-hand) |

## The table
`;
