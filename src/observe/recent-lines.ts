/** Lines held, and characters of them: the oldest go first. */
const MOST_LINES = 1_000;
const MOST_CHARACTERS = 1_048_576;
/** A longer line is held without its fields. */
const LONGEST_LINE = 16_384;
const LONGEST_TEXT = 1_000;

/** One line of the log, as it was written. */
export interface RecentLine {
  readonly at: string;
  readonly level: string;
  readonly text: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface RecentPage {
  readonly lines: readonly RecentLine[];
  /** What `after` is to be for the lines behind these. */
  readonly next: string;
}

/** The last lines of this process's log, in memory. */
export interface RecentLines {
  /** Takes a line of JSON, as the log wrote it after its secrets were taken out. */
  add(line: string): void;
  /** The oldest held lines behind `after`, at most `limit`; without it the newest ones. A mark of another process stands before all of this one. */
  page(filter: { readonly after?: string; readonly limit: number }): RecentPage;
}

interface Held {
  readonly n: number;
  readonly text: string;
}

/** `process`: tells the marks of this process from those of others; letters and digits. */
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
    const behind = after === undefined ? held.slice(-limit) : held.filter((one) => one.n > markOf(process, after)).slice(0, limit);
    return { lines: behind.map(({ text }) => lineOf(text)), next: `${process}-${behind.at(-1)?.n ?? n}` };
  };
  return { add, page };
}

/** The number of the last line that its caller has; 0 where he has none of this process. */
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
  return JSON.stringify({ time, level, msg: textOf(msg).slice(0, LONGEST_TEXT), leftOut: `the fields of a line of ${text.length} characters` });
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === "object" && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
