import { HOME, textOf } from "./money.ts";
import type { Rule } from "./rule.ts";
import { money } from "./rules.ts";

/**
 * A tip is part of the amount (contract, section 3), whatever it is: it changes nothing of what is booked. What is
 * booked is judged by the amount alone.
 */
export const tipIsPartOfAmount: Rule = {
  rule: "tip-is-part-of-amount",
  broken: ({ asked, told }) => {
    if (told === undefined) return undefined;
    if (asked.tip !== undefined && asked.tip > asked.amount)
      return `accepted with a tip of ${money(asked.tip)} in ${money(asked.amount)}`;
    if (told.tip !== asked.tip)
      return `told a tip of ${told.tip ?? "nothing"}, and ${asked.tip ?? "none"} was asked for`;
    return asked.tip !== undefined && told.amount !== asked.amount
      ? `told an amount of ${money(told.amount ?? 0)} for ${money(asked.amount)}`
      : undefined;
  },
};

/** The customer reads what he gave, but not of a part: nobody knows how much of that is the tip. */
export const tipIsPrinted: Rule = {
  rule: "tip-is-printed",
  broken: ({ asked, told, receipt }) => {
    if (receipt === undefined || told?.decision !== "approved") return undefined;
    const isWhole = told.approvedAmount === asked.amount;
    const wanted =
      asked.tip === undefined || !isWhole
        ? undefined
        : `${textOf(asked.tip, asked.currency)} ${asked.currency ?? HOME}`;
    return receipt.get("tip") === wanted
      ? undefined
      : `the receipt names a tip of ${receipt.get("tip") ?? "nothing"} instead of ${wanted ?? "none"}`;
  },
};
