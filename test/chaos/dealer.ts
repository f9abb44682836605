import { type Plan, sizeOf } from "./plan.ts";
import type { Terminal } from "./terminals.ts";

/**
 * Hands the customers out to the tills, each to one that can show what he brings, until as many payments were made as
 * were ordered.
 */
export interface Dealer {
  /** The next customer for that till, or undefined when its day is over. */
  next(terminal: Till): Plan | undefined;
  /** He has gone, and so many payments came of it. */
  served(plan: Plan, made: number): void;
}

type Till = Pick<Terminal, "isOdd" | "isSingleMessage" | "isShopChannel" | "wallet">;

/** `oneMore`: a customer with one payment, who comes where a follow-up had nothing to follow. */
export function createDealer(plans: readonly Plan[], payments: number, oneMore: (number: number) => Plan): Dealer {
  const waiting = [...plans];
  let [dealt, made, underWay] = [plans.length, 0, 0];
  return {
    next: (terminal) => {
      // What only few tills can show comes to them first, or they would have it all to themselves in the end.
      const rare = terminal.isShopChannel
        ? waiting.findIndex((plan) => plan.place === "shop-channel" && fits(plan, terminal))
        : -1;
      const at = rare >= 0 ? rare : waiting.findIndex((plan) => fits(plan, terminal));
      const [first] = at < 0 ? [] : waiting.splice(at, 1);
      const isShort = waiting.length === 0 && made + underWay < payments;
      const plan = first ?? (isShort ? oneMore(++dealt) : undefined);
      if (plan !== undefined) underWay += sizeOf(plan);
      return plan;
    },
    served: (plan, count) => {
      underWay -= sizeOf(plan);
      made += count;
    },
  };
}

function fits({ place, card }: Plan, { isOdd, isSingleMessage, isShopChannel, wallet }: Till): boolean {
  if (card === "refusing" && wallet.refusing === undefined) return false;
  switch (place) {
    case "anywhere":
      return true;
    case "steady":
      return !isOdd;
    case "reserving":
      return !isOdd && !isSingleMessage;
    case "shop-channel":
      return isShopChannel;
  }
}
