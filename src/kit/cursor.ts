/**
 * A cursor is a whole number as text, so that registers may compare cursors as numbers and keep the highest. Up to nine digits: the number of a fact, as bridges told it before they
 * signed cursors. From ten digits on: the number of the fact plus one, and nine digits that only the bridge can make (journal/signed-cursor.ts).
 */
const CURSOR = /^(0|[1-9][0-9]{0,24})$/;
const TAIL_DIGITS = 9;

export type CursorParts = { readonly number: number } | { readonly number: number; readonly tail: string };

/** Undefined where the text is no cursor. */
export function partsOfCursor(cursor: string): CursorParts | undefined {
  if (!CURSOR.test(cursor)) return undefined;
  const number = Number(cursor.slice(0, -TAIL_DIGITS) || "0");
  if (number === 0) return { number: Number(cursor) };
  return Number.isSafeInteger(number) ? { number: number - 1, tail: cursor.slice(-TAIL_DIGITS) } : undefined;
}

/** The fact that a cursor stands behind; NaN where the text is no cursor. */
export function positionOf(cursor: string): number {
  return partsOfCursor(cursor)?.number ?? Number.NaN;
}

/** `tail`: nine digits. */
export function joinCursor(number: number, tail: string): string {
  return `${number + 1}${tail}`;
}
