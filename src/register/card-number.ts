import { pathText } from "./problem.ts";

/** Item codes are made of digits and are nobody's free text (contract, section 3: "free text, not item codes"). */
const ITEM_CODES = new Set(["sku", "merchantItemId", "productCode", "partNumber", "commodityCode", "vatReferenceNumber", "itemNumber"]);

/** Lengths that card numbers of the brands below have: 15 American Express, 16 nearly all, 19 the long ones. */
const LENGTHS = new Set([15, 16, 19]);
const LONGEST = 19;

/** First digits by brand (ISO/IEC 7812 issuer ranges as the brands publish them), as [length of the prefix, lowest, highest], by length of the number. */
const RANGES: Readonly<Record<number, readonly (readonly [number, number, number])[]>> = {
  15: [
    [2, 34, 34],
    [2, 37, 37],
  ],
  16: [
    [4, 2200, 2204],
    [4, 2221, 2720],
    [3, 300, 305],
    [2, 36, 36],
    [2, 38, 39],
    [4, 3528, 3589],
    [1, 4, 4],
    [1, 5, 5],
    [1, 6, 6],
  ],
  19: [
    [4, 2200, 2204],
    [4, 3528, 3589],
    [1, 4, 4],
    [1, 5, 5],
    [1, 6, 6],
  ],
};

/**
 * Where free text holds a Luhn-valid run of 15, 16 or 19 digits that begins like a card number: the path of the field, never its digits. Spaces and dashes may stand between
 * the digits; a run begins and ends where a group of digits does. Names of fields count as text too.
 */
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

/** What a till was told to send back (`gateway.initialTransactionId`): card schemes give references of 15 digits, one in 500 of which reads like an American Express number. */
function isSchemeReference(path: readonly PropertyKey[], value: unknown): boolean {
  const name = path.slice(-2).join(".");
  const isNamed = name === "standingInstruction.initialTransactionId" || name === "standingInstruction.agreementId";
  return isNamed && typeof value === "string" && /^[0-9]{15}$/.test(value);
}

function firstFound(members: readonly (readonly [PropertyKey, unknown])[], path: readonly PropertyKey[]): string | undefined {
  for (const [name, member] of members) {
    const found = findCardNumber(member, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function holdsCardNumber(text: string): boolean {
  // NFKC makes ASCII digits and blanks of their full-width and no-break forms.
  for (const run of text.normalize("NFKC").matchAll(/[0-9]+(?:[\s\p{Pd}]{1,3}[0-9]+)*/gu)) {
    const groups = run[0].match(/[0-9]+/g) ?? [];
    if (groups.some((_, first) => startsCardNumber(groups, first))) return true;
  }
  return false;
}

function startsCardNumber(groups: readonly string[], first: number): boolean {
  let digits = "";
  for (let at = first; at < groups.length && digits.length < LONGEST; at += 1) {
    digits += groups[at] ?? "";
    if (LENGTHS.has(digits.length) && beginsLikeCard(digits) && luhnValid(digits)) return true;
  }
  return false;
}

function beginsLikeCard(digits: string): boolean {
  return (RANGES[digits.length] ?? []).some(([length, low, high]) => {
    const prefix = Number(digits.slice(0, length));
    return prefix >= low && prefix <= high;
  });
}

/** ISO/IEC 7812-1 annex B. */
function luhnValid(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
