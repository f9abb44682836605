import { isCardPresent, type Payment } from "../../payment/state.ts";
import { type Prompt, stateOf } from "../../payment/view.ts";

/** The prompt published with a change. It fits the new state, even before the terminal's next notice. */
export function promptAfter(
  before: Payment,
  after: Payment,
  prompt: Prompt | undefined,
  isCardIn: boolean,
): Prompt | undefined {
  // A card-not-present payment has no customer at a terminal.
  if (!isCardPresent(after.accepted)) return undefined;
  const isDecided = after.concluded !== undefined || after.ending !== undefined;
  // Without a terminal, a decided payment has no prompt, even while background queries go on.
  if (isDecided && !after.leased) return undefined;
  if (isDecided) return hasMovedOn(before, after) ? endPrompt(after, isCardIn) : prompt;
  return stateOf(after) === "AUTHORIZING" && stateOf(before) !== "AUTHORIZING" ? { code: "PROCESSING" } : prompt;
}

/** True if decided just now, or if the terminal's part has just ended. */
function hasMovedOn(before: Payment, after: Payment): boolean {
  const wasDecided = before.concluded !== undefined || before.ending !== undefined;
  return !wasDecided || (before.terminal.at !== "over" && after.terminal.at === "over");
}

/** Same as release.ts: the card must be removed once the terminal's part has ended. */
function endPrompt({ ending, terminal }: Payment, isCardIn: boolean): Prompt {
  const code = ending === undefined ? "APPROVED" : "NOT_APPROVED";
  return isCardIn && terminal.at === "over" ? { code, removeCard: true } : { code };
}
