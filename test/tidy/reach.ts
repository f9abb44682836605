import { posix } from "node:path";
import { importsOf, type SourceFile } from "./tree.ts";

/** Every file that programs may load from these entry points, types aside. */
export function reachable(entries: readonly string[], files: ReadonlyMap<string, SourceFile>): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = files.get(path);
    if (file === undefined || seen.has(path)) continue;
    seen.add(path);
    open.push(...importsOf(file).flatMap(({ from, typeOnly }) => (typeOnly ? [] : [from])));
  }
  return seen;
}

/** Circles of imports, those of types counted, each told once as "a → b → a". */
export function circles(files: readonly SourceFile[]): readonly string[] {
  const arrows = new Map(files.map((file) => [file.path, importsOf(file).map(({ from }) => from)]));
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) found.push([...way.slice(at), path].join(" → "));
    if (at >= 0 || done.has(path)) return;
    for (const next of arrows.get(path) ?? []) walk(next, [...way, path]);
    done.add(path);
  };
  for (const path of arrows.keys()) walk(path, []);
  return found;
}

const EXPORT = /^export (?:async )?(?:function\*?|const|class|interface|type) ([\w$]+)/gm;

/**
 * Names that a file exports and no other file imports. A type may also be exported because something else that the file
 * exports is made of it: whoever uses that may
 * want to name it.
 */
export function deadExports(files: readonly SourceFile[], entries: ReadonlySet<string>): readonly string[] {
  const importers = new Map<string, SourceFile[]>();
  for (const file of files) {
    for (const { from } of importsOf(file)) importers.set(from, [...(importers.get(from) ?? []), file]);
  }
  return files.flatMap(({ path, text }) => {
    if (entries.has(path)) return [];
    const readers = importers.get(path) ?? [];
    return [...text.matchAll(EXPORT)].flatMap(([statement, name = ""]) => {
      const word = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`, "g");
      const isType = /^export (?:interface|type) /.test(statement);
      const used =
        readers.some((reader) => reader.text.search(word) >= 0) || (isType && [...text.matchAll(word)].length > 1);
      return used ? [] : [`${path} exports ${name}, which nothing imports`];
    });
  });
}

/** Files of which another one exports everything: `export * from`. */
export function wholeExportsOf({ path, text }: SourceFile): readonly string[] {
  return [...text.matchAll(/^export (?:type )?\* from "([^"]+)"/gm)].map(([, from = ""]) =>
    posix.join(posix.dirname(path), from),
  );
}
