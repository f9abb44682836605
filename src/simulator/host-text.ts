import type { Panel } from "./panel.ts";

/** Words that tell a person to act; other text is only displayed. */
const ASKS_FOR_CARD = /\b(insert|present|tap)\b/i;
const ASKS_FOR_MAGSTRIPE = /\bswipe\b/i;
const ASKS_FOR_REMOVAL = /\b(remove|take)\b/i;

/**
 * Shows the host's lines; the person follows their words. A card is wanted only while the text asks; an inserted card
 * stays until the text asks for removal.
 */
export function showHostText(panel: Panel, lines: readonly string[]): void {
  panel.show(lines);
  const text = lines.join(" ");
  const isEmpty = panel.card() === undefined;
  if (ASKS_FOR_REMOVAL.test(text)) panel.wishFor(isEmpty ? undefined : "removal");
  else if (isEmpty)
    panel.wishFor(ASKS_FOR_CARD.test(text) ? "card" : ASKS_FOR_MAGSTRIPE.test(text) ? "swipe" : undefined);
}
