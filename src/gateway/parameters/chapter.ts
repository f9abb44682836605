import type { Format } from "./format.ts";

/** What stands in a form: the parameter's full name and its value. */
export type Sent = ReadonlyMap<string, string>;

/** One finding, in the shape of the gateway's `result.parameterErrors[]` (gateway-facts 0). The value of a missing parameter is empty. */
export interface ParameterProblem {
  readonly name: string;
  readonly value: string;
  readonly message: string;
}

/** The specification's column "Required". What is required where is said by the chapter's rules and by the endpoint (endpoints.ts). */
export type Need = "required" | "conditional" | "optional";

/** One line of a chapter. `[n]` in a name stands for an index, `[key]` for a free name, `<network>` for a lower-case word. */
export interface Parameter<Name extends string = string> {
  readonly name: Name;
  readonly format: Format;
  readonly need: Need;
  /** What stands between the brackets of `[key]`. */
  readonly key?: Format;
}

/** A condition between parameters. It must look only at what was sent and never throw. It names the parameter in whose line the specification states it. */
export type Rule = (sent: Sent) => readonly ParameterProblem[];

/** One chapter of the specification, "Resources and their fields": a table, and what its notes say about several parameters at once. */
export interface Chapter<Name extends string = string> {
  /** As in the specification. */
  readonly title: string;
  readonly parameters: readonly Parameter<Name>[];
  readonly rules: readonly Rule[];
  /** The rules in words, and what else the reference page has to say. */
  readonly notes: readonly string[];
}

/** A line of a table as it is written down; without a need it is optional. */
export type Row<Name extends string> = readonly [name: Name, format: Format, need?: Need, key?: Format];

/** Keeps the names of lines that are made for several prefixes. */
export function rows<const Name extends string>(lines: readonly Row<Name>[]): readonly Row<Name>[] {
  return lines;
}

export function chapter<const Name extends string>(
  title: string,
  lines: readonly Row<Name>[],
  rules: readonly Rule[] = [],
  notes: readonly string[] = [],
): Chapter<Name> {
  return { title, rules, notes, parameters: lines.map(([name, format, need = "optional", key]) => ({ name, format, need, ...(key && { key }) })) };
}

/** The lines of a chapter that an endpoint takes, and the rules that hold there. */
export function part<Name extends string>(whole: Chapter<Name>, takes: (name: string) => boolean, rules: readonly Rule[] = []): Chapter<Name> {
  return { ...whole, rules, parameters: whole.parameters.filter(({ name }) => takes(name)) };
}

export const EMPTY_MESSAGE = "may not be empty";

/** `name` must be there whenever `when` says so. */
export function neededWhen(name: string, when: (sent: Sent) => boolean): Rule {
  return (sent) => (!sent.has(name) && when(sent) ? [{ name, value: "", message: EMPTY_MESSAGE }] : []);
}

/** `names` must be there. */
export function needed(...names: readonly string[]): readonly Rule[] {
  return names.map((name) => neededWhen(name, () => true));
}

/** `names` must be there as soon as anything of their group is. */
export function neededUnder(prefix: string, ...names: readonly string[]): readonly Rule[] {
  const missing = (sent: Sent): readonly ParameterProblem[] => names.flatMap((name) => (sent.has(name) ? [] : [{ name, value: "", message: EMPTY_MESSAGE }]));
  return [(sent) => (anyUnder(sent, prefix) ? missing(sent) : [])];
}

/** `name` may only be sent together with `other`. */
export function needsOther(name: string, other: string): Rule {
  return (sent) => {
    const value = sent.get(name);
    return value === undefined || sent.has(other) ? [] : [{ name, value, message: `requires ${other}` }];
  };
}

/** `names` may only be sent all together. */
export function allOrNone(...names: readonly string[]): Rule {
  return (sent) => {
    const missing = names.filter((name) => !sent.has(name));
    return missing.length === names.length ? [] : missing.map((name) => ({ name, value: "", message: EMPTY_MESSAGE }));
  };
}

/** Whether any parameter of the group is sent. */
export function anyUnder(sent: Sent, prefix: string): boolean {
  // Asked by most rules for every payment: no list of the names is made for it.
  for (const name of sent.keys()) if (name.startsWith(prefix)) return true;
  return false;
}
