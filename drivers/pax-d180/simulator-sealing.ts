import type { DukptUse } from "../../packages/sandbox/testbed/dukpt.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import { encodeTlv, findTag, type Tlv } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { type Pad, reply } from "./simulator-core.ts";
import { OK } from "./status-codes.ts";

/* Encrypts card data, each object separately under one key (PROTOCOL.md 4.7). */

const USE: DukptUse = "data-request-unhashed";
const PLAIN: readonly string[] = ["5F21", "5F22"];

/** Encrypts and stores the data of a card. Undefined once the keys are used up. */
export function sealCard(pad: Pad, data: readonly Tlv[]): SealedBytes | undefined {
  const secret = ["57", "5A", "5F22", "5F21"].flatMap((tag) => {
    const value = findTag(data, tag);
    return value === undefined ? [] : [{ tag, clear: PLAIN.includes(tag) ? value : encodeTlv(tag, value) }];
  });
  const sealed = pad.on.secure.sealParts(
    USE,
    secret.map(({ clear }) => clear),
  );
  const [first] = sealed?.parts ?? [];
  if (sealed === undefined || first === undefined) return undefined;
  pad.sealed = {
    parts: new Map(secret.map(({ tag }, at) => [tag, sealed.parts[at] ?? new Uint8Array(0)])),
    ksn: sealed.ksn,
  };
  pad.raising = pad.raising === "done" ? "due" : "blocking";
  return { data: first, ksn: sealed.ksn };
}

/** KSN of a series that was never used; its counter has no meaning. */
const UNUSED = fromHex("FFFF9876543210E00000");

export function ksn(pad: Pad, data: Uint8Array): void {
  const told = pad.sealed?.ksn ?? pad.on.memory.lastKsn("sred") ?? UNUSED;
  reply(pad, data.length === 1 ? OK : NO_GROUP, data.length === 1 ? concat(told) : new Uint8Array(0));
}

const NO_GROUP = -318;

export function nextKsn(pad: Pad): void {
  const isLate = pad.raising === "blocking";
  pad.raising = isLate ? "due" : "done";
  if (!isLate) pad.sealed = undefined;
  reply(pad);
}
