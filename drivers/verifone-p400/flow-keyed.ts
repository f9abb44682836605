import { encodeTlv, findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ended } from "../vipa/flow.ts";
import { readTyped, repeated } from "./card-answer.ts";
import { type Collect, type Device, framesOf, prompted, type Step } from "./flow.ts";
import { startReset } from "./flow-stop.ts";
import { type Answer, leavesOf, tags } from "./message.ts";
import { faultOf, statusText } from "./status-codes.ts";

/*
 * MANUAL PAN (PROTOCOL.md 7.13): the device takes number and expiry on its keypad, encrypts them and shows us the
 * masked form.
 */

/** Longest card number, in digits (ISO/IEC 7812). */
const MOST_DIGITS = 0x13;

export function startKeyed(job: Collect): Step {
  const data = encodeTlv(tags.mostInput, Uint8Array.of(MOST_DIGITS));
  const told = prompted({ ...job, phase: { at: "keying" } }, "ENTER_CARD_NUMBER");
  return { ...told, write: framesOf("manual-pan", { data }), timers: { answer: "clear" } };
}

export function keyed(job: Collect, answer: Answer, device: Device): Step {
  const { n, request } = job;
  switch (answer.is) {
    case "ok":
    case "text":
      return { job };
    case "refused":
      return refused(job, answer.statusWord, device);
    case "template":
    case "list":
      break;
  }
  if (!isTyped(answer.objects)) return { job };
  const reading = readTyped(answer.objects, device.options);
  if (!reading.ok) return startReset(device, [{ n, on: "fault", code: reading.code, detail: reading.detail }]);
  const step = ended({ n, on: "card", card: reading.card });
  return request.transactionType === "20"
    ? step
    : { ...step, device: { ...device, held: { via: "nobody", repeated: repeated(request) } } };
}

/** Other objects belong to another command. */
function isTyped(objects: readonly Tlv[]): boolean {
  const leaves = leavesOf(objects);
  return [tags.typedNumber, tags.typedExpiry, tags.sealedData].some((tag) => findTag(leaves, tag) !== undefined);
}

function refused({ n }: Collect, statusWord: string, device: Device): Step {
  switch (statusWord) {
    case "9F41":
    case "9F43":
      return ended({ n, on: "cancelled", by: "customer" });
    default:
      return startReset(device, [
        { n, on: "fault", code: faultOf(statusWord), detail: `MANUAL PAN ended with ${statusText(statusWord)}` },
      ]);
  }
}
