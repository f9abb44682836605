/** Limits of lines and characters; the oldest are dropped first. */
const MOST_LINES = 1_000;
const MOST_CHARACTERS = 1_048_576;
/** A longer line is kept without its fields. */
const LONGEST_LINE = 16_384;
const LONGEST_TEXT = 1_000;

/** One line of the log as written. */
export interface RecentLine {
  readonly at: string;
  readonly level: string;
  readonly text: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface RecentPage {
  readonly lines: readonly RecentLine[];
  /** Pass it as `after` for the following lines. */
  readonly next: string;
}

/** The last lines of this process's log, in memory. */
export interface RecentLines {
  /** Keeps a JSON line of the log, whose secrets are already removed. */
  add(line: string): void;
  /**
   * The oldest lines after `after`, at most `limit`; without `after` the newest. A mark of another process precedes all
   * lines.
   */
  page(filter: { readonly after?: string; readonly limit: number }): RecentPage;
}

interface Held {
  readonly n: number;
  readonly text: string;
}

/** `process` distinguishes this process's marks from those of others; letters and digits. */
export function createRecentLines(process: string): RecentLines {
  let held: Held[] = [];
  let characters = 0;
  let n = 0;
  const add = (line: string): void => {
    n += 1;
    const text = line.length > LONGEST_LINE ? shortened(line) : line;
    held.push({ n, text });
    characters += text.length;
    let gone = 0;
    while (held.length - gone > MOST_LINES || characters > MOST_CHARACTERS) {
      characters -= held[gone]?.text.length ?? 0;
      gone += 1;
    }
    if (gone > 0) held = held.slice(gone);
  };
  const page: RecentLines["page"] = ({ after, limit }) => {
    const behind =
      after === undefined ? held.slice(-limit) : held.filter((one) => one.n > markOf(process, after)).slice(0, limit);
    return { lines: behind.map(({ text }) => lineOf(text)), next: `${process}-${behind.at(-1)?.n ?? n}` };
  };
  return { add, page };
}

/** The number of the caller's last line; 0 if the mark is not of this process. */
function markOf(process: string, after: string): number {
  const [own, number = ""] = after.split("-");
  return own === process && /^[0-9]{1,15}$/.test(number) ? Number(number) : 0;
}

function lineOf(text: string): RecentLine {
  const { time, level, msg, ...fields } = membersOf(text);
  const line = { at: textOf(time), level: textOf(level), text: textOf(msg) };
  return Object.keys(fields).length === 0 ? line : { ...line, fields };
}

function shortened(text: string): string {
  const { time, level, msg } = membersOf(text);
  return JSON.stringify({
    time,
    level,
    msg: textOf(msg).slice(0, LONGEST_TEXT),
    leftOut: `the fields of a line of ${text.length} characters`,
  });
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === "object" && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
