import type { Sealed } from "../../src/card/card-data.ts";
import type { FaultCode } from "../../src/card/notice.ts";
import { sealedOf } from "../../src/card/sealed.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { insidesOf, leavesOf, tags, templates } from "./message.ts";
import type { Options, SredForm } from "./options.ts";

/* Encrypted card data from the device (PROTOCOL.md 4.6), in the gateway's form (4.9). */

export interface Unusable {
  readonly ok: false;
  readonly code: FaultCode;
  readonly detail: string;
}

export type Sealing =
  | { readonly is: "sealed"; readonly sealed: Sealed }
  | { readonly is: "none" }
  | (Unusable & { readonly is: "unusable" });

/** Bytes of DFDB0F that may appear in a fault. */
const STATUS_BYTES = 4;

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0x00);
const unusable = (code: FaultCode, detail: string): Sealing => ({ is: "unusable", ok: false, code, detail });

/** Encrypted card data from the last FF7F that holds any, or why it is unusable (PROTOCOL.md 4.6). */
export function sealedIn(objects: readonly Tlv[], options: Options): Sealing {
  const flag = findTag(leavesOf(objects), tags.vspFlag);
  if (flag !== undefined && !isZero(flag)) {
    return unusable(
      "misconfigured",
      "card data is encrypted in the old way, in place (VSP, DFDF6F); it must be SRED in its own block (VSD, FF7F)",
    );
  }
  let found: Sealing = { is: "none" };
  for (const block of insidesOf(objects, templates.sealed)) {
    const status = findTag(block, tags.sealStatus);
    if (status !== undefined && !isZero(status))
      return unusable(
        "keys-missing",
        `the device could not encrypt card data (DFDB0F ${toHex(status.subarray(0, STATUS_BYTES))})`,
      );
    const sealed = sealedBlock(block, options);
    if (sealed !== undefined) found = { is: "sealed", sealed };
  }
  return found;
}

const TDES_VECTOR = new Uint8Array(8);

function sealedBlock(block: readonly Tlv[], { sred }: Options): Sealed | undefined {
  const [data, ksn, vector = TDES_VECTOR] = [
    findTag(block, tags.sealedData),
    findTag(block, tags.sealedKsn),
    findTag(block, tags.sealedIv),
  ];
  const form = sred ?? (isZero(vector) ? "data" : "template");
  return data && ksn && sealedOf(data, ksn, sentAs(form, block, data, vector));
}

/** Value for `pos.encryptedSred.data` (PROTOCOL.md 4.9). */
function sentAs(form: SredForm, block: readonly Tlv[], data: Uint8Array, vector: Uint8Array): Uint8Array {
  switch (form) {
    case "template":
      return encodeTemplate(templates.sealed, block);
    case "vector-and-data":
      return concat(vector, data);
    case "data":
      return data;
  }
}
