import { holdsCardNumber } from "../../kit/card-number.ts";
import { pathText } from "./problem.ts";

/** Item codes consist of digits and are no free text (contract, section 3: "free text, not item codes"). */
const ITEM_CODES = new Set([
  "sku",
  "merchantItemId",
  "productCode",
  "partNumber",
  "commodityCode",
  "vatReferenceNumber",
  "itemNumber",
]);

/** The path of a field whose text, or whose name, looks like a card number; never its digits. */
export function findCardNumber(value: unknown, path: readonly PropertyKey[] = []): string | undefined {
  if (typeof value === "string") return holdsCardNumber(value) ? pathText(path) : undefined;
  if (typeof value === "number") return holdsCardNumber(String(value)) ? pathText(path) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value))
    return firstFound(
      value.map((item, index) => [index, item]),
      path,
    );
  const members = Object.entries(value);
  if (members.some(([name]) => holdsCardNumber(name))) return pathText(path);
  return firstFound(
    members.filter(([name, member]) => !ITEM_CODES.has(name) && !isSchemeReference([...path, name], member)),
    path,
  );
}

/**
 * A reference of a card scheme, which the register sends back (`gateway.initialTransactionId`). It has 15 digits, and
 * one in 500 looks like an American Express number.
 */
function isSchemeReference(path: readonly PropertyKey[], value: unknown): boolean {
  const name = path.slice(-2).join(".");
  const isNamed = name === "standingInstruction.initialTransactionId" || name === "standingInstruction.agreementId";
  return isNamed && typeof value === "string" && /^[0-9]{15}$/.test(value);
}

function firstFound(
  members: readonly (readonly [PropertyKey, unknown])[],
  path: readonly PropertyKey[],
): string | undefined {
  for (const [name, member] of members) {
    const found = findCardNumber(member, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
