import { holdsCardNumber } from "../kit/card-number.ts";

/** What a support bundle holds, by name; each part is whatever its own room tells of itself. */
export type BundleParts = Readonly<Record<string, unknown>>;

/** `where`: the path of the member that reads like a card number, never what it says. */
export type Bundle = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly where: string };

/** One JSON text, unless something in it reads like a card number. */
export function supportBundle(parts: BundleParts): Bundle {
  const plain: unknown = JSON.parse(JSON.stringify(parts, withoutSecrets));
  const where = cardNumberAt(plain, "");
  return where === undefined ? { ok: true, text: `${JSON.stringify(plain, null, 2)}\n` } : { ok: false, where };
}

/** Certificates say nothing that support needs; secrets write themselves as "[secret]" (kit/secret.ts). */
const LEFT_OUT: ReadonlySet<string> = new Set(["cert", "ca"]);

/** The decimals of a measured time could be taken for a card number: three are enough. */
function withoutSecrets(name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isInteger(value)) return Math.round(value * 1_000) / 1_000;
  return LEFT_OUT.has(name) && typeof value === "string" ? "[left out]" : value;
}

/** Members that hold a name made by this bridge or the gateway, where they have its form. One in many thousands of these reads like a card number by chance. */
const IDS: ReadonlySet<string> = new Set(["id", "payment", "of", "merchantTransactionId", "gatewayId", "entityId", "bridge"]);
const ID = /^(?:(?:pay|brg)_[0-9a-f]{24}|[0-9A-Za-z]{32})$/;

function cardNumberAt(value: unknown, path: string): string | undefined {
  if (typeof value === "string" || typeof value === "number") return holdsCardNumber(String(value)) ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return firstAt(value.map((item: unknown, at) => [`${path}[${at}]`, "", item]));
  const members = Object.entries(value);
  if (members.some(([name]) => holdsCardNumber(name))) return path;
  return firstAt(members.map(([name, member]: [string, unknown]) => [path === "" ? name : `${path}.${name}`, name, member]));
}

function firstAt(members: readonly (readonly [path: string, name: string, value: unknown])[]): string | undefined {
  for (const [path, name, value] of members) {
    const isId = IDS.has(name) && typeof value === "string" && ID.test(value);
    const found = isId ? undefined : cardNumberAt(value, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Figures of the metrics with three decimals at most, as lines. */
export function shortFigures(metrics: string): readonly string[] {
  return metrics
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.replace(/(\.[0-9]{3})[0-9]+/g, "$1"));
}
