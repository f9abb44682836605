/** Joins byte runs in order into one fresh array. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
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
  return a.map((byte, at) => byte ^ (b[at] ?? 0));
}

/** Latin-1/ASCII text of bytes, one character a byte. */
export function ascii(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** Bytes of ASCII text. Throws a RangeError on a character above 0xFF. */
export function fromAscii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    if (code > 0xff) throw new RangeError(`not a one-byte character: U+${code.toString(16)}`);
    return code;
  });
}
