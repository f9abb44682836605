import { concat } from "./bytes.ts";

/* SLIP (RFC 1055): frames between bytes C0; inside, C0 is DB DC and DB is DB DD. */

const END = 0xc0;
const ESCAPE = 0xdb;
const ESCAPED_END = 0xdc;
const ESCAPED_ESCAPE = 0xdd;

export function slipFrame(plain: Uint8Array): Uint8Array {
  // Every byte may need an escape.
  const frame = new Uint8Array(2 * plain.length + 2);
  frame[0] = END;
  let at = 1;
  for (const byte of plain) {
    const isEscaped = byte === END || byte === ESCAPE;
    if (isEscaped) frame[at++] = ESCAPE;
    frame[at++] = isEscaped ? (byte === END ? ESCAPED_END : ESCAPED_ESCAPE) : byte;
  }
  frame[at++] = END;
  return frame.slice(0, at);
}

/** Pieces between delimiters, still escaped. Never throws. */
export interface SlipCut {
  readonly pieces: readonly Uint8Array[];
  readonly pending: Uint8Array;
  readonly broken?: string;
}

/** `longest`: bytes of the longest escaped frame; a longer unfinished one is broken. */
export function cutSlip(pending: Uint8Array, chunk: Uint8Array, longest: number): SlipCut {
  const bytes = pending.length === 0 ? chunk : concat(pending, chunk);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(END); at !== -1; at = bytes.indexOf(END, from)) {
    if (at > from) pieces.push(bytes.slice(from, at));
    from = at + 1;
  }
  const rest = bytes.slice(from);
  if (rest.length > longest) return { pieces, pending: new Uint8Array(0), broken: `no frame in ${longest} bytes` };
  return { pieces, pending: rest };
}

/** Removes escapes; undefined if an escape is invalid. Never throws. */
export function unescaped(piece: Uint8Array): Uint8Array | undefined {
  const plain = new Uint8Array(piece.length);
  let size = 0;
  for (let at = 0; at < piece.length; at += 1) {
    const byte = piece[at] ?? 0;
    if (byte !== ESCAPE) {
      plain[size++] = byte;
      continue;
    }
    at += 1;
    const next = piece[at];
    if (next !== ESCAPED_END && next !== ESCAPED_ESCAPE) return undefined;
    plain[size++] = next === ESCAPED_END ? END : ESCAPE;
  }
  return plain.slice(0, size);
}
