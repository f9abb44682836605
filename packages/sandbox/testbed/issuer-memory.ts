import { hash } from "node:crypto";
import { z } from "zod";
import { toHex } from "../../../src/kit/hex.ts";
import type { IssuerMemory } from "./issuer-contract.ts";
import { ksnCounter, withCounter } from "./ksn.ts";

const cardRecordSchema = z.strictObject({
  /** The highest ATC seen, with its cryptogram and SRED KSN. */
  atc: z.int(),
  arqc: z.string(),
  sredKsn: z.string(),
  /** The last answer was a soft decline, so the same cryptogram may return once. */
  again: z.boolean(),
  wrongPins: z.int(),
  /** Epoch milliseconds of the last wrong PIN. */
  wrongPinAt: z.number(),
});
export type CardRecord = z.infer<typeof cardRecordSchema>;

const UNSEEN_CARD: CardRecord = { atc: -1, arqc: "", sredKsn: "", again: false, wrongPins: 0, wrongPinAt: 0 };

/** Name of a card that does not reveal its number: a hash of its master key, which only the issuer has. */
export function cardKeyName(masterKey: Uint8Array): string {
  return `card:${hash("sha256", masterKey).slice(0, 32)}`;
}

export function cardRecord(memory: IssuerMemory, name: string): CardRecord {
  const record = memory.remembered(name);
  return record === undefined ? UNSEEN_CARD : cardRecordSchema.parse(JSON.parse(record));
}

export function keepCardRecord(memory: IssuerMemory, name: string, record: CardRecord): void {
  memory.remember(name, JSON.stringify(record));
}

/** Whether the KSN is higher than all seen of its series. */
export function isFreshKsn(memory: IssuerMemory, ksn: Uint8Array): boolean {
  const last = memory.remembered(seriesOf(ksn));
  return last === undefined || ksnCounter(ksn) > Number(last);
}

export function keepKsn(memory: IssuerMemory, ksn: Uint8Array): void {
  if (isFreshKsn(memory, ksn)) memory.remember(seriesOf(ksn), String(ksnCounter(ksn)));
}

function seriesOf(ksn: Uint8Array): string {
  return `ksn:${toHex(withCounter(ksn, 0))}`;
}
