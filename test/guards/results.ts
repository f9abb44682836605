import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { Guard } from "./guard.ts";

const resultSchema = z.strictObject({
  file: z.string(),
  line: z.int(),
  text: z.string(),
  /** Of the file, so that a changed one is tried again. */
  sha256: z.string(),
  is: z.enum(["noticed", "compiler", "unnoticed", "accepted"]),
  /** The first test that failed. */
  by: z.string().optional(),
});
export type Result = z.infer<typeof resultSchema>;

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** JSON lines on disk, one a guard, written as soon as it is known. */
export class Results {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
  }

  /** What an earlier run wrote. A run that was killed may have left half a line. */
  earlier(): readonly Result[] {
    const text = readOrEmpty(this.#path);
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    return whole.split("\n").flatMap((line) => (line === "" ? [] : [resultSchema.parse(JSON.parse(line))]));
  }

  begin(kept: readonly Result[]): void {
    writeFileSync(this.#path, kept.map((result) => `${JSON.stringify(result)}\n`).join(""));
  }

  add(result: Result): void {
    appendFileSync(this.#path, `${JSON.stringify(result)}\n`);
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return "";
    throw cause;
  }
}

/** Noticed earlier in a file that is still the same. */
export function stillNoticed(
  earlier: readonly Result[],
  { file, text, line }: Guard,
  sha256: string,
): Result | undefined {
  return earlier.find(
    (one) =>
      one.file === file && one.text === text && one.line === line && one.sha256 === sha256 && one.is === "noticed",
  );
}
