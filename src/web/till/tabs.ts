/** The till's views; each has its own address after #. */
export const TABS = [
  { tab: "sell", name: "Payment", hash: "#/" },
  { tab: "history", name: "History", hash: "#/history" },
  { tab: "totals", name: "Totals", hash: "#/totals" },
] as const;
export type Tab = (typeof TABS)[number]["tab"];

/** Default: the pad. */
export function tabOf(hash: string): Tab {
  return TABS.find((each) => each.hash === hash)?.tab ?? "sell";
}
