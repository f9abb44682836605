import type { CollectRequest } from "../../src/card/command.ts";
import { promptFor } from "../../src/card/offer.ts";
import { encodeTlvs, type Tlv } from "../../src/emv/tlv.ts";
import { transactionData } from "../../src/emv/transaction-data.ts";
import { concat } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { type Collect, type Device, prompted, type Step } from "./flow.ts";
import { frameOf, tags } from "./message.ts";
import { CARD_SPARE_S, NEXT_COMMAND_S } from "./timing.ts";

/** DFEF37: enabled readers (PROTOCOL.md 3.5). */
export const MAGSTRIPE = 0x01;
export const TAP = 0x02;
export const CHIP = 0x04;

/** 9C, 9F02, 9F03 and 5F2A. Date and time come from the device's clock (PROTOCOL.md 3.6). */
function transaction(request: CollectRequest): readonly Tlv[] {
  return transactionData(request, ["9C", "9F02", "9F03", "5F2A"]);
}

/** DFEE1A: tags requested in addition to the default ones (PROTOCOL.md 3.7). */
const OUTPUT =
  "4F 50 57 5A 5F2A 5F34 82 84 8A 95 9A 9B 9C 9F02 9F03 9F06 9F09 9F10 9F1A 9F1E 9F21 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F39 9F41 9F53 9F66 9F6C 9F6E";
const outputTags: Tlv = { tag: tags.outputTags, value: fromHex(OUTPUT.replaceAll(" ", "")) };

const word = (value: number): Uint8Array => Uint8Array.of((value >> 8) & 0xff, value & 0xff);
const secondsOf = (ms: number, most: number): number => Math.min(Math.ceil(ms / 1000) + CARD_SPARE_S, most);

/**
 * 02-40: waits for a card at every reader in `mask`. The device does no fallback itself: the payment decides
 * (PROTOCOL.md 6.4).
 */
function activateData(request: CollectRequest, mask: number): Uint8Array {
  const own: readonly Tlv[] = [
    { tag: tags.interfaces, value: Uint8Array.of(mask) },
    { tag: tags.waiting, value: concat(Uint8Array.of(0), word(NEXT_COMMAND_S)) },
    outputTags,
  ];
  return concat(Uint8Array.of(secondsOf(request.cardMs, 0xff)), encodeTlvs([...transaction(request), ...own]));
}

/** 60-10: waits for a contact chip. */
function startData(request: CollectRequest): Uint8Array {
  return concat(
    Uint8Array.of(0),
    word(secondsOf(request.cardMs, 0xffff)),
    word(NEXT_COMMAND_S),
    encodeTlvs([...transaction(request), outputTags]),
  );
}

/** 60-11: continues to the first cryptogram and always goes online. */
export const authenticateData: Uint8Array = concat(Uint8Array.of(1), word(NEXT_COMMAND_S), encodeTlvs([outputTags]));

/** Starts waiting for a card. A card that is already in the slot is used. */
export function askForCard(job: Collect, device: Device, isInserted: boolean = device.card === true): Step {
  const { offer, request } = job;
  const isIn = isInserted && offer.chip;
  const by = offer.chip && (isIn || (!offer.tap && !offer.magstripe)) ? "start" : "activate";
  const mask = (offer.chip ? CHIP : 0) | (offer.tap ? TAP : 0) | (offer.magstripe ? MAGSTRIPE : 0);
  const write =
    by === "start" ? frameOf("start", startData(request)) : frameOf("activate", activateData(request, mask));
  const waiting: Collect = { ...job, activationsLeft: job.activationsLeft - 1, phase: { at: "waiting", by } };
  const wrongPin = request.again === "wrong-pin" ? prompted(waiting, "WRONG_PIN") : undefined;
  const told =
    wrongPin ??
    (isIn || job.prompt === "TRY_AGAIN" || job.prompt === "ONE_CARD_ONLY"
      ? { job: waiting }
      : prompted(waiting, promptFor(offer)));
  return { ...told, write: [write], timers: { answer: "clear" } };
}
