import type { CollectRequest } from "../../src/card/command.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { transactionData } from "../../src/emv/transaction-data.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { type Collect, type Device, framesOf, prompted, type Step } from "./flow.ts";
import { tags } from "./message.ts";
import { secondsBeyond } from "./online-pin.ts";
import type { Options } from "./options.ts";
import { READER_MS } from "./timing.ts";

const country = ({ country: number }: Options): readonly Tlv[] =>
  number === undefined ? [] : [{ tag: "9F1A", value: fromHex(`0${number}`) }];

/** C2 (PROTOCOL.md 11). */
export function acquirer({ acquirer: index }: Options): readonly Tlv[] {
  return index === undefined ? [] : [{ tag: tags.acquirer, value: fromAscii(index) }];
}

/** Data that both later commands of a chip transaction repeat (PROTOCOL.md 7.3 and 7.5). */
export function carriedOn(repeated: readonly Tlv[], options: Options): readonly Tlv[] {
  return [...repeated, ...country(options), ...acquirer(options), pinStyle];
}

/** Full EMV flow: the issuer is asked while the card stays in the slot, and the card gets the issuer's answer. */
export const noQuickChip: Tlv = { tag: tags.quickChip, value: Uint8Array.of(0x00) };

const pinStyle: Tlv = { tag: tags.pinStyle, value: Uint8Array.of(0x00) };

/**
 * START TRANSACTION for the card in the slot. After a wrong PIN the cashier keeps seeing that prompt (PROTOCOL.md
 * 7.14).
 */
export function startTransaction(job: Collect, { options }: Device): Step {
  const prompt = job.request.again === "wrong-pin" ? "WRONG_PIN" : "PROCESSING";
  const running = prompted({ ...job, phase: { at: "running", isFirst: false, hasPin: false } }, prompt);
  const data = encodeTemplate("E0", startData(job.request, options));
  return { ...running, write: framesOf("start-transaction", { data }), timers: { answer: "clear", card: "clear" } };
}

/**
 * PROTOCOL.md 7.3: the customer chooses the application on the device (DFA204 01). The device goes online, except for a
 * refund.
 */
function startData(request: CollectRequest, options: Options): readonly Tlv[] {
  const isSale = request.transactionType === "00";
  return [
    ...transactionData(request, ["9C", "9F02", "9F03", "9A", "9F21", "5F2A"]),
    ...country(options),
    pinStyle,
    ...(isSale ? [{ tag: tags.forceOnline, value: Uint8Array.of(0x01) }] : []),
    noQuickChip,
    { tag: tags.applicationSelection, value: Uint8Array.of(0x01) },
  ];
}

/** 9F06 of START CONTACTLESS: the reader selects the application itself, in a single tap. */
const AUTOMATIC = Uint8Array.of(0x00, 0x01);

/** START CONTACTLESS (PROTOCOL.md 7.10). */
export function startTap(job: Collect, { options }: Device): Step {
  const { request } = job;
  const data = encodeTemplate("E0", [
    ...transactionData(request, ["9F02", "9F03", "9A", "9F21", "5F2A"]),
    ...country(options),
    ...transactionData(request, ["9C"]),
    { tag: "9F06", value: AUTOMATIC },
  ]);
  return {
    job: { ...job, tapsLeft: job.tapsLeft - 1, phase: { at: "tapping", isAccepted: false, isLeft: false } },
    write: framesOf("start-contactless", { p2: secondsBeyond(request.cardMs), data }),
    timers: { answer: READER_MS },
  };
}
