import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export interface SourceFile {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file of these folders, with JSX or without. */
export function readTree(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => ({
        path: posix.join(folder, name.replaceAll("\\", "/")),
        text: readFileSync(join(folder, name), "utf8"),
      })),
  );
}

export interface Import {
  /** As written; a relative one as a path of the project. */
  readonly from: string;
  readonly typeOnly: boolean;
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** What a file imports, statically and dynamically, read from its text. */
export function importsOf({ path, text }: SourceFile): readonly Import[] {
  const resolve = (from: string): string => (from.startsWith(".") ? posix.join(posix.dirname(path), from) : from);
  const code = withoutComments(text);
  return [
    ...[...code.matchAll(STATEMENT)].map(([, type, from = ""]) => ({
      from: resolve(from),
      typeOnly: type !== undefined,
    })),
    ...[...code.matchAll(DYNAMIC)].map(([, from = ""]) => ({ from: resolve(from), typeOnly: false })),
  ];
}

const PIECES = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The text with its comments blanked out; lines keep their numbers. */
export function withoutComments(text: string): string {
  return text.replace(PIECES, (piece, literal: string | undefined) => literal ?? piece.replace(/[^\n]/g, " "));
}

/** The text with comments and the content of plain strings blanked out. */
export function codeAlone(text: string): string {
  return text.replace(PIECES, (piece) => (piece.startsWith("`") ? piece : piece.replace(/[^\n]/g, " ")));
}

/** Names and comments: the text with the content of plain strings blanked out. */
export function withoutStrings(text: string): string {
  return text.replace(PIECES, (piece, literal: string | undefined) =>
    literal === undefined || literal.startsWith("`") ? piece : piece.replace(/[^\n]/g, " "),
  );
}
