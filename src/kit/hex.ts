const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, "0"));
/** From so many bytes on the way through a Buffer is the faster one. */
const LONG = 24;

/** Upper-case hexadecimal, two digits a byte: the one form of bytes in this project's JSON, logs and vectors. */
export function toHex(bytes: Uint8Array): string {
  if (bytes.length >= LONG) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex").toUpperCase();
  let text = "";
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

export function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9A-Fa-f]*$/.test(text);
}

/** Bytes of hexadecimal text. Throws a RangeError on anything but an even number of hexadecimal digits. */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0) throw new RangeError("not hexadecimal");
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (nibbleOf(text, 2 * at) << 4) | nibbleOf(text, 2 * at + 1);
  return bytes;
}

function nibbleOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57;
  throw new RangeError("not hexadecimal");
}
