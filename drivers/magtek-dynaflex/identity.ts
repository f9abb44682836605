import type { Masking } from "../../src/card/dynapro-masked.ts";
import type { FaultCode, Identity, KeyStatus } from "../../src/card/notice.ts";
import { toHex } from "../../src/kit/hex.ts";
import { type Member, memberOf } from "./members.ts";
import { printable } from "./message.ts";
import { HOST_WAIT_MS } from "./timing.ts";

/** Properties that identification reads (PROTOCOL.md 7.1). */
export const properties = {
  serialNumber: "2.2.1.1.1.1",
  model: "2.1.2.2.2.1",
  firmware: "2.1.2.2.2.2",
  state: "2.3.1.2.1.1",
  problems: "2.3.1.2.1.2",
  tampered: "2.3.1.1.2.3",
  locked: "1.2.5.2.1.1",
  dataKey: "1.1.2.4.1.2",
  pinKey: "1.1.2.4.1.1",
  pinKeyAes: "1.1.2.4.1.7",
  keys: "2.3.1.1.1.2",
  leading: "1.1.2.2.1.3",
  trailing: "1.1.2.2.1.4",
  arpcTimeout: "1.1.1.1.1.5",
  arpcTries: "1.1.1.1.1.6",
  userEvents: "1.2.7.1.2.1",
  warning: "1.2.7.1.1.3",
  contactConfiguration: "2.1.2.3.3.4",
  entryPoint: "2.1.2.3.6.5",
  arqcTags: "1.1.1.1.1.2",
  fallback: "1.2.1.1.1.1",
  resetSeen: "1.2.7.1.1.2",
} as const;

export type PropertyName = keyof typeof properties;

/** Values read so far; a refused value is absent. */
export type Found = Readonly<Partial<Record<PropertyName, Uint8Array>>>;

/** Labels of the configuration items whose changes are shown. */
const configuration: readonly (readonly [PropertyName, string])[] = [
  ["contactConfiguration", "contact configuration"],
  ["entryPoint", "contactless configuration"],
  ["arqcTags", "ARQC tags"],
  ["arpcTimeout", "ARPC timeout"],
  ["arpcTries", "ARPC retries"],
  ["dataKey", "account data key"],
  ["pinKey", "PIN key"],
];

/** Longer values do not help an operator. */
const MOST_SHOWN = 32;

const hex = (value: Uint8Array | undefined): string => toHex(value ?? new Uint8Array(0));

/** Serial number: seven digits, and half a byte that is always 0 (PROTOCOL.md 7.1). */
function serialNumberIn({ serialNumber }: Found): string {
  return hex(serialNumber?.slice(0, 8)).replace(/^(.{7})0$/, "$1");
}

/** The device's identity. It has no clock that a host can read. */
export function identityOf(found: Found): Identity {
  const items = configuration.flatMap(([name, title]) => {
    const value = found[name];
    return value === undefined ? [] : [{ name: title, version: hex(value.slice(0, MOST_SHOWN)) }];
  });
  return {
    serialNumber: serialNumberIn(found),
    model: printable(found.model ?? new Uint8Array(0)).trim() || "DynaFlex",
    firmware: printable(found.firmware ?? new Uint8Array(0)).trim(),
    configuration: items,
  };
}

export function memberIn({ model }: Found): Member {
  return memberOf(printable(model ?? new Uint8Array(0)));
}

const OFFLINE = 0x01;
const TAMPERED = 0x01;
/** Problem bits: tampering, master key, keys and certificates. */
const PROBLEM_TAMPER = 0x01;
const PROBLEM_KEYS = 0x06;

const isOffline = ({ state }: Found): boolean => state?.[0] === OFFLINE;

/** The key state that the device reports (PROTOCOL.md 7.2); unreported parts are absent. */
export function keysOf(found: Found): KeyStatus {
  const [problems] = found.problems ?? [];
  const [tampered] = found.tampered ?? [];
  const sred =
    isOffline(found) && problems !== undefined && (problems & PROBLEM_KEYS) !== 0
      ? false
      : isLoaded(found, found.dataKey);
  const [tdes, aes] = [isLoaded(found, found.pinKey), isLoaded(found, found.pinKeyAes)];
  const pin = tdes === true || aes === true ? true : (tdes ?? aes);
  const isTampered =
    problems === undefined && tampered === undefined
      ? undefined
      : ((problems ?? 0) & PROBLEM_TAMPER) !== 0 || tampered === TAMPERED;
  return {
    ...(sred !== undefined && { sred }),
    ...(pin !== undefined && memberIn(found).touch && { pin }),
    ...(isTampered !== undefined && { tampered: isTampered }),
  };
}

const SLOT_PAGE = 0x20;
const LAST_SLOT = 0x1f;

/**
 * Whether the slot assigned to a use holds a key. Slots are 2000 to 201F; the map's last byte comes first, bit 0 is
 * 2000.
 */
function isLoaded({ keys }: Found, mapping: Uint8Array | undefined): boolean | undefined {
  const [page, slot] = mapping ?? [];
  if (keys?.length !== 4 || page === undefined || slot === undefined) return undefined;
  if (page !== SLOT_PAGE || slot > LAST_SLOT) return false;
  return (((keys[3 - (slot >> 3)] ?? 0) >> (slot & 0x07)) & 1) === 1;
}

export function maskingIn({ leading, trailing }: Found, usual: Masking): Masking {
  return { leading: leading?.[0] ?? usual.leading, trailing: trailing?.[0] ?? usual.trailing };
}

/** User event bits: card seated, card unseated. */
const SLOT_EVENTS = 0x0c;

export function tellsSlot({ userEvents }: Found): boolean {
  return ((userEvents?.[0] ?? 0) & SLOT_EVENTS) === SLOT_EVENTS;
}

const MINUTE_MS = 60_000;

/** Warning time before the restart, in milliseconds (the property is in minutes); `usual` if it is missing or 0. */
export function warnsMs({ warning }: Found, usual: number): number {
  const [minutes = 0] = warning ?? [];
  return minutes === 0 ? usual : minutes * MINUTE_MS;
}

const LOCKED = 0x01;
const FOLLOWS_TRANSACTION = 0xff;

/** Why the device cannot take payments, apart from its keys (PROTOCOL.md 7.2), or undefined. */
export function problemOf(found: Found): { readonly code: FaultCode; readonly detail: string } | undefined {
  if (found.locked?.[0] === LOCKED)
    return { code: "misconfigured", detail: "it is locked (property 1.2.5.2.1.1); unlock it with its passcode" };
  const [seconds = 0] = found.arpcTimeout ?? [];
  if (seconds !== 0 && seconds !== FOLLOWS_TRANSACTION && seconds * 1000 < HOST_WAIT_MS) {
    return {
      code: "misconfigured",
      detail: `it waits only ${seconds} s for the issuer's answer (property 1.1.1.1.1.5); set FF`,
    };
  }
  const { tampered, sred } = keysOf(found);
  if (!isOffline(found) || tampered === true || sred === false) return undefined;
  return {
    code: "device-error",
    detail: `it is offline, problems ${hex(found.problems)} (property 2.3.1.2.1.2): switch it off and on, then have it repaired`,
  };
}
