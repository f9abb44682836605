import { encodeTlv, encodeTlvs, type Tlv } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";
import { OK } from "./status-codes.ts";

/** Objects inside a template, as command data or as an answer's body (PROTOCOL.md 4.1). */
export function encodeTemplate(template: string, objects: readonly Tlv[]): Uint8Array {
  return encodeTlv(template, encodeTlvs(objects));
}

/** An answer's body, followed by its status word. */
export function encodeAnswer(body: Uint8Array, statusWord: string = OK): Uint8Array {
  return concat(body, fromHex(statusWord));
}

/** A card in the slot, or swiped (PROTOCOL.md 6.1). */
export interface CardEvent {
  readonly is: "card";
  readonly slot: boolean;
  readonly chip: boolean;
  /** A card was swiped. */
  readonly magstripe: boolean;
  /** At least one track was read. */
  readonly tracks: boolean;
  readonly objects: readonly Tlv[];
}

/** A key was pressed: two hexadecimal digits. */
export interface KeyEvent {
  readonly is: "key";
  readonly code: string;
}

/** Forms that every answer may have; the model parses the body (PROTOCOL.md 4.3). */
export type BareAnswer =
  | { readonly is: "ok" }
  | { readonly is: "refused"; readonly statusWord: string }
  | { readonly is: "body"; readonly body: Uint8Array };

/** Splits the status word from an answer. Never throws. */
export function bareAnswer(bytes: Uint8Array): BareAnswer {
  const statusWord = toHex(bytes.subarray(-2));
  if (bytes.length < 2 || statusWord !== OK) return { is: "refused", statusWord };
  const body = bytes.slice(0, -2);
  return body.length === 0 ? { is: "ok" } : { is: "body", body };
}
