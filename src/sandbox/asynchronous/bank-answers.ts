import { asynchronousMethodOf } from "./methods.ts";
import type { Answer, Waiting } from "./waiting.ts";

/** What can be said at the page of an asynchronous brand. */
export const bankAnswers = ["yes", "no", "no-funds", "cancel", "later-yes", "later-no", "leave"] as const;
export type BankAnswer = (typeof bankAnswers)[number];

const DAY_MS = 86_400_000;
/** How long the money of an answer that is "later" takes. */
export const LATER_DAYS = 3;
/** Waits for days: the merchant treats it as denied until then. */
const SLOW_PAYMENT = "800.400.500";

const REFUSED_BY_BANK = "800.100.152";
const NO_FUNDS = "800.100.155";
const CANCELLED = "100.396.101";
const REFUSED_LATER = "100.397.102";

/** What an answer makes of the payment; undefined: nothing, he went away and may come back until it lapses. */
export function outcomeOfAnswer(answer: BankAnswer, { ifYes, brand }: Pick<Waiting, "ifYes" | "brand">): Answer | undefined {
  const later = { resultCode: SLOW_PAYMENT, forMs: LATER_DAYS * DAY_MS };
  switch (answer) {
    case "yes":
      // Nobody can tell at once that somebody will pay at a counter.
      return asynchronousMethodOf(brand)?.kind === "voucher" ? { ...ifYes, interim: later } : ifYes;
    case "no":
      return { resultCode: REFUSED_BY_BANK };
    case "no-funds":
      return { resultCode: NO_FUNDS };
    case "cancel":
      return { resultCode: CANCELLED };
    case "later-yes":
      return { ...ifYes, interim: later };
    case "later-no":
      return { resultCode: REFUSED_LATER, interim: later };
    case "leave":
      return undefined;
  }
}

/** Any other text is no answer. */
export function bankAnswerOf(text: string | undefined): BankAnswer | undefined {
  return bankAnswers.find((answer) => answer === text);
}
