import { type Decoded, type FormFields, MAX_DEPTH } from "./form.ts";

/** Nested JSON of form fields: every leaf is a string. */
export type NestedText = string | readonly NestedText[] | { readonly [key: string]: NestedText };

/** One step of a name: a member of a group, a free name in brackets, or an index. */
export type Step =
  | { readonly is: "member" | "key"; readonly name: string }
  | { readonly is: "index"; readonly index: number };

/** A group under construction: members by name, or by index as text. The first member decides whether it is a list. */
interface Group {
  readonly list: boolean;
  readonly members: Map<string, Group | string>;
}

/**
 * Splits a parameter's name, `cart.items[0].name` or `customParameters[key]`; undefined if it is invalid. Brackets hold
 * an index, or any name below the groups in `keyed`.
 */
export function stepsOf(name: string, keyed: ReadonlySet<string>): readonly Step[] | undefined {
  const steps: Step[] = [];
  let at = 0;
  while (at < name.length) {
    const rest = name.slice(at);
    const member = (at === 0 ? /^[^.[\]]+/ : /^\.[^.[\]]+/).exec(rest)?.[0];
    const bracket = at === 0 ? undefined : /^\[([^[\]]+)\]/.exec(rest);
    if (member !== undefined) steps.push({ is: "member", name: at === 0 ? member : member.slice(1) });
    else if (bracket?.[1] !== undefined && keyed.has(name.slice(0, at))) steps.push({ is: "key", name: bracket[1] });
    else if (bracket?.[1] !== undefined && /^(?:0|[1-9][0-9]{0,3})$/.test(bracket[1]))
      steps.push({ is: "index", index: Number(bracket[1]) });
    else return undefined;
    at += member?.length ?? bracket?.[0].length ?? 0;
    if (steps.length > MAX_DEPTH) return undefined;
  }
  return steps.length === 0 ? undefined : steps;
}

/**
 * The inverse of `flatten` for forms whose values are strings. A name that is both value and group, or a list that
 * skips an index, is an error. Never throws.
 */
export function unflatten(
  fields: FormFields,
  keyed: ReadonlySet<string>,
): Decoded<{ readonly [key: string]: NestedText }> {
  const root: Group = { list: false, members: new Map() };
  for (const [name, value] of fields) {
    const steps = stepsOf(name, keyed);
    if (steps === undefined) return { ok: false, error: `${name} is not a parameter's name` };
    if (!place(root, steps, value)) return { ok: false, error: `${name} does not fit the other parameters` };
  }
  const built = buildMembers(root);
  return built === undefined ? { ok: false, error: "a list skips an index" } : { ok: true, value: built };
}

function place(root: Group, steps: readonly Step[], value: string): boolean {
  let group = root;
  for (const [at, step] of steps.entries()) {
    const isIndex = step.is === "index";
    if (group.list !== isIndex) return false;
    const key = isIndex ? String(step.index) : step.name;
    const next = steps[at + 1];
    const there = group.members.get(key);
    if (next === undefined) {
      if (there !== undefined) return false;
      group.members.set(key, value);
      return true;
    }
    if (typeof there === "string") return false;
    const child = there ?? { list: next.is === "index", members: new Map() };
    group.members.set(key, child);
    group = child;
  }
  return false;
}

function build(group: Group): NestedText | undefined {
  if (!group.list) return buildMembers(group);
  const entries = Array.from({ length: group.members.size }, (_, index) => built(group.members.get(String(index))));
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function buildMembers(group: Group): { readonly [key: string]: NestedText } | undefined {
  const entries = [...group.members].map(([key, member]) => [key, built(member)] as const);
  const whole = entries.flatMap(([key, member]) => (member === undefined ? [] : [[key, member] as const]));
  return whole.length === entries.length ? Object.fromEntries(whole) : undefined;
}

function built(member: Group | string | undefined): NestedText | undefined {
  return member === undefined || typeof member === "string" ? member : build(member);
}
