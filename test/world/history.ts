/** Who says a line of the history. */
export type Voice = "register" | "bridge" | "terminal" | "card" | "gateway" | "journal" | "trouble" | "checker";

/** What happened in a world, for people. Lines are made only where somebody wants to read them. */
export interface History {
  note(voice: Voice, text: () => string): void;
  lines(): readonly string[];
}

export const noHistory: History = { note: () => undefined, lines: () => [] };

/** `monotonic`: milliseconds of the world. */
export function recordHistory(monotonic: () => number): History {
  const lines: string[] = [];
  return {
    note: (voice, text) => void lines.push(`${timeOf(monotonic())}  ${voice.padEnd(8)}  ${text()}`),
    lines: () => lines,
  };
}

/** 1 h 02:03.456 */
function timeOf(ms: number): string {
  const [hours, minutes, seconds] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, (ms % 60_000) / 1000];
  return `${String(hours).padStart(2)} h ${String(minutes).padStart(2, "0")}:${seconds.toFixed(3).padStart(6, "0")}`;
}
