/** A BER-TLV parser without checks. */
export function parseBare(bytes: Uint8Array): readonly { readonly tag: string; readonly value: Uint8Array }[] {
  const found: { tag: string; value: Uint8Array }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    if (((bytes[at++] ?? 0) & 0x1f) === 0x1f) while (((bytes[at++] ?? 0) & 0x80) !== 0);
    const tag = Buffer.from(bytes.buffer, bytes.byteOffset + start, at - start).toString("hex");
    const length = bytes[at++] ?? 0;
    found.push({ tag, value: bytes.subarray(at, at + length) });
    at += length;
  }
  return found;
}

export function buildBare(objects: readonly { readonly tag: string; readonly value: Uint8Array }[]): Uint8Array {
  return Buffer.concat(objects.flatMap(({ tag, value }) => [Buffer.from(tag, "hex"), Buffer.of(value.length), value]));
}
