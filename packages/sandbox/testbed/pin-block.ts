import { xor } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";

/** ISO 9564-1, 9.3.1. */
const MIN_PIN_DIGITS = 4;
const MAX_PIN_DIGITS = 12;

export type PinBlockOpening =
  | { readonly ok: true; readonly pin: string }
  | { readonly ok: false; readonly error: string };

/**
 * ISO 9564-1 format 0 in clear, eight bytes. Throws a RangeError unless the PIN has 4 to 12 digits and the PAN at least
 * 13.
 */
export function encodePinBlock(pin: string, pan: string): Uint8Array {
  if (!/^[0-9]{4,12}$/.test(pin)) throw new RangeError(`a PIN has ${MIN_PIN_DIGITS} to ${MAX_PIN_DIGITS} digits`);
  const field = `0${pin.length.toString(16)}${pin}`.padEnd(16, "F");
  return xor(fromHex(field), panField(pan));
}

/**
 * The PIN of a clear format 0 block. A wrong key or PAN shows as a malformed block: answer "PIN block error", never
 * "wrong PIN".
 */
export function decodePinBlock(block: Uint8Array, pan: string): PinBlockOpening {
  if (block.length !== 8) return { ok: false, error: `a PIN block has 8 bytes, not ${block.length}` };
  const field = toHex(xor(block, panField(pan)));
  if (field[0] !== "0") return { ok: false, error: "PIN block is not of format 0" };
  const length = Number.parseInt(field.slice(1, 2), 16);
  if (length < MIN_PIN_DIGITS || length > MAX_PIN_DIGITS)
    return { ok: false, error: "PIN length in the block is not 4 to 12" };
  const pin = field.slice(2, 2 + length);
  if (!/^[0-9]+$/.test(pin)) return { ok: false, error: "PIN block holds a digit that is not decimal" };
  if (!/^F*$/.test(field.slice(2 + length))) return { ok: false, error: "PIN block is not filled with F" };
  return { ok: true, pin };
}

/** The rightmost twelve PAN digits without check digit, after four zeros. */
function panField(pan: string): Uint8Array {
  if (!/^[0-9]{13,19}$/.test(pan)) throw new RangeError("a PAN for a PIN block has 13 to 19 digits");
  return fromHex(`0000${pan.slice(-13, -1)}`);
}
