const COLOURS: Readonly<Record<string, string>> = {
  VISA: "#1a1f71",
  MASTER: "#c2410c",
  AMEX: "#016fd0",
  DINERS: "#0079be",
  DISCOVER: "#b45309",
  JCB: "#0e7a3b",
  MAESTRO: "#7375cf",
  DIRECTDEBIT_SEPA: "#1f4e9e",
  PAYPAL: "#003087",
};
const OTHERS = "#374151";

/** Longer names are squeezed to fit the width. */
const FITS = 5;

/** A plain sign: the brand's name and a line of colour. The real logos belong to the brands. */
export function brandImage(brand: string, title: string): string {
  const colour = COLOURS[brand] ?? OTHERS;
  const text = title.length > 12 ? brand.split("_")[0] : title;
  const size =
    title.length > FITS
      ? `font-size="${title.length < 8 ? 11 : 9}" textLength="41" lengthAdjust="spacingAndGlyphs"`
      : `font-size="13"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="30" viewBox="0 0 48 30">
<rect x=".5" y=".5" width="47" height="29" rx="4" fill="#fff" stroke="#c4cad4"/>
<path d="M1 24h46v1a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4z" fill="${colour}"/>
<text x="24" y="17" text-anchor="middle" font-family="Arial, Helvetica, sans-serif" font-weight="700" ${size} fill="${colour}">${text}</text>
</svg>
`;
}
