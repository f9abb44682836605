import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyOf } from "../mutants/copy.ts";
import { type Guard, withoutGuard } from "./guard.ts";

/** "is declared but never used": says nothing about what the guard does. */
const UNUSED = new Set(["TS6133", "TS6192", "TS6196", "TS6198"]);

/** Those without which the compiler refuses the file: no other test can try them. One of each file is tried at once. */
export function refusedByCompiler<T extends Guard>(root: string, guards: readonly T[]): readonly T[] {
  const copy = copyOf(root);
  const refused: T[] = [];
  try {
    const waiting = [...Map.groupBy(guards, ({ file }) => file).values()];
    for (let at = 0; waiting.some((ofFile) => ofFile.length > at); at += 1) {
      const tried = waiting.flatMap((ofFile) => ofFile.slice(at, at + 1));
      const texts = new Map(tried.map(({ file }) => [file, readFileSync(join(root, file), "utf8")]));
      for (const guard of tried)
        writeFileSync(join(copy.folder, guard.file), withoutGuard(guard, texts.get(guard.file) ?? ""));
      const broken = brokenFiles(copy.folder);
      refused.push(...tried.filter(({ file }) => broken.has(file)));
      for (const [file, text] of texts) writeFileSync(join(copy.folder, file), text);
    }
    return refused;
  } finally {
    copy.remove();
  }
}

function brokenFiles(folder: string): ReadonlySet<string> {
  const { stdout, error } = spawnSync(join(folder, "node_modules/.bin/tsc"), ["--noEmit", "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  const errors = [...stdout.matchAll(/^(\S+)\(\d+,\d+\): error (TS\d+):/gm)];
  return new Set(errors.flatMap(([, file = "", code = ""]) => (UNUSED.has(code) ? [] : [file])));
}
