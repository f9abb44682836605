import type { HostAnswer } from "../../packages/sandbox/testbed/contact-kernel.ts";
import { tags } from "../../src/card/dynapro-data.ts";
import { findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import { clockDigits } from "../../src/simulator/request-text.ts";
import type { SessionRequest, Ways } from "../../src/simulator/session-contract.ts";
import { objectsIn } from "./message.ts";

/** The content of START. */
export interface StartRequest {
  readonly request: SessionRequest;
  readonly ways: Ways;
  readonly isQuick: boolean;
  /** Limit of the wait for a card; undefined without one. */
  readonly limitMs: number | undefined;
}

const QUICK = 0x01;
const FORMAT = 0x02;

const byteIn = (objects: readonly Tlv[], tag: string, usual: number): number => findTag(objects, tag)?.[0] ?? usual;

/** Undefined if the request is invalid: without amount, type or reader, or in an unknown format. */
export function startRequest(payload: Uint8Array, now: number): StartRequest | undefined {
  const objects = objectsIn(payload);
  const emv = objectsIn(findTag(objects, "86") ?? new Uint8Array(0));
  const readers = objectsIn(findTag(objects, "A3") ?? new Uint8Array(0));
  const [, options = QUICK | FORMAT] = findTag(objects, "84") ?? [];
  const [amount, type, currency] = [findTag(emv, "9F02"), findTag(emv, "9C"), findTag(emv, "5F2A")];
  if (amount?.length !== 6 || type?.length !== 1 || (options & FORMAT) === 0) return undefined;
  const isOn = (tag: string): boolean => (byteIn(readers, tag, 1) & 1) === 1;
  const keyed = findTag(readers, "84") !== undefined;
  const ways: Ways = keyed ? { keyed } : { magstripe: isOn("81"), chip: isOn("82"), tap: isOn("83") };
  if (!Object.values(ways).includes(true)) return undefined;
  const decimals = findTag(emv, "5F36")?.[0];
  const request: SessionRequest = {
    ...clockDigits(now),
    amount: toHex(amount),
    currency: currency?.length === 2 ? toHex(currency) : "0840",
    type: toHex(type),
    ...(decimals !== undefined && { decimals }),
  };
  const seconds = byteIn(objects, "82", 0);
  return { request, ways, isQuick: (options & QUICK) !== 0, limitMs: seconds === 0 ? undefined : seconds * 1000 };
}

/** The answer's tags begin with FF, so only zeros are filler. */
const FILLER: readonly number[] = [0x00];

function inside(objects: readonly Tlv[], tag: string): readonly Tlv[] {
  const parsed = parseTlv(findTag(objects, tag) ?? new Uint8Array(0), FILLER);
  return parsed.ok ? parsed.objects : [];
}

/** The content of RESUME; undefined if it is invalid or for another device. */
export function resumeRequest(payload: Uint8Array, serialNumber: string): HostAnswer | undefined {
  const arpc = inside(inside(objectsIn(payload), "84"), tags.arpc);
  if (ascii(findTag(arpc, tags.serialNumber) ?? new Uint8Array(0)) !== serialNumber) return undefined;
  const answer = inside(inside(arpc, tags.generic), tags.arqc);
  const responseCode = findTag(answer, "8A");
  if (responseCode?.length !== 2) return undefined;
  const authentication = findTag(answer, "91");
  const scripts = answer.flatMap(({ tag, value }) => (tag === "71" || tag === "72" ? [value] : []));
  return { responseCode, ...(authentication && { authentication }), scripts };
}
