/** A copy of up to 24 bytes is faster one by one than by one call. */
const FEW = 24;

/** Joins the parts in order into a new array. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    put(part, joined, at);
    at += part.length;
  }
  return joined;
}

export function put(part: Uint8Array, into: Uint8Array, at: number): void {
  if (part.length > FEW) into.set(part, at);
  else for (let index = 0; index < part.length; index += 1) into[at + index] = part[index] ?? 0;
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

/** Throws a RangeError if the lengths differ: a bug of the caller. */
export function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length !== b.length) throw new RangeError(`xor of ${a.length} and ${b.length} bytes`);
  const sum = new Uint8Array(a.length);
  for (let at = 0; at < sum.length; at += 1) sum[at] = (a[at] ?? 0) ^ (b[at] ?? 0);
  return sum;
}

/** XOR of the bytes from one offset up to another: the check byte of many frames. */
export function xorSum(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum ^= bytes[at] ?? 0;
  return sum;
}

/** Latin-1/ASCII text of bytes, one character a byte. */
export function ascii(bytes: Uint8Array): string {
  if (bytes.length > FEW) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  let text = "";
  for (let at = 0; at < bytes.length; at += 1) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

/** Bytes of ASCII text. Throws a RangeError on a character above 0xFF. */
export function fromAscii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0xff) throw new RangeError(`not a one-byte character: U+${code.toString(16)}`);
    bytes[at] = code;
  }
  return bytes;
}
