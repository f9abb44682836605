import type { Chapter, Parameter, ParameterProblem, Sent } from "./chapter.ts";

/** "Cart items": "Index [n] starts at 0 and reaches at most 1000." */
export const MAX_INDEX = 1000;

/** The other lists have no stated end; no form holds more fields than four digits count. */
const MAX_OTHER_INDEX = 9999;

const maxIndexOf = (name: string): number => (name.startsWith("cart.items[") ? MAX_INDEX : MAX_OTHER_INDEX);

/** The gateway's own words for an unknown name (gateway-facts 0). */
const NOT_ALLOWED = "is not an allowed parameter";

interface Tables {
  readonly plain: ReadonlyMap<string, Parameter>;
  /** By the name with `[n]` and `[key]` in it. */
  readonly patterned: ReadonlyMap<string, Parameter>;
  /** Parameters with a free word between their dots. */
  readonly worded: readonly (readonly [RegExp, Parameter])[];
}

/** Built once for each list of chapters, because a card waits for every request. */
const known = new WeakMap<readonly Chapter[], Tables>();

/**
 * Problems that the gateway would answer with 200.300.404: each unknown, malformed or missing parameter once, by its
 * own name. Empty: the form is valid.
 */
export function parameterProblems(form: Sent, chapters: readonly Chapter[]): readonly ParameterProblem[] {
  const tables = known.get(chapters) ?? tablesOf(chapters);
  known.set(chapters, tables);
  const problems = new Map<string, ParameterProblem>();
  for (const [name, value] of form) {
    const problem = problemOf(name, value, tables);
    if (problem !== undefined) problems.set(name, problem);
  }
  // An unknown name must not make others of its group required.
  const told: Sent =
    problems.size === 0 ? form : new Map([...form].filter(([name]) => lineOf(name, tables) !== undefined));
  for (const { rules } of chapters) {
    for (const rule of rules)
      for (const problem of rule(told)) if (!problems.has(problem.name)) problems.set(problem.name, problem);
  }
  return [...problems.values()];
}

/** All names of these chapters, with `[n]`, `[key]` and `<network>` for an index or a name. */
export function knownNames(chapters: readonly Chapter[]): readonly string[] {
  return chapters.flatMap((chapter) => chapter.parameters.map((parameter) => parameter.name));
}

/** Groups with names in brackets, such as "customParameters". form.ts distinguishes them from groups with dots. */
export function keyedGroups(chapters: readonly Chapter[]): ReadonlySet<string> {
  return new Set(knownNames(chapters).flatMap((name) => /^(.*)\[(?!n\])[^[\]]+\]$/.exec(name)?.[1] ?? []));
}

function tablesOf(chapters: readonly Chapter[]): Tables {
  const all = chapters.flatMap((chapter) =>
    chapter.parameters.map((parameter) => [parameter.name, parameter] as const),
  );
  return {
    plain: new Map(all.filter(([name]) => !isPatterned(name))),
    patterned: new Map(all.filter(([name]) => isPatterned(name))),
    worded: all.flatMap(([name, parameter]) =>
      name.includes("<network>") ? [[wordedName(name), parameter] as const] : [],
    ),
  };
}

const isPatterned = (name: string): boolean => name.includes("[n]") || name.endsWith("[key]");

const wordedName = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll(".", "\\.").replace("<network>", "[a-z][a-z0-9]{0,31}")}$`);

function problemOf(name: string, value: string, tables: Tables): ParameterProblem | undefined {
  const line = lineOf(name, tables);
  if (line === undefined) return { name, value, message: NOT_ALLOWED };
  if ("fault" in line) return { name, value, message: line.fault };
  if (!value.isWellFormed()) return { name, value: "", message: "must be well-formed Unicode" };
  return line.format.pattern.test(value) ? undefined : { name, value, message: line.format.message };
}

/** The line of a name, or the fault of its index or free name; undefined: no table has the name. */
function lineOf(name: string, tables: Tables): Parameter | { readonly fault: string } | undefined {
  const plain = tables.plain.get(name) ?? tables.worded.find(([pattern]) => pattern.test(name))?.[1];
  if (plain !== undefined) return plain;
  const indexes = [...name.matchAll(/\[(0|[1-9][0-9]*)\]/g)].map((match) => Number(match[1]));
  const listed =
    indexes.length > 0 ? tables.patterned.get(name.replaceAll(/\[(?:0|[1-9][0-9]*)\]/g, "[n]")) : undefined;
  const max = maxIndexOf(name);
  if (listed !== undefined)
    return indexes.every((index) => index <= max) ? listed : { fault: `index must be 0 to ${max}` };
  const open = name.indexOf("[");
  const keyed = open > 0 && name.endsWith("]") ? tables.patterned.get(`${name.slice(0, open)}[key]`) : undefined;
  if (keyed?.key === undefined) return undefined;
  return keyed.key.pattern.test(name.slice(open + 1, -1)) ? keyed : { fault: keyed.key.message };
}
