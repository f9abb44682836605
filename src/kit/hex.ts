const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).toUpperCase().padStart(2, "0"),
);
/** From 24 bytes on, a Buffer is faster. */
const LONG = 24;

/** One byte in upper-case hexadecimal. */
export function hexByte(byte: number): string {
  return DIGITS[byte] ?? "";
}

/** Upper-case hexadecimal, two digits a byte: the form of bytes in all JSON, logs and vectors of this project. */
export function toHex(bytes: Uint8Array): string {
  if (bytes.length >= LONG)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex").toUpperCase();
  let text = "";
  for (let at = 0; at < bytes.length; at += 1) text += hexByte(bytes[at] ?? 0);
  return text;
}

export function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9A-Fa-f]*$/.test(text);
}

/** Throws a RangeError on anything but an even number of hexadecimal digits. */
export function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  putHex(text, bytes, 0);
  return bytes;
}

/** Bytes of foreign text; undefined if it is not hexadecimal, or is empty. */
export function bytesOfDigits(text: string): Uint8Array | undefined {
  return text !== "" && isHex(text) ? fromHex(text) : undefined;
}

/** Writes the bytes of hexadecimal text into an array, from `at` on. Throws like `fromHex`. */
export function putHex(text: string, into: Uint8Array, at: number): void {
  if (text.length % 2 !== 0) throw new RangeError("not hexadecimal");
  for (let digit = 0; digit < text.length; digit += 2)
    into[at + (digit >> 1)] = (nibbleOf(text, digit) << 4) | nibbleOf(text, digit + 1);
}

function nibbleOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57;
  throw new RangeError("not hexadecimal");
}
