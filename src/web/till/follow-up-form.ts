import { moneyText } from "../design/money-text.ts";
import { amountTyped, padKeyOf, typed } from "./amount-pad.ts";
import { type FollowUp, minor } from "./follow-ups.ts";

/** The question of a follow-up: what was typed, and what is wrong with it. `sent`: nothing more is sent from it. */
export interface FollowUpForm {
  readonly digits: string;
  readonly problem: string | undefined;
  readonly isSent: boolean;
  /** What is left of the payment; undefined where nobody has told it yet. */
  readonly left: string | undefined;
}

export type FollowUpEvent =
  | { readonly is: "typed"; readonly text: string }
  | { readonly is: "left"; readonly left: string | undefined }
  | { readonly is: "press" };

/** For one follow-up of a payment in this currency. */
export function nextFollowUpForm(amount: FollowUp["amount"], currency: string): (form: FollowUpForm, event: FollowUpEvent) => FollowUpForm {
  return (form, event) => {
    switch (event.is) {
      case "typed": {
        const keys = [...event.text].flatMap((letter) => (/[0-9]/.test(letter) ? (padKeyOf(letter) ?? []) : []));
        return { ...form, problem: undefined, digits: keys.reduce((so, key) => typed(so, key, currency), "") };
      }
      case "left":
        return { ...form, left: event.left };
      case "press": {
        const problem = problemOf(form, amount, currency);
        return problem === undefined ? { ...form, problem, isSent: true } : { ...form, problem };
      }
    }
  };
}

/** The amount to send; undefined: all that is left. */
export function amountOf({ digits }: FollowUpForm, currency: string): string | undefined {
  return digits === "" ? undefined : amountTyped(digits, currency);
}

function problemOf(form: FollowUpForm, amount: FollowUp["amount"], currency: string): string | undefined {
  const chosen = amountOf(form, currency);
  if (amount === "none") return undefined;
  if (chosen === undefined) return amount === "needed" ? "Type how much is added." : undefined;
  if (amount === "needed" || form.left === undefined || minor(chosen, currency) <= minor(form.left, currency)) return undefined;
  return `Only ${moneyText(form.left, currency)} is left. Type no more than that.`;
}
