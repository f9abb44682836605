import type { z } from "zod";

/**
 * A wrong field of a request: its path ("cart.items[0].name"; empty for the whole) and the problem, never the value.
 */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** The path in JavaScript's notation. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const name = speakable(String(step));
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

/** Repeats a foreign name only if it can hold no card number and no control characters. */
function speakable(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name) && !/[0-9]{9}/.test(name) ? name : "(unusual name)";
}

/** Codes of zod for a field that is not there. */
const ABSENT: readonly string[] = ["invalid_type", "invalid_value", "invalid_union"];

/**
 * The first problem of a value, in one line. zod reports unknown keys at their object; this path leads to the key
 * itself.
 */
export function firstProblem(error: z.ZodError, value: unknown): Problem {
  const issue = error.issues[0];
  if (issue === undefined) return { path: "", message: "is not valid" };
  if (issue.code === "unrecognized_keys")
    return { path: pathText([...issue.path, issue.keys[0] ?? ""]), message: "is not a known field" };
  const path = pathText(issue.path);
  if (at(value, issue.path) === undefined && ABSENT.includes(issue.code)) return { path, message: "is missing" };
  return { path, message: /^(Invalid|Too) /.test(issue.message) ? plainText(issue) : issue.message };
}

/** zod's types in the words of people who write JSON. */
const KINDS: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  string: "text",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** Rewords zod's default texts so that they follow the field's name. */
function plainText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "too_small":
      return `must ${sized(issue.origin, Number(issue.minimum), "or more")}`;
    case "too_big":
      return `must ${sized(issue.origin, Number(issue.maximum), "at most")}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_key":
      return issue.issues[0]?.message ?? issue.message;
    case "invalid_type":
      return `must be ${KINDS[issue.expected] ?? `of type ${issue.expected}`}`;
    default:
      return issue.message.replace(/^Invalid (input|option): /, "");
  }
}

function sized(origin: string, limit: number, bound: "or more" | "at most"): string {
  const count = bound === "or more" ? `${limit} or more` : `at most ${limit}`;
  if (origin === "string") return `have ${count} characters`;
  return origin === "array" ? `have ${count} entries` : `be ${count}`;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = Object.getOwnPropertyDescriptor(here, step)?.value;
  }
  return here;
}
