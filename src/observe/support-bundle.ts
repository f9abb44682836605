import { holdsCardNumber } from "../kit/card-number.ts";

/** Parts of a support bundle by name; each room provides its own. */
export type BundleParts = Readonly<Record<string, unknown>>;

/** `where`: the path of a member that looks like a card number, never its value. */
export type Bundle = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly where: string };

/** One JSON text, unless a part of it looks like a card number. */
export function supportBundle(parts: BundleParts): Bundle {
  const plain: unknown = JSON.parse(JSON.stringify(parts, withoutSecrets));
  const where = cardNumberAt(plain, "");
  return where === undefined ? { ok: true, text: `${JSON.stringify(plain, null, 2)}\n` } : { ok: false, where };
}

/** Support does not need certificates. Secrets print themselves as "[secret]" (kit/secret.ts). */
const LEFT_OUT: ReadonlySet<string> = new Set(["cert", "ca"]);

/** Three decimals are enough; more could look like a card number. */
function withoutSecrets(name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isInteger(value)) return Math.round(value * 1_000) / 1_000;
  return LEFT_OUT.has(name) && typeof value === "string" ? "[left out]" : value;
}

/**
 * Members with an id of this bridge or the gateway, if well-formed. One id in many thousands looks like a card number
 * by chance.
 */
const IDS: ReadonlySet<string> = new Set([
  "id",
  "payment",
  "of",
  "merchantTransactionId",
  "gatewayId",
  "entityId",
  "bridge",
]);
const ID = /^(?:(?:pay|brg)_[0-9a-f]{24}|[0-9A-Za-z]{32})$/;

function cardNumberAt(value: unknown, path: string): string | undefined {
  if (typeof value === "string" || typeof value === "number") return holdsCardNumber(String(value)) ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return firstAt(value.map((item: unknown, at) => [`${path}[${at}]`, "", item]));
  const members = Object.entries(value);
  if (members.some(([name]) => holdsCardNumber(name))) return path;
  return firstAt(
    members.map(([name, member]: [string, unknown]) => [path === "" ? name : `${path}.${name}`, name, member]),
  );
}

function firstAt(members: readonly (readonly [path: string, name: string, value: unknown])[]): string | undefined {
  for (const [path, name, value] of members) {
    const isId = IDS.has(name) && typeof value === "string" && ID.test(value);
    const found = isId ? undefined : cardNumberAt(value, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lines of the metrics, with at most three decimals. */
export function shortFigures(metrics: string): readonly string[] {
  return metrics
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.replace(/(\.[0-9]{3})[0-9]+/g, "$1"));
}
