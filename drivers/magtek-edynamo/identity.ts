import type { LocalTime } from "../../src/card/command.ts";
import { type Masking, USUAL_MASKING } from "../../src/card/dynapro-masked.ts";
import type { FaultCode, Identity, KeyStatus } from "../../src/card/notice.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { Member } from "./members.ts";

/** Values read from a device. A refused value is absent (PROTOCOL.md 7.1). */
export interface Found {
  readonly serialNumber?: Uint8Array;
  readonly firmware?: Uint8Array;
  readonly mask?: Uint8Array;
  readonly variant?: Uint8Array;
  readonly format?: Uint8Array;
  readonly level?: Uint8Array;
  readonly ksn?: Uint8Array;
  readonly clock?: LocalTime;
  /** The device reported that it has no keys. */
  readonly lacksKeys?: true;
}

export type FoundName = Exclude<keyof Found, "clock" | "lacksKeys">;

/** Properties by their number (PROTOCOL.md 4.1). */
export const properties = { firmware: 0x00, serialNumber: 0x03, mask: 0x07, variant: 0x67, format: 0x68 } as const;

/** Text from a device, at most 64 characters, reduced to printable ASCII. */
export function printable(bytes: Uint8Array = new Uint8Array(0)): string {
  const [text = ""] = ascii(bytes.slice(0, 64)).split("\0");
  return text.replace(/[^\x20-\x7e]/g, "?").trim();
}

/** The device's identity. The key's counter is removed, because it changes with each card. */
export function identityOf(found: Found, { title }: Member): Identity {
  const items = [
    { name: "security level", value: found.level },
    { name: "encryption variant", value: found.variant },
    { name: "message format", value: found.format },
  ].flatMap(({ name, value }) => (value === undefined ? [] : [{ name, version: toHex(value.slice(0, 8)) }]));
  return {
    serialNumber: printable(found.serialNumber),
    model: title,
    firmware: printable(found.firmware),
    configuration: items,
    ...(found.clock && { clock: found.clock }),
  };
}

const ENCRYPTING = 0x03;

/** Whether the device has a card data key and uses it; absent if it reported neither (PROTOCOL.md 7.2). */
export function keysOf({ level, ksn, lacksKeys }: Found): KeyStatus {
  const [number] = level ?? [];
  if (lacksKeys || ksn?.every((byte) => byte === 0) || (number !== undefined && number < ENCRYPTING))
    return { sred: false };
  return number === undefined && ksn === undefined ? {} : { sred: true };
}

const STANDARD_FORMAT = 0x01;

/** Why the device cannot take payments, apart from its keys (PROTOCOL.md 7.2), or undefined. */
export function problemOf({ format }: Found): { readonly code: FaultCode; readonly detail: string } | undefined {
  if (format === undefined || format[0] === STANDARD_FORMAT) return undefined;
  return {
    code: "misconfigured",
    detail: `it tells card data in another format (property 0x68 is ${toHex(format.slice(0, 1))}); set 01`,
  };
}

/**
 * Two digits for the clear leading characters, two for the trailing ones, the mask character, and Y or N for a
 * corrected check digit.
 */
const MASK = /^([0-9]{2})([0-9]{2}).[YN]$/;

/** Clear digits of a masked number; the maker's default if the device does not report them (PROTOCOL.md 6.4). */
export function maskingIn({ mask }: Found): Masking {
  const [, leading, trailing] = MASK.exec(printable(mask)) ?? [];
  return leading === undefined || trailing === undefined
    ? USUAL_MASKING
    : { leading: Number(leading), trailing: Number(trailing) };
}

/** First day of the device's calendar: a clock that was never set counts from it (PROTOCOL.md 4.3). */
export const NOT_SET: LocalTime = { date: "080101", time: "000000" };
const FIRST_YEAR = 2008;
const CENTURY = 2000;

/** The device's clock; undefined if the answer holds none. */
export function clockIn(data: Uint8Array): LocalTime | undefined {
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0, , year = 0] = data;
  if (data.length < 7) return undefined;
  const pair = (number: number): string => String(number % 100).padStart(2, "0");
  return {
    date: pair(FIRST_YEAR - CENTURY + year) + pair(month) + pair(day),
    time: pair(hour) + pair(minute) + pair(second),
  };
}

const UNSECURED = 17;

/** A time in the device's form. The MAC in front of it is ignored by a device that requires none. */
export function clockData({ date, time }: LocalTime): Uint8Array {
  const numbers = [...date.matchAll(/../g), ...time.matchAll(/../g)].map(([pair]) => Number.parseInt(pair, 10));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const data = new Uint8Array(UNSECURED + 7);
  data.set([month, day, hour, minute, second, 0, (CENTURY + year - FIRST_YEAR) & 0xff], UNSECURED);
  return data;
}
