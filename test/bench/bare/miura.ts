// Just as much of the Miura's protocol (drivers/miura-m020/PROTOCOL.md) as one sale needs, by hand.

export type Objects = ReadonlyMap<string, Buffer>;

const NO_OBJECTS: Objects = new Map();

/** One packet: address, flags, length, data, and the XOR of all of it. */
function packet(apdu: Buffer): Buffer {
  const bytes = Buffer.alloc(apdu.length + 4);
  bytes[0] = 1;
  bytes[2] = apdu.length;
  apdu.copy(bytes, 3);
  bytes[bytes.length - 1] = bytes.subarray(0, -1).reduce((sum, byte) => sum ^ byte, 0);
  return bytes;
}

export function command(header: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const length = data.length === 0 ? [] : [Buffer.of(data.length)];
  return packet(Buffer.concat([Buffer.from(header, "hex"), ...length, data]));
}

export function tlv(tag: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from(tag, "hex"), Buffer.of(value.length), value]);
}

/** The objects of a BER-TLV, those inside templates too; the first of each tag. */
export function objectsIn(bytes: Buffer, into = new Map<string, Buffer>()): Objects {
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const isTemplate = ((bytes[at] ?? 0) & 0x20) !== 0;
    if (((bytes[at++] ?? 0) & 0x1f) === 0x1f) while (((bytes[at++] ?? 0) & 0x80) !== 0);
    const tag = bytes.subarray(start, at).toString("hex").toUpperCase();
    let length = bytes[at++] ?? 0;
    if (length > 0x80) {
      const size = length - 0x80;
      length = bytes.readUIntBE(at, size);
      at += size;
    }
    const value = bytes.subarray(at, at + length);
    at += length;
    if (isTemplate) objectsIn(value, into);
    else if (!into.has(tag)) into.set(tag, value);
  }
  return into;
}

/** Joins packets of a stream, and tells whole answers and events without their status words. */
export function listener(told: (body: Buffer, isEvent: boolean) => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= (pending[2] ?? 0) + 4) {
      const length = pending[2] ?? 0;
      const flags = pending[1] ?? 0;
      parts.push(pending.subarray(3, 3 + length));
      pending = pending.subarray(length + 4);
      if ((flags & 1) !== 0) continue;
      const body = parts.length === 1 ? (parts[0] ?? pending) : Buffer.concat(parts);
      parts = [];
      told(body, (flags & 0x40) !== 0);
    }
  };
}

/** Objects of an answer, without its status word. */
export const answerIn = (body: Buffer): Objects => (body.length <= 2 ? NO_OBJECTS : objectsIn(body.subarray(0, -2)));
