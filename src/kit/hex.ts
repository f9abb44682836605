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
  if (!isHex(text)) throw new RangeError("not hexadecimal");
  return new Uint8Array(Buffer.from(text, "hex"));
}
