import type { Format } from "./format.ts";

/** Parameters of a form: full name and value. */
export type Sent = ReadonlyMap<string, string>;

/**
 * One problem, in the shape of the gateway's `result.parameterErrors[]` (gateway-facts 0). The value of a missing
 * parameter is empty.
 */
export interface ParameterProblem {
  readonly name: string;
  readonly value: string;
  readonly message: string;
}

/**
 * The specification's column "Required". The chapter's rules and the endpoint (endpoints.ts) decide what is required
 * where.
 */
export type Need = "required" | "conditional" | "optional";

/**
 * One line of a chapter. `[n]` in a name stands for an index, `[key]` for a free name, `<network>` for a lower-case
 * word.
 */
export interface Parameter<Name extends string = string> {
  readonly name: Name;
  readonly format: Format;
  readonly need: Need;
  /** Format of the name between the brackets of `[key]`. */
  readonly key?: Format;
}

/**
 * A condition between parameters. It sees only the parameters sent and never throws. It names the parameter in whose
 * line the specification states the condition.
 */
export type Rule = (sent: Sent) => readonly ParameterProblem[];

/** One chapter of the specification, "Resources and their fields": a table, and rules between its parameters. */
export interface Chapter<Name extends string = string> {
  /** As in the specification. */
  readonly title: string;
  readonly parameters: readonly Parameter<Name>[];
  readonly rules: readonly Rule[];
  /** The rules in words, and further facts for the reference page. */
  readonly notes: readonly string[];
}

/** A line of a table as written in code; without a need it is optional. */
export type Row<Name extends string> = readonly [name: Name, format: Format, need?: Need, key?: Format];

/** Keeps the literal names of lines that are made for several prefixes. */
export function rows<const Name extends string>(lines: readonly Row<Name>[]): readonly Row<Name>[] {
  return lines;
}

export function chapter<const Name extends string>(
  title: string,
  lines: readonly Row<Name>[],
  rules: readonly Rule[] = [],
  notes: readonly string[] = [],
): Chapter<Name> {
  return {
    title,
    rules,
    notes,
    parameters: lines.map(([name, format, need = "optional", key]) => ({ name, format, need, ...(key && { key }) })),
  };
}

/** The lines of a chapter that an endpoint takes, with the rules that hold there. */
export function part<Name extends string>(
  whole: Chapter<Name>,
  takes: (name: string) => boolean,
  rules: readonly Rule[] = [],
): Chapter<Name> {
  return { ...whole, rules, parameters: whole.parameters.filter(({ name }) => takes(name)) };
}

export const EMPTY_MESSAGE = "may not be empty";

/** Requires `name` whenever `when` holds. */
export function neededWhen(name: string, when: (sent: Sent) => boolean): Rule {
  return (sent) => (!sent.has(name) && when(sent) ? [{ name, value: "", message: EMPTY_MESSAGE }] : []);
}

export function needed(...names: readonly string[]): readonly Rule[] {
  return names.map((name) => neededWhen(name, () => true));
}

/** Requires `names` as soon as any parameter of the group is sent. */
export function neededUnder(prefix: string, ...names: readonly string[]): readonly Rule[] {
  const missing = (sent: Sent): readonly ParameterProblem[] =>
    names.flatMap((name) => (sent.has(name) ? [] : [{ name, value: "", message: EMPTY_MESSAGE }]));
  return [(sent) => (anyUnder(sent, prefix) ? missing(sent) : [])];
}

/** Allows `name` only together with `other`. */
export function needsOther(name: string, other: string): Rule {
  return (sent) => {
    const value = sent.get(name);
    return value === undefined || sent.has(other) ? [] : [{ name, value, message: `requires ${other}` }];
  };
}

/** Allows `names` only all together. */
export function allOrNone(...names: readonly string[]): Rule {
  return (sent) => {
    const missing = names.filter((name) => !sent.has(name));
    return missing.length === names.length ? [] : missing.map((name) => ({ name, value: "", message: EMPTY_MESSAGE }));
  };
}

export function anyUnder(sent: Sent, prefix: string): boolean {
  // Most rules ask this for every payment, so no list of names is made.
  for (const name of sent.keys()) if (name.startsWith(prefix)) return true;
  return false;
}
