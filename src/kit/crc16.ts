/** The remainder for each value of the highest byte, after its eight bits. */
const REMAINDERS = Uint16Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest & 0x8000) === 0 ? rest << 1 : (rest << 1) ^ 0x1021;
  return rest;
});

/**
 * CRC-16/CCITT-FALSE of the bytes from one offset up to another: polynomial 1021, initial value FFFF, neither reflected
 * nor inverted; over "123456789" it is 29B1.
 */
export function crc16(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = 0xffff;
  for (let at = from; at < to; at += 1) crc = ((crc << 8) & 0xffff) ^ (REMAINDERS[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0);
  return crc;
}
