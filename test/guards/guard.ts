/** A statement that ends a function, or one turn of a loop, early. */
export interface Guard {
  /** Relative to the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const GUARD = /^\s+(?:\} else )?if \(.*\) (?:return|throw|continue|break)\b.*;$/;

/** The guards of a file that stand on one line, as the formatter leaves short ones. */
export function guardsOf(file: string, text: string): readonly Guard[] {
  return text
    .split("\n")
    .flatMap((line, at) =>
      GUARD.test(line) && !line.includes("} else if") ? [{ file, line: at + 1, text: line.trim() }] : [],
    );
}

/** The file's text without the guard; its line stays, so that other lines keep their numbers. */
export function withoutGuard({ line }: Guard, text: string): string {
  return text
    .split("\n")
    .map((each, at) => (at + 1 === line ? "" : each))
    .join("\n");
}

/** The tests that have to notice that a guard of this file is gone; the later ones run where the first do not. */
export function testsFor(file: string): readonly (readonly string[])[] {
  const model = /^drivers\/([^/]+)\//.exec(file)?.[1];
  if (model === undefined)
    return [["test/unit/payment"], ["test/unit/engine", "test/unit/timeline", "test/unit/receipt"], ["test/stories"]];
  return [[`test/unit/drivers/${model}`], ["test/drivers"]];
}
