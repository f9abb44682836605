import type { Sealed } from "../../src/card/card-data.ts";
import type { CollectRequest } from "../../src/card/command.ts";
import type { FaultCode } from "../../src/card/notice.ts";
import { packedAmount } from "../../src/emv/transaction-data.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { pinIn } from "./card-answer.ts";
import { framesOf, type PinBy } from "./flow.ts";
import { type Answer, type DeviceEvent, tags } from "./message.ts";
import { statusText } from "./status-codes.ts";

/** ONLINE PIN for a card outside a chip transaction (PROTOCOL.md 7.12). */
export function onlinePin(
  { track, label }: PinBy,
  { amount, currencyNumeric }: Pick<CollectRequest, "amount" | "currencyNumeric">,
): readonly Uint8Array[] {
  const data = encodeTemplate("E0", [
    { tag: "9F02", value: fromHex(packedAmount(amount)) },
    { tag: "50", value: label },
    { tag: tags.maskedSwipe, value: track },
    { tag: "5F2A", value: fromHex(`0${currencyNumeric}`) },
  ]);
  return framesOf("online-pin", { data });
}

export type PinOutcome =
  | { readonly is: "pin"; readonly pin: Sealed }
  | { readonly is: "cancelled" }
  | { readonly is: "timeout" }
  | { readonly is: "fault"; readonly code: FaultCode; readonly detail: string };

/** A body of one byte: the customer cancelled or let it time out; the device does not say which (PROTOCOL.md 4.7). */
const CANCELLED = 0x08;
/** Bypassed although not allowed, and three internal errors. */
const FAILURES: readonly number[] = [0x09, 0x0a, 0x0b, 0x0c];

/** Meaning of an answer for ONLINE PIN; undefined if it belongs to another command. */
export function pinOutcome(answer: Answer): PinOutcome | undefined {
  switch (answer.is) {
    case "ok":
      return undefined;
    case "template": {
      const pin = answer.template === "E1" ? pinIn(answer.objects) : undefined;
      return pin && { is: "pin", pin };
    }
    case "other": {
      const [byte, ...more] = answer.body;
      if (byte === undefined || more.length > 0) return undefined;
      if (byte === CANCELLED) return { is: "cancelled" };
      return FAILURES.includes(byte)
        ? { is: "fault", code: "device-error", detail: `ONLINE PIN ended with ${byte}` }
        : undefined;
    }
    case "refused":
      return refused(answer.statusWord);
  }
}

function refused(statusWord: string): PinOutcome {
  switch (statusWord) {
    case "9F41":
      return { is: "cancelled" };
    case "9F42":
      return { is: "timeout" };
    case "9FE0":
      return { is: "fault", code: "keys-missing", detail: `ONLINE PIN ended with ${statusText(statusWord)}` };
    default:
      return { is: "fault", code: "device-error", detail: `ONLINE PIN ended with ${statusText(statusWord)}` };
  }
}

/** PROTOCOL.md 6.3: the device reports that the PIN was typed. */
export function isPinTyped(event: DeviceEvent): boolean {
  return event.is === "status" && event.code === "02" && /\bOK\b/i.test(event.text);
}
