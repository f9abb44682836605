/*
 * The part of the tar format that a backup needs (POSIX.1-2001, pax, "ustar Interchange Format"): regular files with
 * plain names, or in one folder. Any tar program reads it.
 */

export const BLOCK_BYTES = 512;
const USTAR = "ustar\u000000";
const MAX_OCTAL = 0o77777777777;
const MAX_NAME = 100;

export interface TarHeader {
  readonly name: string;
  readonly bytes: number;
}

/** The block before a file's content. Above 8 GiB the size is binary, as GNU tar writes it. */
export function encodeHeader({ name, bytes }: TarHeader, mtimeSeconds: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) > MAX_NAME) throw new RangeError(`${name} is too long a name`);
  block.write(name, 0, "latin1");
  block.write("0000600\u00000000000\u00000000000\u0000", 100, "latin1");
  if (bytes <= MAX_OCTAL) block.write(`${octal(bytes)}\u0000`, 124, "latin1");
  else block.writeBigUInt64BE(BigInt(bytes), 128);
  if (bytes > MAX_OCTAL) block[124] = 0x80;
  block.write(`${octal(mtimeSeconds)}\u0000`, 136, "latin1");
  block.write("0", 156, "latin1");
  block.write(USTAR, 257, "latin1");
  block.write(`${sumOf(block).toString(8).padStart(6, "0")}\u0000 `, 148, "latin1");
  return block;
}

const octal = (value: number): string => value.toString(8).padStart(11, "0");

/** Sum of the block's bytes, with the checksum field counted as blanks. */
function sumOf(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

/** Undefined unless the block is a header of a regular file with a plain name. */
export function decodeHeader(block: Buffer): TarHeader | undefined {
  const text = (from: number, length: number): string =>
    (block.toString("latin1", from, from + length).split("\u0000")[0] ?? "").trim();
  const name = text(0, MAX_NAME);
  if (!/^(?:[a-z]+\/)?[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) || text(257, 5) !== "ustar" || text(156, 1) !== "0")
    return undefined;
  if (Number.parseInt(text(148, 8), 8) !== sumOf(block)) return undefined;
  if (block[124] === 0x80) return { name, bytes: Number(block.readBigUInt64BE(128)) };
  const size = text(124, 12);
  return /^[0-7]{1,11}$/.test(size) ? { name, bytes: Number.parseInt(size, 8) } : undefined;
}

export function isEnd(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** Zeroes that fill a file's last block. */
export function paddingOf(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}
