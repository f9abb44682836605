import { UsageProblem } from "./terminal-output.ts";

/** Letters, digits, marks, punctuation, symbols and spaces of any script: no line breaks, no control characters. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u;
export const MAX_REASON = 500;

/**
 * Checks an operator's text, which is kept for ever: throws a UsageProblem for a wrong length, wrong characters or a
 * card number.
 */
export async function requireText(what: string, text: string, most: number): Promise<void> {
  const { holdsCardNumber } = await import("../kit/card-number.ts");
  const isText = [...text].length <= most && PRINTABLE.test(text) && text.trim() === text;
  if (!isText) throw new UsageProblem(`${what}: use 1 to ${most} printable characters, without a space at either end`);
  if (holdsCardNumber(text)) throw new UsageProblem(`${what}: holds a card number, which is never kept; leave it out`);
}
