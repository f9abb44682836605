import { isCardPresent, type Payment } from "../../payment/state.ts";
import { type Prompt, stateOf } from "../../payment/view.ts";

/** The prompt that is told together with a change: one that fits the new state, although the terminal has not said its next word yet. */
export function promptAfter(before: Payment, after: Payment, prompt: Prompt | undefined, isCardIn: boolean): Prompt | undefined {
  // What needs no card has no customer to look at anything.
  if (!isCardPresent(after.accepted)) return undefined;
  const isDecided = after.concluded !== undefined || after.ending !== undefined;
  // A terminal that it never had, or has given back, shows nothing of it, however long it is still looked for.
  if (isDecided && !after.leased) return undefined;
  if (isDecided) return hasMovedOn(before, after) ? endPrompt(after, isCardIn) : prompt;
  return stateOf(after) === "AUTHORIZING" && stateOf(before) !== "AUTHORIZING" ? { code: "PROCESSING" } : prompt;
}

/** It was decided just now, or its terminal has come to its end. */
function hasMovedOn(before: Payment, after: Payment): boolean {
  const wasDecided = before.concluded !== undefined || before.ending !== undefined;
  return !wasDecided || (before.terminal.at !== "over" && after.terminal.at === "over");
}

/** As release.ts shows it: a card is asked out once its terminal is through with it. */
function endPrompt({ ending, terminal }: Payment, isCardIn: boolean): Prompt {
  const code = ending === undefined ? "APPROVED" : "NOT_APPROVED";
  return isCardIn && terminal.at === "over" ? { code, removeCard: true } : { code };
}
