import { encode } from "uqr";

/** How many are kept: a link is shown to every register at every change of its payment, and each time its picture takes a millisecond to be drawn. */
const KEPT = 64;

/** The last that were drawn, by their text; the oldest first. */
const drawn = new Map<string, string>();

/**
 * A QR code (ISO/IEC 18004, error correction level M) as the text of an SVG image of black on white, with the four modules of quiet zone that it needs around it. One unit
 * is a module: it is scaled by whoever shows it. Throws where the text is longer than 2331 bytes of UTF-8, the most that such a code holds.
 */
export function qrSvg(text: string): string {
  const known = drawn.get(text);
  if (known !== undefined) return known;
  const svg = draw(text);
  drawn.set(text, svg);
  const [oldest] = drawn.keys();
  if (drawn.size > KEPT && oldest !== undefined) drawn.delete(oldest);
  return svg;
}

function draw(text: string): string {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
}

/** Where each run of black modules of a row begins, and how long it is. */
function runsOf(row: readonly boolean[]): readonly (readonly [start: number, length: number])[] {
  const starts = row.flatMap((isBlack, at) => (isBlack && row[at - 1] !== true ? [at] : []));
  return starts.map((start) => {
    const end = row.indexOf(false, start);
    return [start, (end < 0 ? row.length : end) - start];
  });
}
