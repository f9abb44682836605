/** The views of the till. Each has an address of its own behind the #. */
export const TABS = [
  { tab: "sell", name: "Payment", hash: "#/" },
  { tab: "history", name: "History", hash: "#/history" },
  { tab: "totals", name: "Totals", hash: "#/totals" },
] as const;
export type Tab = (typeof TABS)[number]["tab"];

/** Where the address names no view, it is the pad. */
export function tabOf(hash: string): Tab {
  return TABS.find((each) => each.hash === hash)?.tab ?? "sell";
}
