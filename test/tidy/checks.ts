import { codeAlone, type SourceFile, withoutComments } from "./tree.ts";

/** Lines of a source file. A test holds tables, so it may be longer. */
const MAX_LINES = 400;

export function tooLong({ path, text }: SourceFile): readonly string[] {
  const lines = text.replace(/\n$/, "").split("\n").length;
  return lines > MAX_LINES && !path.startsWith("test/")
    ? [`${path} has ${lines} lines, ${MAX_LINES} are allowed; make two things of it`]
    : [];
}

const MAX_FUNCTION = 80;
/** The first line of a function of more than one line, as the formatter leaves it. */
const FUNCTION = /^( *)(?:export )?(?:async )?(?:function\b.*|.*=>|(?:get |static |async )*[\w$#]+\(.*\)(?:: .*)?) \{$/;

/**
 * Functions longer than a screen, found by indentation: a function ends at the first line that closes at the depth it
 * began.
 */
export function longFunctions({ path, text }: SourceFile): readonly string[] {
  const lines = withoutComments(text).split("\n");
  return lines.flatMap((line, at) => {
    const indent = FUNCTION.exec(line)?.[1];
    if (indent === undefined || /^ *(?:if|for|while|switch|else|catch|\} else)\b/.test(line)) return [];
    const length = lines.slice(at).findIndex((other) => other.startsWith(`${indent}}`)) + 1;
    return length > MAX_FUNCTION
      ? [`${path}:${at + 1} a function of ${length} lines, ${MAX_FUNCTION} are allowed; name its parts`]
      : [];
  });
}

const SAYS_NOTHING = /^(?:base|shared|(?:.*[-.])?(?:utils?|helpers?|managers?|common|misc))$/i;

/** File and folder names that say nothing. */
export function emptyName({ path }: SourceFile): readonly string[] {
  const nothing = path.split("/").some((part) => SAYS_NOTHING.test(part.replace(/(\.test)?\.tsx?$/, "")));
  return nothing ? [`${path} has a name that says nothing; name what is in it`] : [];
}

/** What must not stand in code, and what to do instead. Written so that this file does not hold the words itself. */
const BANNED: readonly {
  readonly word: RegExp;
  readonly instead: string;
  readonly where?: RegExp;
  readonly inComments?: true;
}[] = [
  { word: /\b(?:TOD[O]|FIXM[E])\b/, instead: "do it or leave it out", inComments: true },
  { word: /@ts-(?:ignore|expect-error|nocheck)\b/, instead: "give it the right type", inComments: true },
  { word: /biome-ignor[e]/, instead: "follow the rule, or change it for everyone in biome.json", inComments: true },
  { word: /\bas (?:any|unknown as)\b/, instead: "parse it with a schema" },
  { word: /\b(?:it|describe|test)\.(?:skip|skipIf|runIf|only|todo)\b/, instead: "repair the test or remove it" },
  { word: /\bvi\.(?:mock|doMock|stubGlobal|useFakeTimers)\b/, instead: "pass the port in" },
  {
    word: /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/,
    instead: "use the clock or the randomness that is passed in",
    where: /^(src\/(?!kit\/system-)|drivers\/|packages\/)/,
  },
  { word: /^export default\b/m, instead: "export it by its name", where: /^(src|drivers|packages|test|packaging)\// },
  { word: /^export \* /m, instead: "import from where it is", where: /^(src|drivers|packages)\// },
  {
    word: /\bprocess\.(?:exit|env)\b/,
    instead: "leave it to src/commands",
    where: /^(src\/(?!commands\/)|drivers\/|packages\/)/,
  },
];

export function bannedWords({ path, text }: SourceFile): readonly string[] {
  const code = codeAlone(text);
  return BANNED.filter(({ where }) => where === undefined || where.test(path)).flatMap(
    ({ word, instead, inComments }) => {
      const found = word.exec(inComments === true ? text : code);
      if (found === null) return [];
      const line = text.slice(0, found.index).split("\n").length;
      return [`${path}:${line} ${found[0].trim()}: ${instead}`];
    },
  );
}
