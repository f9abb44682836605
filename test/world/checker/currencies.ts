import { decimalsOf, HOME, minorOf } from "./money.ts";
import type { Rule } from "./rule.ts";

/** What takes money, or gives it, by a request of its own. */
const WHOLE: readonly string[] = ["PA", "DB", "CD"];

/**
 * Money stays in its currency, and is written with that one's decimals, on the whole way from the register to the
 * ledger (contract, section 3).
 */
export const currencyIsKept: Rule = {
  rule: "currency-is-kept",
  broken: ({ asked: { currency = HOME, amount, of }, told, posts, rows, cardAskedIn }) => {
    const text = `${currency} ${decimalsOf(currency)}`;
    if (told !== undefined && decimalsOf(currency) === 3) return `accepted in ${currency}, which has three decimals`;
    if (told?.currency !== undefined && told.currency !== currency)
      return `told in ${told.currency}, and ${currency} was asked for`;
    if (cardAskedIn !== undefined && cardAskedIn !== text)
      return `the card was asked for money in ${cardAskedIn}, not ${text}`;
    const strange = rows.find((row) => row.currency !== undefined && row.currency !== currency);
    if (strange !== undefined)
      return `the ledger holds ${strange.type} in ${strange.currency}, and ${currency} was asked for`;
    const wrong = posts.find(({ type, money }) => {
      if (money === undefined) return false;
      const minor = minorOf(money.amount, currency);
      return money.currency !== currency || !(of === undefined && WHOLE.includes(type) ? minor === amount : minor > 0);
    });
    return (
      wrong?.money &&
      `${wrong.type} was posted over ${wrong.money.amount} ${wrong.money.currency} for ${amount} of the smallest unit of ${currency}`
    );
  },
};
