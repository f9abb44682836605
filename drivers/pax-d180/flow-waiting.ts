import { promptFor } from "../../src/card/offer.ts";
import { faceLines, screenOf } from "./display.ts";
import { type Ask, ask, type Collect, type Device, type Face, fault, prompted, type Step } from "./flow.ts";
import { startChip } from "./flow-running.ts";
import { startStop } from "./flow-stop.ts";
import { type CommandName, type Heard, word } from "./message.ts";
import { LOOK_AT_SLOT, slotIn, slotSeen } from "./slot.ts";
import { deviceFault, OK, statusText } from "./status-codes.ts";
import { KEY_MS, POLL_MS } from "./timing.ts";

/*
 * Waits for a card in a collect. The device does not report keys, slot and magstripe on its own, so the driver polls
 * them in rounds (PROTOCOL.md 6.2).
 */

/**
 * The red key comes before the card, since it means that the customer refuses to pay. In the first round there is
 * nothing to cancel.
 */
export function beginRound(job: Collect, device: Device): Step {
  const key: readonly Ask[] = job.noKeys || !job.looked ? [] : [{ name: "key-hit" }];
  const swiped: readonly Ask[] = job.offer.magstripe ? [{ name: "swiped" }] : [];
  return goOn(job, [...key, LOOK_AT_SLOT, ...swiped], device);
}

/** Sends the next question; an outdated screen is updated first. */
function goOn(job: Collect, left: readonly Ask[], device: Device): Step {
  const face = faceFor(job, device);
  if (!job.looked || job.shown === face) return askNext(job, left);
  const told = prompted({ ...job, shown: face }, face === "remove" ? "REMOVE_CARD" : promptFor(job.offer));
  return { ...told, ...askNext(told.job, [...screenOf(device, faceLines(face, job.request, job.offer)), ...left]) };
}

function faceFor({ askOut, offer }: Collect, { card }: Device): Face {
  return card === true && (askOut || !offer.chip) ? "remove" : "present";
}

function askNext(job: Collect, [first, ...left]: readonly Ask[]): Step {
  if (first !== undefined) return ask({ ...job, phase: { at: "polling", left } }, first);
  return { job: { ...job, phase: { at: "pause" } }, timers: { answer: "clear", poll: POLL_MS } };
}

const YES = 0x00;
const CANCEL_KEY = 0x1b;

export function pollAnswered(
  job: Collect,
  left: readonly Ask[],
  name: CommandName,
  heard: Extract<Heard, { is: "answer" }>,
  device: Device,
): Step {
  const { rc, data } = heard;
  const problem = deviceFault(rc);
  if (problem !== undefined)
    return startStop(job, device, { answered: true, notices: [fault(job.n, problem.code, problem.detail)] });
  const isYes = rc === OK && data[0] === YES;
  switch (name) {
    case "key-hit":
      if (rc !== OK) return goOn({ ...job, noKeys: true }, left, device);
      return isYes
        ? ask({ ...job, phase: { at: "polling", left } }, { name: "key", data: word(KEY_MS) })
        : goOn(job, left, device);
    case "key":
      if (rc !== OK || data[0] !== CANCEL_KEY) return goOn(job, left, device);
      return startStop(job, device, { answered: true, notices: [{ n: job.n, on: "cancelled", by: "customer" }] });
    case "slot": {
      const card = slotIn(heard);
      if (card !== undefined) return slotLookedAt(job, left, card, device);
      return startStop(job, device, {
        answered: true,
        notices: [fault(job.n, "device-error", `it does not tell of its slot: ${statusText(rc)}`)],
      });
    }
    case "swiped":
      // A device that restarted has its magstripe reader off.
      if (rc !== OK) return goOn(job, [{ name: "stripe-on" }, ...left], device);
      return isYes && device.card !== true
        ? ask({ ...job, phase: { at: "magstripe" } }, { name: "tracks" })
        : goOn(job, left, device);
    default:
      return goOn(job, left, device);
  }
}

function slotLookedAt(job: Collect, left: readonly Ask[], card: boolean, before: Device): Step {
  const { device, notices } = slotSeen(before, card);
  const now: Collect = { ...job, looked: true, askOut: job.askOut && (card || !job.offer.chip) };
  const step = card && job.offer.chip && !job.askOut ? startChip(now, before) : goOn(now, left, device);
  return { ...step, device, notices: [...notices, ...(step.notices ?? [])] };
}
