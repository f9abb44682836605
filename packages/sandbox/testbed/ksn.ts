import { onesIn } from "./des.ts";

/** ANSI X9.24-1: ten bytes, 59 bits of identity (key set, device), then 21 bits of counter. */
export const KSN_BYTES = 10;

const COUNTER_BITS = 21;
const COUNTER_MASK = 0x1f_ffff;
/** X9.24-1, A.2: counters with more one bits are skipped, so that no key needs more than ten steps. */
const MAX_ONES = 10;

/** The last four bytes as a number: 11 bits of identity, 21 of counter. */
function tail(ksn: Uint8Array): number {
  return (((ksn[6] ?? 0) << 24) | ((ksn[7] ?? 0) << 16) | ((ksn[8] ?? 0) << 8) | (ksn[9] ?? 0)) >>> 0;
}

export function ksnCounter(ksn: Uint8Array): number {
  return tail(ksn) & COUNTER_MASK;
}

/**
 * The same identity with another counter (0 to 1FFFFF). Throws a RangeError if the KSN is not ten bytes or the counter
 * exceeds 21 bits.
 */
export function withCounter(ksn: Uint8Array, counter: number): Uint8Array {
  if (ksn.length !== KSN_BYTES)
    throw new RangeError(`a TDES key serial number has ${KSN_BYTES} bytes, not ${ksn.length}`);
  if (counter < 0 || counter > COUNTER_MASK)
    throw new RangeError(`counter ${counter} does not fit into ${COUNTER_BITS} bits`);
  const copy = ksn.slice();
  const end = (tail(ksn) & ~COUNTER_MASK) | counter;
  for (let at = 0; at < 4; at += 1) copy[KSN_BYTES - 4 + at] = end >> (24 - 8 * at);
  return copy;
}

/** Whether X9.24 uses the counter: above zero, with at most ten one bits. */
export function isUsedCounter(counter: number): boolean {
  return counter > 0 && counter <= COUNTER_MASK && onesIn(counter) <= MAX_ONES;
}

/** The next KSN; undefined: all keys are used and the device must be reloaded. */
export function nextKsn(ksn: Uint8Array): Uint8Array | undefined {
  let counter = ksnCounter(ksn) + 1;
  // Adding the lowest one bit carries upwards and removes ones, so this finds the next allowed counter without trying
  // all between.
  while (onesIn(counter) > MAX_ONES) counter += counter & -counter;
  return counter > COUNTER_MASK ? undefined : withCounter(ksn, counter);
}
