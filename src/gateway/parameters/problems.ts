import { anyUnder, type Chapter, EMPTY_MESSAGE, type Parameter, type ParameterProblem, type Sent } from "./chapter.ts";

/** "Cart items": the index reaches at most 1000; the other lists of the specification take the same bound. */
export const MAX_INDEX = 1000;

/** gateway-facts 0: the gateway's own words for a name it does not know. */
const NOT_ALLOWED = "is not an allowed parameter";

interface Tables {
  readonly plain: ReadonlyMap<string, Parameter>;
  /** By the name with `[n]` and `[key]` in it. */
  readonly patterned: ReadonlyMap<string, Parameter>;
  /** Chapters that require something, with what they require. */
  readonly demanding: readonly { readonly chapter: Chapter; readonly required: readonly Parameter[] }[];
}

/** Made once for each list of chapters: a card waits for every request. */
const known = new WeakMap<readonly Chapter[], Tables>();

/** What the gateway would answer with 200.300.404: every parameter that is unknown, badly formed or missing, by its own name. Empty: the form is good. */
export function parameterProblems(sent: Iterable<readonly [string, string]>, chapters: readonly Chapter[]): readonly ParameterProblem[] {
  const form: Sent = new Map(sent);
  const tables = known.get(chapters) ?? tablesOf(chapters);
  known.set(chapters, tables);
  const single = [...form].flatMap(([name, value]) => problemOf(name, value, tables));
  const missing = tables.demanding.flatMap(({ chapter, required }) => missingOf(chapter, required, form));
  const between = chapters.flatMap((chapter) => chapter.rules.flatMap((rule) => rule(form)));
  return [...single, ...missing, ...between];
}

/** Every name that these chapters know, with `[n]` and `[key]` where a request puts an index or a name. */
export function knownNames(chapters: readonly Chapter[]): readonly string[] {
  return chapters.flatMap((chapter) => chapter.parameters.map((parameter) => parameter.name));
}

/** The groups whose members are free names in brackets: "customParameters". What form.ts needs to tell them from groups with dots. */
export function keyedGroups(chapters: readonly Chapter[]): ReadonlySet<string> {
  return new Set(knownNames(chapters).flatMap((name) => (name.endsWith("[key]") ? [name.slice(0, -"[key]".length)] : [])));
}

function tablesOf(chapters: readonly Chapter[]): Tables {
  const all = chapters.flatMap((chapter) => chapter.parameters.map((parameter) => [parameter.name, parameter] as const));
  const requirements = chapters.map((chapter) => ({ chapter, required: chapter.parameters.filter((parameter) => parameter.need === "required") }));
  return {
    plain: new Map(all.filter(([name]) => !isPatterned(name))),
    patterned: new Map(all.filter(([name]) => isPatterned(name))),
    demanding: requirements.filter(({ required }) => required.length > 0),
  };
}

const isPatterned = (name: string): boolean => name.includes("[n]") || name.endsWith("[key]");

function problemOf(name: string, value: string, tables: Tables): readonly ParameterProblem[] {
  const known = lookUp(name, tables);
  if (known === undefined) return [{ name, value, message: NOT_ALLOWED }];
  if (known.fault !== undefined) return [{ name, value, message: known.fault }];
  if (!value.isWellFormed()) return [{ name, value: "", message: "must be well-formed Unicode" }];
  return known.parameter.format.pattern.test(value) ? [] : [{ name, value, message: known.parameter.format.message }];
}

function lookUp(name: string, tables: Tables): { readonly parameter: Parameter; readonly fault?: string } | undefined {
  const plain = tables.plain.get(name);
  if (plain !== undefined) return { parameter: plain };
  const indexes = [...name.matchAll(/\[(0|[1-9][0-9]*)\]/g)].map((match) => Number(match[1]));
  const listed = indexes.length > 0 ? tables.patterned.get(name.replaceAll(/\[(?:0|[1-9][0-9]*)\]/g, "[n]")) : undefined;
  if (listed !== undefined)
    return indexes.every((index) => index <= MAX_INDEX) ? { parameter: listed } : { parameter: listed, fault: `index must be 0 to ${MAX_INDEX}` };
  const open = name.indexOf("[");
  const keyed = open > 0 && name.endsWith("]") ? tables.patterned.get(`${name.slice(0, open)}[key]`) : undefined;
  if (keyed?.key === undefined) return undefined;
  return keyed.key.pattern.test(name.slice(open + 1, -1)) ? { parameter: keyed } : { parameter: keyed, fault: keyed.key.message };
}

function missingOf(chapter: Chapter, required: readonly Parameter[], form: Sent): readonly ParameterProblem[] {
  if (!chapter.parameters.some((parameter) => isSent(parameter, form))) return [];
  return required.filter((parameter) => !form.has(parameter.name)).map(({ name }) => ({ name, value: "", message: EMPTY_MESSAGE }));
}

function isSent(parameter: Parameter, form: Sent): boolean {
  const open = parameter.name.indexOf("[");
  return open < 0 ? form.has(parameter.name) : anyUnder(form, parameter.name.slice(0, open + 1));
}
