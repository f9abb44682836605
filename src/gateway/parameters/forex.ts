import { chapter } from "./chapter.ts";
import { amount, currency } from "./format.ts";

export const forex = chapter("Forex", [
  ["forex.amount", amount, "conditional"],
  ["forex.currency", currency, "conditional"],
]);
