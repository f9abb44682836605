/**
 * A cursor is a whole number as text, so that registers can compare cursors. Up to nine digits: a fact's number,
 * without signature (earlier bridges). From ten digits on: the number plus one, then nine digits of signature
 * (journal/signed-cursor.ts).
 */
const CURSOR = /^(0|[1-9][0-9]{0,24})$/;
const TAIL_DIGITS = 9;

export type CursorParts = { readonly number: number } | { readonly number: number; readonly tail: string };

/** Undefined: the text is no cursor. */
export function partsOfCursor(cursor: string): CursorParts | undefined {
  if (!CURSOR.test(cursor)) return undefined;
  const number = Number(cursor.slice(0, -TAIL_DIGITS) || "0");
  if (number === 0) return { number: Number(cursor) };
  return Number.isSafeInteger(number) ? { number: number - 1, tail: cursor.slice(-TAIL_DIGITS) } : undefined;
}

/** The number of the fact before the cursor; NaN if the text is no cursor. */
export function positionOf(cursor: string): number {
  return partsOfCursor(cursor)?.number ?? Number.NaN;
}

/** `tail`: nine digits. */
export function joinCursor(number: number, tail: string): string {
  return `${number + 1}${tail}`;
}
