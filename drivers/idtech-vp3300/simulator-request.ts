import type { HostAnswer } from "../../packages/sandbox/testbed/contact-kernel.ts";
import { findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { SessionRequest, Ways } from "../../src/simulator/session-contract.ts";
import { CHIP, MAGSTRIPE, TAP } from "./flow-start.ts";
import { tags } from "./message.ts";

/** Parameters of a wait for a card. */
export interface Polling {
  /** Date and time come from the device's clock. */
  readonly request: Omit<SessionRequest, "date" | "time">;
  readonly ways: Ways;
  readonly seconds: number;
  /** DFEE1A. */
  readonly output: readonly string[];
}

const EVERY_READER = CHIP | TAP | MAGSTRIPE;

/** 02-40: seconds, then objects. Without DFEF37 every reader waits. */
export function activateRequest(data: Uint8Array): Polling | undefined {
  const objects = objectsIn(data.subarray(1));
  const [mask = EVERY_READER] = findTag(objects ?? [], tags.interfaces) ?? [];
  return objects && pollingIn(objects, mask, data[0] ?? 0);
}

/** 60-10: fallback, two times of two bytes, then objects. Slot and magstripe reader wait. */
export function startRequest(data: Uint8Array): Polling | undefined {
  const objects = objectsIn(data.subarray(5));
  return objects && pollingIn(objects, CHIP | MAGSTRIPE, ((data[1] ?? 0) << 8) | (data[2] ?? 0));
}

/** 60-11: online flag, a time of two bytes, then objects. Returns the requested tags. */
export function authenticateRequest(data: Uint8Array): readonly string[] | undefined {
  const objects = objectsIn(data.subarray(3));
  return objects && outputIn(objects);
}

function objectsIn(data: Uint8Array): readonly Tlv[] | undefined {
  const parsed = parseTlv(data);
  return parsed.ok ? parsed.objects : undefined;
}

const FIELDS = [
  ["9C", 1],
  ["9F02", 6],
  ["5F2A", 2],
] as const;

function pollingIn(objects: readonly Tlv[], mask: number, seconds: number): Polling | undefined {
  const [type, amount, currency] = FIELDS.map(([tag, length]) => {
    const value = findTag(objects, tag);
    const digits = toHex(value ?? new Uint8Array(0));
    return value?.length === length && /^[0-9]+$/.test(digits) ? digits : undefined;
  });
  if (type === undefined || amount === undefined || currency === undefined) return undefined;
  const ways = { chip: (mask & CHIP) !== 0, tap: (mask & TAP) !== 0, magstripe: (mask & MAGSTRIPE) !== 0 };
  return { request: { type, amount, currency }, ways, seconds, output: outputIn(objects) };
}

const outputIn = (objects: readonly Tlv[]): readonly string[] =>
  tagsIn(findTag(objects, tags.outputTags) ?? new Uint8Array(0));

/** Tags without lengths and values, one after the other. */
function tagsIn(list: Uint8Array): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < list.length; ) {
    let end = at + 1;
    if (((list[at] ?? 0) & 0x1f) === 0x1f) {
      while (((list[end] ?? 0) & 0x80) !== 0) end += 1;
      end += 1;
    }
    found.push(toHex(list.subarray(at, end)));
    at = end;
  }
  return found;
}

const HOST_ANSWERED = 0x01;
const NOT_REACHED: HostAnswer = { responseCode: fromAscii("Z3"), scripts: [] };

/** 60-12: a flag, then 8A, 91, 71 and 72 if the host answered. */
export function completeRequest(data: Uint8Array): HostAnswer | undefined {
  if (data[0] !== HOST_ANSWERED) return data.length === 1 ? NOT_REACHED : undefined;
  const objects = objectsIn(data.subarray(1)) ?? [];
  const responseCode = findTag(objects, "8A");
  if (responseCode?.length !== 2) return undefined;
  const authentication = findTag(objects, "91");
  const scripts = objects.filter(({ tag }) => tag === "71" || tag === "72").map(({ value }) => value);
  return { responseCode, ...(authentication && { authentication }), scripts };
}
