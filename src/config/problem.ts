/** One problem of a configuration. */
export interface Problem {
  /** Counted from 1; absent for the file as a whole. */
  readonly line?: number;
  /** In written form: `terminals[0].connection.serial`; empty for the file as a whole. */
  readonly path: string;
  /** The problem, a semicolon, then the fix. Never repeats a value that may be a secret. */
  readonly message: string;
}

/** The keys and list positions that lead to a value. */
export type Path = readonly (string | number)[];

/** A problem found by a rule, before its line is known. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
  /** The key itself is wrong, not its value. */
  readonly atKey?: boolean;
}

export function pathText(path: Path): string {
  return path.map((part, at) => (typeof part === "number" ? `[${part}]` : `${at === 0 ? "" : "."}${part}`)).join("");
}

/** `file:line: path: problem; fix`, in the order of the lines. */
export function problemLines(file: string, problems: readonly Problem[]): readonly string[] {
  return problems.map(
    ({ line, path, message }) =>
      `${file}:${line === undefined ? "" : `${line}:`} ${path === "" ? "" : `${path}: `}${message}`,
  );
}
