/** Upper-case hexadecimal, two digits a byte: the one form of bytes in this project's JSON, logs and vectors. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex").toUpperCase();
}

export function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9A-Fa-f]*$/.test(text);
}

/** Bytes of hexadecimal text. Throws a RangeError on anything but an even number of hexadecimal digits. */
export function fromHex(text: string): Uint8Array {
  if (!isHex(text)) throw new RangeError("not hexadecimal");
  return new Uint8Array(Buffer.from(text, "hex"));
}
