import { asynchronousMethodOf } from "./methods.ts";
import type { Answer, Waiting } from "./waiting.ts";

/** The shopper's choices at the page of an asynchronous brand. */
export const bankAnswers = ["yes", "no", "no-funds", "cancel", "later-yes", "later-no", "leave"] as const;
export type BankAnswer = (typeof bankAnswers)[number];

const DAY_MS = 86_400_000;
/** Days until the money of a "later" answer arrives. */
export const LATER_DAYS = 3;
/** Pending for days; the merchant treats the payment as denied until then. */
const SLOW_PAYMENT = "800.400.500";

const REFUSED_BY_BANK = "800.100.152";
const NO_FUNDS = "800.100.155";
const CANCELLED = "100.396.101";
const REFUSED_LATER = "100.397.102";

/** Undefined: the shopper left without an answer and may return until the payment lapses. */
export function outcomeOfAnswer(
  answer: BankAnswer,
  { ifYes, brand }: Pick<Waiting, "ifYes" | "brand">,
): Answer | undefined {
  const later = { resultCode: SLOW_PAYMENT, forMs: LATER_DAYS * DAY_MS };
  switch (answer) {
    case "yes":
      // A payment at a counter takes days to confirm.
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

/** Undefined: the text is no answer. */
export function bankAnswerOf(text: string | undefined): BankAnswer | undefined {
  return bankAnswers.find((answer) => answer === text);
}
