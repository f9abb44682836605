/** What a run measures besides the rows of one group takes most of its time, so a group is measured as a whole. */
export const groups = ["sales", "many", "sockets", "history", "pure"] as const;
export type Group = (typeof groups)[number];

export interface Row {
  readonly id: string;
  readonly title: string;
  readonly unit: "ms" | "MB" | "kB" | "us" | "/s" | "lines" | "bytes";
  readonly group: Group;
  /** What stands beside the bridge. */
  readonly beside: "bare script" | "1,000 payments" | "plain function" | "nothing";
  readonly better: "lower" | "higher";
  /** Values are shown divided by it. */
  readonly per?: number;
}

const low = { better: "lower" } as const;
const sale = { ...low, group: "sales", beside: "bare script" } as const;
const history = { ...low, group: "history", beside: "1,000 payments" } as const;
const pure = { ...low, group: "pure", beside: "plain function", unit: "us" } as const;

export const rows: readonly Row[] = [
  { ...sale, id: "sale-own", title: "own time in a sale: card's data to POST, and reply to card", unit: "ms" },
  { ...sale, id: "sale-start", title: "payment.start to AWAITING_CARD", unit: "ms" },
  { ...sale, id: "sale-final", title: "last answer of the card to FINAL", unit: "ms" },
  { ...sale, id: "sale-whole", title: "a whole sale, the customer takes no time", unit: "ms" },
  { ...sale, id: "sale-written", title: "written to the database's log in a sale", unit: "kB", per: 1_000 },
  {
    ...{ id: "many-rate", title: "sales a second, all terminals hurried", unit: "/s", group: "many" },
    ...{ beside: "bare script", better: "higher" },
  },
  { ...low, id: "log-lost", title: "log lines lost meanwhile", unit: "lines", group: "many", beside: "nothing" },
  {
    ...{ ...low, id: "event-many", title: "card's last answer to FINAL at the last of 60 sockets", unit: "ms" },
    ...{ group: "sockets", beside: "bare script" },
  },
  { ...history, id: "start", title: "start to ready", unit: "ms" },
  { ...history, id: "memory", title: "memory after the start", unit: "MB" },
  { ...history, id: "list-own", title: "payment.list, 50 of the register's own", unit: "ms" },
  { ...history, id: "list-all", title: "payment.list, 50 with payments:all", unit: "ms" },
  { ...history, id: "totals-own", title: "totals.get, a day of 1,000 payments, own", unit: "ms" },
  { ...history, id: "totals-all", title: "totals.get, the same with payments:all", unit: "ms" },
  { ...history, id: "other-till", title: "longest wait of another till meanwhile", unit: "ms" },
  { ...history, id: "get", title: "payment.get", unit: "ms" },
  { ...history, id: "start-call", title: "payment.start", unit: "ms" },
  { ...history, id: "show", title: "payments show, beside a running bridge", unit: "ms" },
  { ...history, id: "list-command", title: "payments list, beside a running bridge", unit: "ms" },
  { ...history, id: "export", title: "payments export, beside a running bridge", unit: "ms" },
  { ...history, id: "journal-bytes", title: "journal, a payment", unit: "kB", per: 1_000 },
  { ...pure, id: "tlv-parse", title: "TLV, parse a chip's data" },
  { ...pure, id: "tlv-build", title: "TLV, build it" },
  { ...pure, id: "form", title: "checked form of a reservation (beside URLSearchParams)" },
  { ...pure, id: "verdict", title: "verdict of a reply (beside JSON.parse)" },
];

export const rowNamed = (id: string): Row | undefined => rows.find((row) => row.id === id);

/**
 * The most that the bridge may take, as a multiple of what stands beside it: three times what was measured when the
 * limit was written. Only gross mistakes are found, on whatever machine.
 */
export const GROSS: Readonly<Record<string, number>> = {
  "sale-own": 6,
  "sale-start": 8.5,
  "sale-final": 6,
  "sale-whole": 6,
  "sale-written": 7.5,
  "many-rate": 6,
  "tlv-parse": 12,
  "tlv-build": 6,
  form: 12,
  verdict: 36,
};
