export interface LogLine {
  readonly at: string;
  readonly level: string;
  readonly text: string;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** From least to most severe. */
export const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
export type Level = (typeof LEVELS)[number];

export interface LogFilter {
  /** This level and more severe ones. */
  readonly from: Level;
  readonly search: string;
}

/** Lines that the page keeps. */
export const MOST_LINES = 2_000;

/** Appends newer lines and drops the oldest. */
export function withLines(lines: readonly LogLine[], more: readonly LogLine[]): readonly LogLine[] {
  return more.length === 0 ? lines : [...lines, ...more].slice(-MOST_LINES);
}

/** Unknown levels are always shown. */
export function matchesLog({ level, text, fields }: LogLine, { from, search }: LogFilter): boolean {
  const levels: readonly string[] = LEVELS;
  const place = levels.indexOf(level);
  if (place >= 0 && place < levels.indexOf(from)) return false;
  const wanted = search.trim().toLowerCase();
  return wanted === "" || text.toLowerCase().includes(wanted) || fieldsText(fields).toLowerCase().includes(wanted);
}

/** "terminal=till-1 ms=12": the fields beside a line's text. */
export function fieldsText(fields: LogLine["fields"]): string {
  return Object.entries(fields ?? {})
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

export function levelTone(level: string): "bad" | "unknown" | undefined {
  if (level === "error" || level === "fatal") return "bad";
  return level === "warn" ? "unknown" : undefined;
}
