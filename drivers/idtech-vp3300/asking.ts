import type { Notice } from "../../src/card/notice.ts";
import { promptFor } from "../../src/card/offer.ts";
import { type Collect, type Device, prompted, type Step } from "./flow.ts";
import { startCancel } from "./flow-cancel.ts";
import { frameOf } from "./message.ts";
import { activateData, CHIP, STRIPE, startData, TAP } from "./starting.ts";

/** Has the reader wait for a card; one that is in the slot already is used. */
export function askForCard(job: Collect, device: Device, isInserted: boolean = device.card === true): Step {
  const { offer, request } = job;
  const isIn = isInserted && offer.chip;
  const by = offer.chip && (isIn || (!offer.tap && !offer.stripe)) ? "start" : "activate";
  const mask = (offer.chip ? CHIP : 0) | (offer.tap ? TAP : 0) | (offer.stripe ? STRIPE : 0);
  const write = by === "start" ? frameOf("start", startData(request)) : frameOf("activate", activateData(request, mask));
  const waiting: Collect = { ...job, activationsLeft: job.activationsLeft - 1, phase: { at: "waiting", by } };
  const wrongPin = request.again === "wrong-pin" ? prompted(waiting, "WRONG_PIN") : undefined;
  const told = wrongPin ?? (isIn || job.prompt === "TRY_AGAIN" || job.prompt === "ONE_CARD_ONLY" ? { job: waiting } : prompted(waiting, promptFor(offer)));
  return { ...told, write: [write], timers: { answer: "clear" } };
}

/** Ends a collect whose command may still be open on the device. */
export function stop(device: Device, ...notices: readonly Notice[]): Step {
  return startCancel(device, notices);
}
