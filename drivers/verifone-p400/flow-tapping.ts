import type { Notice } from "../../src/card/notice.ts";
import { ended, lost } from "../vipa/flow.ts";
import { OK } from "../vipa/status-codes.ts";
import { type Collect, type Device, framesOf, type Leaving, prompted, type Step, type Tapping } from "./flow.ts";
import { readDecided, readForIssuer } from "./flow-read.ts";
import { startTap } from "./flow-start.ts";
import { startReset } from "./flow-stop.ts";
import { cardTold, newWaiting, proceed } from "./flow-waiting.ts";
import type { Answer, ReaderWord } from "./message.ts";
import { faultOf, statusText } from "./status-codes.ts";
import { READER_END_MS, READER_MS } from "./timing.ts";

/*
 * START CONTACTLESS: the answer only says that the reader waits; the result follows unsolicited (PROTOCOL.md 7.10). An
 * inserted or swiped card ends it by CANCEL CONTACTLESS, which is over once its answer and the transaction's end have
 * come.
 */

/** The answer to START CONTACTLESS. After a refusal the collect continues without the reader. */
export function tapAnswered(job: Collect, phase: Tapping, answer: Answer, device: Device): Step {
  if (phase.isAccepted) return { job };
  switch (answer.is) {
    case "ok":
      if (phase.isLeft) return leave(job, { ...phase, isAccepted: true });
      return { job: { ...job, phase: { ...phase, isAccepted: true } }, timers: { answer: "clear" } };
    case "refused":
      return withoutReader(job, phase, answer.statusWord, device);
    case "template":
    case "list":
    case "text":
      return { job };
  }
}

export function tapOverdue({ n }: Collect): Step {
  return lost([n], "no-answer", `no answer to start-contactless within ${READER_MS} ms`);
}

/** Stops the reader for an inserted or swiped card. */
export function leaveFor(job: Collect, phase: Tapping): Step {
  return phase.isAccepted ? leave(job, phase) : { job: { ...job, phase: { ...phase, isLeft: true } } };
}

/** Inserting a card costs no attempt: once the slot is empty the reader starts again, without a limit. */
function leave(job: Collect, { swipe }: Tapping): Step {
  const tapsLeft = swipe === undefined ? job.tapsLeft + 1 : job.tapsLeft;
  return {
    job: { ...job, tapsLeft, phase: { at: "leaving", isAnswered: false, ...(swipe && { swipe }) } },
    write: framesOf("cancel-contactless"),
    timers: { answer: READER_MS },
  };
}

/**
 * Answer and end come in either order. A tap read meanwhile counts, because the customer may have presented the card in
 * good faith.
 */
export function leftReader(job: Collect, phase: Leaving, device: Device): Step {
  const { isAnswered, end, swipe } = phase;
  if (!isAnswered) return { job: { ...job, phase } };
  if (end === undefined) return { job: { ...job, phase }, timers: { answer: READER_END_MS } };
  if (end.is === "template" && end.template !== "6F" && end.template !== "E8") return read(job, end, device);
  const waiting = newWaiting(false);
  if (swipe !== undefined) return proceed(job, { ...waiting, swipe }, device);
  return cardTold(job, waiting, device.slot ?? { card: false, chip: false }, device);
}

/** Without an answer the reader's state is unknown. Without the end the reader has most likely stopped all the same. */
export function leavingOverdue(job: Collect, phase: Leaving, device: Device): Step {
  if (!phase.isAnswered) return lost([job.n], "no-answer", `no answer to cancel-contactless within ${READER_MS} ms`);
  return leftReader(job, { ...phase, end: { is: "word", statusWord: OK } }, device);
}

/**
 * Handles the reader's result. Before the answer to START CONTACTLESS it can only be the late end of another
 * transaction.
 */
export function tapHeard(job: Collect, phase: Tapping, word: ReaderWord, device: Device): Step {
  if (!phase.isAccepted) return { job };
  switch (word.is) {
    case "template":
      return read(job, word, device);
    case "word":
      return ending(job, phase, word.statusWord, device);
    case "left":
      // The late end of an earlier, cancelled reader.
      return { job };
  }
}

function read(job: Collect, { template, objects }: Extract<ReaderWord, { is: "template" }>, device: Device): Step {
  switch (template) {
    case "E4":
      return readForIssuer(job, objects, device, { via: "tap", isMagstripe: false });
    case "E7":
      return readForIssuer(job, objects, device, { via: "tap", isMagstripe: true });
    case "E3":
      return readDecided(job, objects, "approved-offline", device, "tap");
    case "E5":
      return readDecided(job, objects, "declined-offline", device, "tap");
    case "E8":
    case "6F":
      // Not a payment, or a selection left to the reader: the card must be presented again.
      return again(job, device);
  }
}

function ending(job: Collect, phase: Tapping, statusWord: string, device: Device): Step {
  const { n } = job;
  const noCard = (why: Extract<Notice, { on: "no-card" }>["why"]): Step => ended({ n, on: "no-card", why });
  switch (statusWord) {
    case OK:
    case "9F36":
      return { job };
    case "9F31":
      return prompted(job, "ONE_CARD_ONLY");
    case "9F35":
      return prompted(job, "SEE_PHONE");
    case "9F37":
      return prompted(job, "TRY_AGAIN");
    case "9F28":
    case "9F33":
    case "9F34":
      return noCard("use-chip");
    case "9F50":
      return noCard("blocked");
    case "9F41":
    case "9F43":
      return ended({ n, on: "cancelled", by: "customer" });
    case "9F23":
    case "9F25":
    case "9F2D":
      return again(job, device);
    case "9F17":
    case "9F22":
    case "9F32":
      return withoutReader(job, phase, statusWord, device);
    default:
      return startReset(device, [
        { n, on: "fault", code: faultOf(statusWord), detail: `START CONTACTLESS ended with ${statusText(statusWord)}` },
      ]);
  }
}

/** Starts the reader again, or asks for another interface if no attempt is left. */
function again(job: Collect, device: Device): Step {
  if (job.tapsLeft <= 0) return ended({ n: job.n, on: "no-card", why: "use-chip" });
  const told = prompted(job, "TRY_AGAIN");
  return { ...told, ...startTap(told.job, device) };
}

/** The reader is not ready, or refuses amount zero; chip and magstripe may still work. */
function withoutReader(job: Collect, { swipe }: Tapping, statusWord: string, device: Device): Step {
  const { n, offer } = job;
  const code = faultOf(statusWord);
  if (code !== "device-error")
    return startReset(device, [
      { n, on: "fault", code, detail: `START CONTACTLESS ended with ${statusText(statusWord)}` },
    ]);
  if (!offer.chip && !offer.magstripe) {
    return ended({ n, on: "fault", code, detail: `START CONTACTLESS ended with ${statusText(statusWord)}` });
  }
  const waiting = { ...newWaiting(false), ...(swipe && { swipe }) };
  return cardTold(
    { ...job, offer: { ...offer, tap: false } },
    waiting,
    device.slot ?? { card: false, chip: false },
    device,
  );
}
