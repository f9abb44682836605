import { moneyText } from "../design/money-text.ts";
import { amountTyped, padKeyOf, typed } from "./amount-pad.ts";
import { type FollowUp, minor } from "./follow-ups.ts";

/** Form of a follow-up: typed digits and their problem. `sent`: nothing more is sent from it. */
export interface FollowUpForm {
  readonly digits: string;
  readonly problem: string | undefined;
  readonly isSent: boolean;
  /** Remaining amount of the payment; undefined: not known yet. */
  readonly left: string | undefined;
}

export type FollowUpEvent =
  | { readonly is: "typed"; readonly text: string }
  | { readonly is: "left"; readonly left: string | undefined }
  | { readonly is: "press" };

/** The form's reducer for one follow-up in this currency. */
export function nextFollowUpForm(
  amount: FollowUp["amount"],
  currency: string,
): (form: FollowUpForm, event: FollowUpEvent) => FollowUpForm {
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

/** The amount to send; undefined: the whole remainder. */
export function amountOf({ digits }: FollowUpForm, currency: string): string | undefined {
  return digits === "" ? undefined : amountTyped(digits, currency);
}

function problemOf(form: FollowUpForm, amount: FollowUp["amount"], currency: string): string | undefined {
  const chosen = amountOf(form, currency);
  if (amount === "none") return undefined;
  if (chosen === undefined) return amount === "needed" ? "Type how much is added." : undefined;
  if (amount === "needed" || form.left === undefined || minor(chosen, currency) <= minor(form.left, currency))
    return undefined;
  return `Only ${moneyText(form.left, currency)} is left. Type no more than that.`;
}
