import type { Notice } from "../../src/card/notice.ts";
import { promptFor } from "../../src/card/offer.ts";
import { type Collect, type Device, prompted, type Step } from "./flow.ts";
import { displayFrame } from "./flow-single.ts";
import { startStop } from "./flow-stop.ts";
import { say } from "./message.ts";
import { QUERY_MS, TRIES } from "./timing.ts";

/** Transaction type in 14. (PROTOCOL.md 3.2). */
const SALE_TYPE = "01";

/** Asks the customer to remove the card, also on the device (PROTOCOL.md 6.5). */
export function askOut(job: Collect, device: Device): Step {
  const told = prompted({ ...job, phase: { at: "asking-out" } }, "REMOVE_CARD");
  return { ...told, write: [displayFrame(["Please remove card"], device.options)], timers: { answer: "clear" } };
}

/** 14. and 13. come first: without an amount the contactless reader stays off (PROTOCOL.md 6.3). */
export function askForCard(job: Collect, device: Device): Step {
  const { request } = job;
  const type = request.transactionType === "20" ? device.options.refundType : SALE_TYPE;
  return {
    job: { ...job, readsLeft: job.readsLeft - 1, phase: { at: "amount", triesLeft: TRIES - 1 } },
    write: [say.transactionType(type), say.amount(request.amount)],
    timers: { answer: QUERY_MS },
  };
}

/** 23. with the letters of the wanted readers (PROTOCOL.md 6.4). A card that is already in the slot is used. */
export function startReading(job: Collect, device: Device): Step {
  const { offer, request } = job;
  const { cardPrompt, cardForm } = device.options;
  const readers = [
    offer.tap ? "C" : "",
    offer.magstripe ? "M" : "",
    offer.chip ? "S" : "",
    offer.keyed ? "H" : "",
  ].join("");
  const reading: Collect = { ...job, phase: { at: "reading" } };
  return {
    ...wished(reading, device, request.again === "wrong-pin"),
    write: [say.read(cardPrompt, cardForm, readers)],
    timers: { answer: "clear" },
  };
}

/** The cashier's prompt until a card is presented. */
function wished(job: Collect, device: Device, wrongPin: boolean): Step & { readonly job: Collect } {
  const { offer, prompt } = job;
  if (wrongPin) return prompted(job, "WRONG_PIN");
  if (prompt === "TRY_AGAIN") return { job };
  if (device.card !== true) return prompted(job, promptFor(offer));
  return offer.chip ? { job } : prompted(job, offer.keyed ? promptFor(offer) : "REMOVE_CARD");
}

/** Asks for a card again, or ends the collect if no attempt is left. */
export function again(job: Collect, device: Device): Step {
  if (job.readsLeft <= 0)
    return halt(device, { n: job.n, on: "no-card", why: job.offer.chip ? "use-chip" : "timeout" });
  const told = prompted(job, "TRY_AGAIN");
  const asked = askForCard(told.job, device);
  return { ...asked, notices: [...(told.notices ?? []), ...(asked.notices ?? [])] };
}

/** Ends a collect that may still be running on the device. */
export function halt(device: Device, ...notices: readonly Notice[]): Step {
  return startStop(device, notices);
}
