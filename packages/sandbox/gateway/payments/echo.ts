import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { keyedGroups } from "../../../../src/gateway/parameters/problems.ts";
import type { Json } from "../exchange.ts";

/**
 * Request structures that replies repeat (specification, "Response body", other structures). The account is shown
 * differently, and pos.* is the issuer's.
 */
const STRUCTURES: ReadonlySet<string> = new Set([
  ...[
    "customer",
    "billing",
    "shipping",
    "merchant",
    "corporate",
    "sender",
    "recipient",
    "cart",
    "marketPlace",
    "airline",
    "risk",
    "forex",
    "giftCard",
  ],
  ...["standingInstruction", "recurringType", "recurringMigration", "threeDSecure", "customParameters"],
]);

/** Groups whose members have free names in brackets. */
const KEYED: ReadonlySet<string> = new Set([...keyedGroups(chaptersOf.payment), "threeDSecure.schemeData"]);

/** A structure between dotted names and JSON; the names in a list are indexes. */
interface Node {
  readonly isList: boolean;
  readonly members: Map<string, Node | string>;
}

/**
 * The form's structures, nested as replies nest them. Secrets are masked in the ledger; gaps between list indexes
 * close.
 */
export function echoOf(parameters: Readonly<Record<string, string>>): Readonly<Record<string, Json>> {
  const root: Node = { isList: false, members: new Map() };
  for (const name of Object.keys(parameters)) {
    const value = parameters[name];
    if (value !== undefined && STRUCTURES.has(headOf(name))) place(root, name, value);
  }
  return Object.fromEntries([...root.members].map(([name, member]) => [name, jsonOf(member)]));
}

function headOf(name: string): string {
  const [dot, bracket] = [name.indexOf("."), name.indexOf("[")];
  const end = dot < 0 || (bracket >= 0 && bracket < dot) ? bracket : dot;
  return end < 0 ? name : name.slice(0, end);
}

function place(root: Node, name: string, value: string): void {
  let node = root;
  const steps = [...name.matchAll(/[^.[\]]+(?![^[]*\])|\[([^\]]*)\]/g)];
  for (const [at, { 0: text, 1: inBrackets, index }] of steps.entries()) {
    const next = steps[at + 1];
    const key = inBrackets ?? text;
    if (next === undefined) {
      node.members.set(key, value);
      return;
    }
    const isList = next[1] !== undefined && !KEYED.has(name.slice(0, index + text.length));
    const there = node.members.get(key);
    const child = there === undefined || typeof there === "string" ? { isList, members: new Map() } : there;
    node.members.set(key, child);
    node = child;
  }
}

function jsonOf(node: Node | string): Json {
  if (typeof node === "string") return node;
  if (!node.isList) return Object.fromEntries([...node.members].map(([name, member]) => [name, jsonOf(member)]));
  return [...node.members].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, member]) => jsonOf(member));
}
