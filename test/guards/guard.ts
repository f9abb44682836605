import { parseSync } from "vite";

/** An if without else whose branch leaves the function or the turn of a loop: return, throw, continue, break. */
export interface Guard {
  /** Relative to the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The whole statement on one line. */
  readonly text: string;
  readonly statement: Span;
  readonly condition: Span;
  /** A condition that changes something is missed even where it does not hold. */
  readonly isPure: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Tree extends Span {
  readonly type: string;
  readonly [part: string]: unknown;
}

const LEAVES = new Set(["ReturnStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"]);
const CHANGES = new Set(["AssignmentExpression", "UpdateExpression", "AwaitExpression", "YieldExpression"]);
const CHANGING_CALL = /^(?:shift|pop|push|splice|delete|add|set|next|read|take)/;

export function guardsOf(file: string, text: string): readonly Guard[] {
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`${file}: ${error.message}`);
  return treesIn(program)
    .filter(isGuard)
    .map(({ test, ...statement }) => ({
      file,
      line: text.slice(0, statement.start).split("\n").length,
      text: text.slice(statement.start, statement.end).replace(/\s+/g, " "),
      statement: { start: statement.start, end: statement.end },
      condition: { start: test.start, end: test.end },
      isPure: !treesIn(test).some(isChange),
    }))
    .sort((a, b) => a.statement.start - b.statement.start);
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The tree itself and all below it. An else-if is no guard: its type is changed. */
function treesIn(value: unknown): readonly Tree[] {
  if (Array.isArray(value)) return value.flatMap(treesIn);
  if (!isTree(value)) return [];
  const parts = Object.entries(value).map(([name, part]): unknown =>
    name === "alternate" && isTree(part) && part.type === "IfStatement" ? { ...part, type: "ElseIf" } : part,
  );
  return [value, ...parts.flatMap(treesIn)];
}

function isGuard(tree: Tree): tree is Tree & { readonly test: Tree } {
  const { type, test, consequent, alternate } = tree;
  return type === "IfStatement" && isTree(test) && (alternate ?? null) === null && leaves(consequent);
}

function leaves(branch: unknown): boolean {
  if (!isTree(branch)) return false;
  const { type, body } = branch;
  return LEAVES.has(type) || (type === "BlockStatement" && Array.isArray(body) && leaves(body.at(-1)));
}

function isChange({ type, callee }: Tree): boolean {
  if (CHANGES.has(type)) return true;
  if (type !== "CallExpression" || !isTree(callee)) return false;
  const { property } = callee;
  return isTree(property) && typeof property["name"] === "string" && CHANGING_CALL.test(property["name"]);
}

/** The file's text without the guard; other lines keep their numbers. */
export function withoutGuard({ statement: { start, end } }: Guard, text: string): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, "") + text.slice(end);
}

/** The file's text with a switch at each guard: see switches.ts. */
export function withSwitches(guards: readonly (Guard & { readonly id: number })[], text: string): string {
  const inserted = guards.flatMap(({ id, isPure, condition }) => [
    { at: condition.start, text: `__guards.${isPure ? "isOn" : "isOnAndMatters"}(${id}) && __guards.said(${id}, (` },
    { at: condition.end, text: "))" },
  ]);
  return inserted
    .sort((a, b) => b.at - a.at)
    .reduce((sum, { at, text: switched }) => sum.slice(0, at) + switched + sum.slice(at), text);
}
