/** One thing that is wrong with a configuration. */
export interface Problem {
  /** Counted from 1; absent where the file as a whole is meant. */
  readonly line?: number;
  /** As a person writes it: `terminals[0].connection.serial`; empty for the file as a whole. */
  readonly path: string;
  /** What is wrong, then a semicolon, then the mend. Never repeats a value that may be a secret. */
  readonly message: string;
}

/** Where a value stands: the keys and list positions that lead to it. */
export type Path = readonly (string | number)[];

/** What a rule found, before its line is known. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
  /** The key itself is wrong, not its value. */
  readonly atKey?: boolean;
}

export function pathText(path: Path): string {
  return path.map((part, at) => (typeof part === "number" ? `[${part}]` : `${at === 0 ? "" : "."}${part}`)).join("");
}

/** `file:line: path: problem; mend`, in the order of the lines. */
export function problemLines(file: string, problems: readonly Problem[]): readonly string[] {
  return problems.map(({ line, path, message }) => `${file}:${line === undefined ? "" : `${line}:`} ${path === "" ? "" : `${path}: `}${message}`);
}
