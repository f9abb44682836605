import type { Format } from "./format.ts";

/** What stands in a form: the parameter's full name and its value. */
export type Sent = ReadonlyMap<string, string>;

/** One finding, in the shape of the gateway's `result.parameterErrors[]` (gateway-facts 0). The value of a missing parameter is empty. */
export interface ParameterProblem {
  readonly name: string;
  readonly value: string;
  readonly message: string;
}

/**
 * One line of a chapter. `[n]` in a name stands for an index, `[key]` for a free name. `need` is the specification's column: what is
 * "required" must be there as soon as anything of its chapter is, "conditional" is one of the chapter's rules or depends on the acquirer.
 */
export interface Parameter {
  readonly name: string;
  readonly format: Format;
  readonly need: "required" | "conditional" | "optional";
  /** What stands between the brackets of `[key]`. */
  readonly key?: Format;
}

/** A condition between parameters. It must look only at what was sent and never throw. */
export type Rule = (sent: Sent) => readonly ParameterProblem[];

/** One chapter of the specification, "Resources and their fields": a table, and what its notes say about several parameters at once. */
export interface Chapter {
  /** As in the specification. */
  readonly title: string;
  readonly parameters: readonly Parameter[];
  readonly rules: readonly Rule[];
}

type Row = readonly [name: string, format: Format, need?: Parameter["need"], key?: Format];

/** Lines of a table; without a need they are optional. */
export function parameters(rows: readonly Row[]): readonly Parameter[] {
  return rows.map(([name, format, need = "optional", key]) => ({ name, format, need, ...(key && { key }) }));
}

export const EMPTY_MESSAGE = "may not be empty";

/** `name` must be there whenever `when` says so. */
export function neededWhen(name: string, when: (sent: Sent) => boolean): Rule {
  return (sent) => (!sent.has(name) && when(sent) ? [{ name, value: "", message: EMPTY_MESSAGE }] : []);
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
  return [...sent.keys()].some((name) => name.startsWith(prefix));
}

/** "Billing address": street1 plus street2 may not be digits only. */
export function streetNotDigitsOnly(prefix: string): Rule {
  return (sent) => {
    const name = `${prefix}street1`;
    const street = `${sent.get(name) ?? ""}${sent.get(`${prefix}street2`) ?? ""}`;
    return /^[0-9]+$/.test(street) ? [{ name, value: sent.get(name) ?? "", message: "may not be digits only" }] : [];
  };
}
