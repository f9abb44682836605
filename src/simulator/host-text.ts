import type { Panel } from "./panel.ts";

/** Words by which a person knows what to do; everything else on the display is for reading only. */
const ASKS_FOR_CARD = /\b(insert|present|tap)\b/i;
const ASKS_FOR_MAGSTRIPE = /\bswipe\b/i;
const ASKS_FOR_REMOVAL = /\b(remove|take)\b/i;

/**
 * Shows lines that the host draws. The person before the terminal goes by their words: a card is wanted for as long as they ask for it, and no longer; a card that is in
 * the slot stays what it was wanted for unless they ask it out.
 */
export function showHostText(panel: Panel, lines: readonly string[]): void {
  panel.show(lines);
  const text = lines.join(" ");
  const isEmpty = panel.card() === undefined;
  if (ASKS_FOR_REMOVAL.test(text)) panel.wishFor(isEmpty ? undefined : "removal");
  else if (isEmpty) panel.wishFor(ASKS_FOR_CARD.test(text) ? "card" : ASKS_FOR_MAGSTRIPE.test(text) ? "swipe" : undefined);
}
