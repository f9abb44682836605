import { encode } from "uqr";

/**
 * Number of cached pictures. Every register gets a link at every change of its payment, and drawing takes a
 * millisecond.
 */
const KEPT = 64;

/** Latest pictures by text, oldest first. */
const drawn = new Map<string, string>();

/**
 * A QR code (ISO/IEC 18004, error correction level M) as SVG, black on white, with the required quiet zone of four
 * modules. One unit is a module. Throws if the text exceeds 2331 bytes of UTF-8.
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
  const path = data
    .flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`))
    .join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
}

/** Start and length of each run of black modules in a row. */
function runsOf(row: readonly boolean[]): readonly (readonly [start: number, length: number])[] {
  const starts = row.flatMap((isBlack, at) => (isBlack && row[at - 1] !== true ? [at] : []));
  return starts.map((start) => {
    const end = row.indexOf(false, start);
    return [start, (end < 0 ? row.length : end) - start];
  });
}
