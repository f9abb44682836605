/** Result of `brandOf` for an unknown card. */
export const UNKNOWN_BRAND = "UNKNOWN";

/**
 * Prefixes of registered application identifiers, and the gateway's name of the brand (paymentBrand). Cards append
 * further bytes.
 */
const aidPrefixes: Readonly<Record<string, string>> = {
  A0000000031010: "VISA",
  A0000000032010: "VISAELECTRON",
  A0000000032020: "VPAY",
  A0000000033010: "VISA",
  A0000000038010: "VISA",
  A0000000980840: "VISA",
  A0000000041010: "MASTER",
  A0000000043060: "MAESTRO",
  A0000000042203: "MASTER",
  A0000000046000: "MASTER",
  A0000000050001: "MAESTRO",
  A00000002501: "AMEX",
  A0000000651010: "JCB",
  A0000001523010: "DISCOVER",
  A0000001524010: "DISCOVER",
  A0000003241010: "DISCOVER",
  A000000333010101: "UNIONPAY",
  A000000333010102: "UNIONPAY",
  A000000333010103: "UNIONPAY",
  A000000333010108: "UNIONPAY",
  A0000002771010: "INTERAC",
  A0000000421010: "CARTEBANCAIRE",
  A0000001214711: "DANKORT",
  A0000003591010028001: "GIROCARD",
  A0000001410001: "PAGOBANCOMAT",
  A00000038410: "EFTPOS",
  A00000038420: "EFTPOS",
  A0000005241010: "RUPAY",
  A0000006581010: "MIR",
  A0000006582010: "MIR",
  A0000002281010: "MADA",
  A000000371: "VERVE",
  // Shared by several debit networks of the United States; the acquirer finds out which.
  A0000006200620: "DNA",
  D056000666111010: "BCMC",
};

/** Issuer number ranges (ISO/IEC 7812) for cards without an application; the first match counts. */
const binRanges: readonly { readonly from: string; readonly to: string; readonly brand: string }[] = [
  { from: "4", to: "4", brand: "VISA" },
  { from: "51", to: "55", brand: "MASTER" },
  { from: "2221", to: "2720", brand: "MASTER" },
  { from: "34", to: "34", brand: "AMEX" },
  { from: "37", to: "37", brand: "AMEX" },
  { from: "3528", to: "3589", brand: "JCB" },
  { from: "30", to: "30", brand: "DINERS" },
  { from: "36", to: "36", brand: "DINERS" },
  { from: "38", to: "39", brand: "DINERS" },
  { from: "6011", to: "6011", brand: "DISCOVER" },
  { from: "644", to: "649", brand: "DISCOVER" },
  { from: "65", to: "65", brand: "DISCOVER" },
  { from: "62", to: "62", brand: "UNIONPAY" },
  { from: "50", to: "50", brand: "MAESTRO" },
  { from: "56", to: "69", brand: "MAESTRO" },
];

/** The brand by the card's application, else by the start of its number, else UNKNOWN_BRAND. */
export function brandOf(aid: string | undefined, bin: string | undefined): string {
  const byNumber = bin === undefined ? undefined : brandOfBin(bin);
  const byApplication = aid === undefined ? undefined : brandOfAid(aid.toUpperCase());
  // Discover and Diners Club share an application identifier; only the number distinguishes them.
  if (byApplication === "DISCOVER" && byNumber === "DINERS") return byNumber;
  return byApplication ?? byNumber ?? UNKNOWN_BRAND;
}

function brandOfAid(aid: string): string | undefined {
  const known = Object.entries(aidPrefixes).filter(([prefix]) => aid.startsWith(prefix));
  const [longest] = known.sort(([a], [b]) => b.length - a.length);
  return longest?.[1];
}

function brandOfBin(bin: string): string | undefined {
  return binRanges.find(({ from, to }) => {
    const beginning = bin.slice(0, from.length);
    return beginning.length === from.length && beginning >= from && beginning <= to;
  })?.brand;
}

/** All results of `brandOf` for known cards, sorted. */
export const BRANDS: readonly string[] = [
  ...new Set([...Object.values(aidPrefixes), ...binRanges.map(({ brand }) => brand)]),
].toSorted();
