import type { SourceFile } from "./tree.ts";

/** Words of one comment, and of one at the head of a file, which describes the whole file. */
const MAX_WORDS = { comment: 40, head: 80 };

/** Rooms whose comments are in plain English. A room of code joins this list once its comments are. */
export const PLAIN_ROOMS: readonly string[] = [
  "drivers/idtech-vp3300",
  "drivers/ingenico-ipp350",
  "drivers/magtek-dynaflex",
  "drivers/magtek-edynamo",
  "drivers/miura-m020",
  "drivers/pax-d180",
  "drivers/verifone-p400",
  "drivers/vipa",
  "src/agent",
  "src/card",
  "src/checks",
  "src/client",
  "src/commands",
  "src/config",
  "src/control",
  "src/demo",
  "src/emv",
  "src/engine",
  "src/gateway",
  "src/http",
  "src/journal",
  "src/kit",
  "src/observe",
  "src/payment",
  "src/receipt",
  "src/reconcile",
  "src/register",
  "packages/sandbox/gateway",
  "src/service",
  "src/simulator",
  "src/telemetry",
  "src/terminal",
  "packages/sandbox/testbed",
  "src/timeline",
  "src/transport",
  "src/web",
  "src/webhook",
  "src/windows",
];

const STRING_OR_COMMENT =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|(\/\*[\s\S]*?\*\/)|((?:\/\/[^\n]*\n?[ \t]*)+)/g;
const VAGUE_START = /^(?:What|Whatever|Whoever|That|Of)\b/;

interface Comment {
  readonly line: number;
  readonly words: readonly string[];
  readonly isHead: boolean;
}

/** Comments of a file, without their marks; line comments that follow each other are one. */
export function commentsOf({ text }: SourceFile): readonly Comment[] {
  const afterImports = text.replace(/^import [^;]*;$/gm, (statement) => statement.replace(/[^\n]/g, " "));
  return [...afterImports.matchAll(STRING_OR_COMMENT)].flatMap(({ 0: comment, 1: block, 2: lines, index }) => {
    if (block === undefined && lines === undefined) return [];
    const words = comment
      .replace(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/)|\*\//gm, " ")
      .split(/\s+/)
      .filter((word) => word !== "");
    return [
      { line: text.slice(0, index).split("\n").length, words, isHead: afterImports.slice(0, index).trim() === "" },
    ];
  });
}

/** Comments that are too long to be read at a glance. */
export function longComments(file: SourceFile): readonly string[] {
  return commentsOf(file).flatMap(({ line, words, isHead }) => {
    const max = isHead ? MAX_WORDS.head : MAX_WORDS.comment;
    return words.length > max
      ? [`${file.path}:${line} a comment of ${words.length} words, ${max} are allowed; say why, in one thought`]
      : [];
  });
}

/** Comments that begin with a word that names nothing. */
export function vagueComments(file: SourceFile): readonly string[] {
  return commentsOf(file)
    .filter(({ words }) => VAGUE_START.test(words[0] ?? ""))
    .map(({ line, words }) => `${file.path}:${line} begins with "${words[0]}"; begin with the thing itself`);
}
