import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";

const PARTS = ["src", "drivers", "packages", "test", "config", "package.json", "tsconfig.json"];

/** A copy of the product in which mistakes are made, so that none is ever made in the product itself. */
export interface Copy {
  readonly folder: string;
  /**
   * Throws where the text to replace does not stand there exactly once: the product has moved on, and the table has to
   * follow.
   */
  make(mutant: Mutant): void;
  mend(mutant: Mutant): void;
  remove(): void;
}

export function copyOf(root: string): Copy {
  const folder = mkdtempSync(join(tmpdir(), "posbridge-mutants-"));
  for (const part of PARTS) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    make: (mutant) =>
      writeFileSync(join(folder, mutant.file), mutated(mutant, readFileSync(join(root, mutant.file), "utf8"))),
    mend: ({ file }) => cpSync(join(root, file), join(folder, file)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The file's text with the mistake in it. */
export function mutated({ name, file, find, put }: Mutant, text: string): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new RangeError(
      `mutant "${name}": its text stands ${parts.length - 1} times in ${file}, not once; mend the table`,
    );
  return parts.join(put);
}
