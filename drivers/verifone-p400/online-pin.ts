import type { Sealed } from "../../src/card/card-data.ts";
import type { PinRequest } from "../../src/card/command.ts";
import type { FaultCode } from "../../src/card/notice.ts";
import { sealedOf } from "../../src/card/sealed.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { packedAmount } from "../../src/emv/transaction-data.ts";
import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex, isHex } from "../../src/kit/hex.ts";
import type { Apdu } from "../vipa/apdu.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { commandApdu } from "./apdu.ts";
import { type Answer, leavesOf, tags } from "./message.ts";
import type { Options } from "./options.ts";
import { faultOf, statusText } from "./status-codes.ts";
import { LONGER_MS } from "./timing.ts";

const SHORTEST_PIN = 0x04;
const LONGEST_PIN = 0x0c;
const ISO_0 = 0x00;
/** DFED0D: the PIN was typed inside the chip transaction (PROTOCOL.md 7.12). */
const ALREADY_TYPED = 0x40;

/** ONLINE PIN for the card number that the device holds; the customer types the PIN now (PROTOCOL.md 7.12). */
export function askForPin(request: PinRequest, { pinHost, pinSlot }: Options): Apdu {
  const data = encodeTemplate("E0", [
    { tag: tags.pinAmount, value: fromHex(packedAmount(request.amount)) },
    { tag: tags.pinCurrency, value: fromAscii(request.currencyCode) },
    { tag: tags.pinExponent, value: Uint8Array.of(request.decimals) },
    { tag: tags.pinType, value: Uint8Array.of(0x00) },
    { tag: tags.pinSeconds, value: Uint8Array.of(secondsBeyond(request.pinMs)) },
    { tag: tags.pinLeast, value: Uint8Array.of(SHORTEST_PIN) },
    { tag: tags.pinMost, value: Uint8Array.of(LONGEST_PIN) },
    { tag: tags.pinFormat, value: Uint8Array.of(ISO_0) },
  ]);
  return commandApdu("online-pin", { p1: pinHost, p2: pinSlot, data });
}

const MOST_SECONDS = 0xff;

/** Whole seconds in one byte, longer than the driver's limit, so that the driver ends first (PROTOCOL.md 8.11). */
export function secondsBeyond(ms: number): number {
  return Math.min(Math.max(1, Math.ceil((ms + LONGER_MS) / 1000)), MOST_SECONDS);
}

/** ONLINE PIN for a PIN typed inside the chip transaction; the customer is not asked again. */
export function fetchPin({ pinHost, pinSlot }: Options): Apdu {
  const data = encodeTemplate("E0", [{ tag: tags.pinFlags, value: Uint8Array.of(ALREADY_TYPED) }]);
  return commandApdu("online-pin", { p1: pinHost, p2: pinSlot, data });
}

export type PinOutcome =
  | { readonly is: "pin"; readonly pin: Sealed }
  | { readonly is: "cancelled" }
  | { readonly is: "fault"; readonly code: FaultCode; readonly detail: string };

/** Meaning of an answer for ONLINE PIN; undefined if it belongs to another command. */
export function pinOutcome(answer: Answer, options: Options): PinOutcome | undefined {
  switch (answer.is) {
    case "ok":
      // ENTER without a digit; the driver does not allow it.
      return { is: "cancelled" };
    case "text":
      return undefined;
    case "template":
    case "list":
      return blockIn(answer.objects, options);
    case "refused":
      return refused(answer.statusWord);
  }
}

function blockIn(objects: readonly Tlv[], options: Options): PinOutcome | undefined {
  const leaves = leavesOf(objects);
  const [data, ksn] = [findTag(leaves, tags.pinData), findTag(leaves, tags.pinKsn)];
  if (data === undefined && ksn === undefined) return undefined;
  const block = data && binary(data, options);
  const pin = block?.length === PIN_BLOCK && ksn ? sealedOf(block, serialNumber(ksn, options)) : undefined;
  return pin === undefined
    ? { is: "fault", code: "device-error", detail: "the PIN block or its key serial number cannot be read" }
    : { is: "pin", pin };
}

const PIN_BLOCK = 8;
const ASCII_BLOCK = 16;
/** Digits of a KSN under IPP; a short one lacks its leading F (PROTOCOL.md 4.8). */
const IPP_HOST = 0x05;
const ASCII_KSN: readonly number[] = [16, 20];
const KSN_DIGITS = 20;

function asciiHex(bytes: Uint8Array, { pinHost }: Options, sizes: readonly number[]): string | undefined {
  const text = ascii(bytes);
  return pinHost === IPP_HOST && sizes.includes(bytes.length) && isHex(text) ? text : undefined;
}

function binary(data: Uint8Array, options: Options): Uint8Array {
  const text = asciiHex(data, options, [ASCII_BLOCK]);
  return text === undefined ? data : fromHex(text);
}

function serialNumber(ksn: Uint8Array, options: Options): Uint8Array {
  const text = asciiHex(ksn, options, ASCII_KSN);
  return text === undefined ? ksn : fromHex(text.padStart(KSN_DIGITS, "F"));
}

function refused(statusWord: string): PinOutcome {
  switch (statusWord) {
    case "9015":
    case "9F41":
    case "9F43":
      return { is: "cancelled" };
    default:
      return { is: "fault", code: faultOf(statusWord), detail: `ONLINE PIN ended with ${statusText(statusWord)}` };
  }
}
