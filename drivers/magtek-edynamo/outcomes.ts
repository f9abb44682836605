import { type Blob, parseDynaPro, tags } from "../../src/card/dynapro-data.ts";
import { findTag } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";

/* The two notifications with card data (PROTOCOL.md 6). */

/** The ARQC, or why the notification holds none. Never throws. */
export function arqcIn(data: Uint8Array): Blob | string {
  const blob = parseDynaPro(data);
  return typeof blob === "string" || blob.of === "arqc" ? blob : "batch data instead of an ARQC";
}

/** The end of a transaction (PROTOCOL.md 5.5). */
export interface Result {
  /** DFDF1A, two hexadecimal digits. */
  readonly status: string;
  readonly batch: Blob;
}

/** Transaction statuses that the driver distinguishes. */
export const statuses = {
  approved: "00",
  declined: "01",
  error: "02",
  cancelled: "10",
  selectionCancelled: "1E",
  selectionTimeout: "1F",
  waitingCancelled: "21",
  waitingTimeout: "22",
  swiped: "23",
} as const;

const SIGNATURE_BYTES = 1;

/** Undefined if the notification holds no result. Never throws. */
export function resultIn(data: Uint8Array): Result | undefined {
  const batch = parseDynaPro(data.subarray(SIGNATURE_BYTES));
  if (typeof batch === "string" || batch.of !== "batch") return undefined;
  const status = findTag(batch.leaves, tags.accepted);
  return status?.length === 1 ? { status: toHex(status), batch } : undefined;
}
