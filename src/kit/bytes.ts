/** Joins byte runs in order into one fresh array. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** XOR of two runs of the same length. Throws a RangeError where the lengths differ: that is always a bug of the caller. */
export function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length !== b.length) throw new RangeError(`xor of ${a.length} and ${b.length} bytes`);
  const sum = a.slice();
  for (let at = 0; at < sum.length; at += 1) sum[at] = (a[at] ?? 0) ^ (b[at] ?? 0);
  return sum;
}

/** Latin-1/ASCII text of bytes, one character a byte. */
export function ascii(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
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
