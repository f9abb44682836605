import type { CollectRequest } from "../../src/card/command.ts";
import { transactionData } from "../../src/emv/transaction-data.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { type Collect, framesOf, prompted, type Step } from "./flow.ts";
import { tags } from "./message.ts";

/**
 * START TRANSACTION for the card in the slot. After a wrong PIN the cashier keeps seeing that prompt (PROTOCOL.md
 * 7.14).
 */
export function startTransaction(job: Collect): Step {
  const prompt = job.request.again === "wrong-pin" ? "WRONG_PIN" : "PROCESSING";
  const running = prompted({ ...job, phase: { at: "running" } }, prompt);
  return {
    ...running,
    write: framesOf("start-transaction", { data: startData(job.request) }),
    timers: { answer: "clear", card: "clear" },
  };
}

/** START CONTACTLESS: the reader takes a tap, a chip or a swipe (PROTOCOL.md 7.10). */
export function startTap(job: Collect): Step {
  return {
    job: { ...job, tapsLeft: job.tapsLeft - 1, phase: { at: "tapping", isOpen: true } },
    write: framesOf("start-contactless", { data: tapData(job.request) }),
    timers: { answer: "clear" },
  };
}

/** PROTOCOL.md 7.3: the device chooses the application (DFA204 01) and gets no risk management stage (DFA203 00). */
function startData(request: CollectRequest): Uint8Array {
  return encodeTemplate("E0", [
    ...transactionData(request, ["9C", "9F02", "9A", "9F21"]),
    { tag: tags.applicationSelection, value: Uint8Array.of(0x01) },
    { tag: tags.trmStage, value: Uint8Array.of(0x00) },
    ...transactionData(request, ["5F2A"]),
  ]);
}

function tapData(request: CollectRequest): Uint8Array {
  return encodeTemplate("E0", [
    ...transactionData(request, ["9C", "9F02", "9A", "9F21", "5F2A"]),
    { tag: tags.seconds, value: secondsOf(request.cardMs) },
  ]);
}

const MOST_SECONDS = 0xffff;

/** DFFF01: whole seconds in two bytes. */
export function secondsOf(ms: number): Uint8Array {
  const seconds = Math.min(Math.max(1, Math.ceil(ms / 1000)), MOST_SECONDS);
  return Uint8Array.of(seconds >> 8, seconds & 0xff);
}
