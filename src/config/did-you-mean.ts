/** Edit distance (Levenshtein): letters to insert, drop or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      next.push(
        Math.min((row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1, (row[column] ?? 0) + (letter === other ? 0 : 1)),
      );
    }
    row = next;
  }
  return row.at(-1) ?? from.length;
}

/** Longer words are no misspelled keys, and comparing them would waste time. */
const LONGEST = 64;

/**
 * The known word that was probably meant: at most a third of its letters differ, ignoring case. Undefined: none is that
 * similar.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const best = ranked[0];
  return best && best.far <= Math.max(2, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined;
}
