/**
 * A card brand of this gateway. The specification gives only the format of the key; the keys are from public references
 * of this gateway.
 */
export interface CardBrand {
  /** As in paymentBrand. */
  readonly key: string;
  /** Card numbers that may belong to the brand. */
  readonly numbers: RegExp;
  readonly cvvDigits: 3 | 4;
  /** Whether issuers of the brand require the security code from a holder who types the number (100.100.600). */
  readonly wantsCvv: boolean;
  readonly type: "CREDIT" | "DEBIT";
}

type Options = Partial<Pick<CardBrand, "cvvDigits" | "wantsCvv" | "type">>;

const brand = (
  key: string,
  numbers: RegExp,
  { cvvDigits = 3, wantsCvv = false, type = "CREDIT" }: Options = {},
): CardBrand => ({
  ...{ key, numbers, cvvDigits, wantsCvv, type },
});

const VISA = /^4[0-9]{12}(?:[0-9]{3}){0,2}$/;
const MASTER = /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)[0-9]+$/;
const EITHER = new RegExp(`${VISA.source}|${MASTER.source}`);

/** Brands detected from the number; narrower ranges first. */
const detected: readonly CardBrand[] = [
  brand("AMEX", /^3[47][0-9]{13}$/, { cvvDigits: 4, wantsCvv: true }),
  brand("DINERS", /^3(?:0[0-5]|095|[689][0-9])[0-9]{10,16}$/),
  brand("JCB", /^(?:35(?:2[89]|[3-8][0-9])|3[01]|2131|1800)[0-9]{11,15}$/),
  brand("HIPERCARD", /^606282[0-9]{10,13}$/),
  brand("DISCOVER", /^(?:6011|64[4-9]|65)[0-9]{10,15}$/, { wantsCvv: true }),
  brand("CHINAUNIONPAY", /^62[0-9]{14,17}$/),
  brand("DANKORT", /^5019[0-9]{12}$/, { type: "DEBIT" }),
  brand("MASTER", MASTER, { wantsCvv: true }),
  brand("MAESTRO", /^(?:(?:50|5[6-9])[0-9]{10,17}|6[0-9]{11,18})$/, { type: "DEBIT" }),
  brand("VISA", VISA, { wantsCvv: true }),
];

/** Brands that share number ranges with the others, so paymentBrand has to name them. */
const said: readonly CardBrand[] = [
  brand("VISADEBIT", VISA, { wantsCvv: true, type: "DEBIT" }),
  brand("VISAELECTRON", VISA, { type: "DEBIT" }),
  brand("VPAY", VISA, { type: "DEBIT" }),
  brand("MASTERDEBIT", MASTER, { wantsCvv: true, type: "DEBIT" }),
  brand("CARTEBANCAIRE", EITHER, { wantsCvv: true, type: "DEBIT" }),
  brand("CARTEBLEUE", EITHER, { wantsCvv: true, type: "DEBIT" }),
  brand("MADA", EITHER, { wantsCvv: true, type: "DEBIT" }),
  brand("BCMC", /^67[0-9]{10,17}$/, { type: "DEBIT" }),
  brand("UNIONPAY", /^62[0-9]{14,17}$/),
  ...["AXESS", "BONUS", "WORLD", "ASYACARD", "MAXIMUM", "CARDFINANS", "ELO"].map((key) => brand(key, EITHER)),
];

const byKey: ReadonlyMap<string, CardBrand> = new Map([...detected, ...said].map((one) => [one.key, one]));

export const cardBrands: readonly CardBrand[] = [...byKey.values()];

/** Undefined: the key is no card brand. */
export function cardBrandOf(key: string): CardBrand | undefined {
  return byKey.get(key);
}

/** Brand detected from the number (specification, "Response body", brandResult). */
export function detectBrand(number: string): CardBrand | undefined {
  return detected.find(({ numbers }) => numbers.test(number));
}
