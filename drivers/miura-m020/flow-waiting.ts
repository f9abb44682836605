import type { Notice } from "../../src/card/notice.ts";
import { aimOf, type CardWait, faceFor, type Slot } from "../../src/card/waiting.ts";
import { faceLines } from "../vipa/display.ts";
import { CANCEL_KEY, slotChange } from "../vipa/flow-waiting.ts";
import type { CardEvent } from "../vipa/message.ts";
import { readSwipe } from "./card-answer.ts";
import { displayText } from "./display.ts";
import { type Collect, type Device, framesOf, prompted, type Step, type Waiting } from "./flow.ts";
import { readMagstripe } from "./flow-read.ts";
import { startTap, startTransaction } from "./flow-start.ts";
import { keysOff, keysOn, type Running, startStop } from "./flow-stop.ts";
import type { Answer } from "./message.ts";
import { DISPLAY_MS, KEYBOARD_MS, TRIES, UNREADABLE_INSERTIONS } from "./timing.ts";

/*
 * A collect until a card can be acted upon (PROTOCOL.md 7.3, 7.9 and 7.14). DISPLAY TEXT and KEYBOARD STATUS have empty answers that look alike, so one command
 * goes out at a time; what goes out next is decided anew whenever an answer came, a limit passed, or the slot changed.
 */

type Open = Exclude<Waiting["open"], undefined>["what"];

export function newWaiting(askOut: boolean): Waiting {
  return { at: "waiting", slot: { card: false, chip: false }, askOut, open: undefined, shown: undefined, keys: "off" };
}

/** The slot's state, for the first time or anew. */
export function cardTold(job: Collect, before: Waiting, slot: Slot, device: Device): Step {
  const { askOut, unreadable, prompt } = slotChange(job, before, slot);
  const phase = { ...before, slot, askOut };
  if (prompt === undefined) return proceed(job, phase, device);
  if (unreadable >= UNREADABLE_INSERTIONS) return halt({ ...job, phase: before }, device, [{ n: job.n, on: "no-card", why: "chip-unreadable" }]);
  const told = prompted({ ...job, unreadable }, prompt);
  return { ...told, ...proceed(told.job, phase, device) };
}

/** A swipe while waiting (PROTOCOL.md 7.11); one that could not be read is to be tried again. */
export function swipeTold(job: Collect, phase: Waiting, event: CardEvent, device: Device): Step {
  if (!job.offer.magstripe || phase.swipe !== undefined) return { job };
  if (!event.tracks) return prompted(job, "TRY_AGAIN");
  const reading = readSwipe(event.objects, job.request);
  if (!reading.ok) return halt(job, device, [{ n: job.n, on: "fault", code: reading.code, detail: reading.detail }]);
  return proceed(job, { ...phase, swipe: reading.swipe }, device);
}

const waitOf = (job: Collect, phase: Waiting): CardWait => ({ ...job, ...phase, isSwiped: phase.swipe !== undefined });

/** What is to be done next, unless an answer is outstanding. */
export function proceed(job: Collect, phase: Waiting, device: Device): Step {
  if (phase.open !== undefined) return { job: { ...job, phase } };
  const aim = aimOf(waitOf(job, phase));
  if (aim !== "show" && phase.keys === "on") return ask(job, phase, "keys-off", 1);
  switch (aim) {
    case "read-magstripe":
      return phase.swipe === undefined ? { job } : readMagstripe(job, device, phase.swipe);
    case "start":
      return startTransaction(job);
    case "tap":
      return startTap(job);
    case "show": {
      const face = faceFor(waitOf(job, phase));
      if (phase.shown !== face) return ask(job, phase, face, TRIES);
      if (phase.keys === "off") return ask(job, phase, "keys-on", 1);
      return { job: { ...job, phase }, timers: { answer: "clear" } };
    }
  }
}

/** Sends a plain command, so often at most. */
function ask(job: Collect, phase: Waiting, what: Open, tries: number): Step {
  const open = { what, triesLeft: tries - 1 };
  switch (what) {
    case "present":
    case "again":
    case "remove":
    case "wrong-pin": {
      // With a tap the device shows words of its own; these stand there where no tap is taken any more.
      const write = framesOf("display", { data: displayText(faceLines(what, job.request, { ...job.offer, tap: false })) });
      return { job: { ...job, phase: { ...phase, open, shown: what } }, write, timers: { answer: DISPLAY_MS } };
    }
    case "keys-on":
      // From here on they may come, whatever becomes of the answer.
      return { job: { ...job, phase: { ...phase, open, keys: "on" } }, write: keysOn, timers: { answer: KEYBOARD_MS } };
    case "keys-off":
      return { job: { ...job, phase: { ...phase, open } }, write: keysOff, timers: { answer: KEYBOARD_MS } };
  }
}

/** An answer while waiting is that of the one open command if it may be; every other one is dropped (PROTOCOL.md 4.5). */
export function plainAnswered(job: Collect, phase: Waiting, answer: Answer, device: Device): Step {
  if (phase.open === undefined) return { job };
  switch (answer.is) {
    case "ok":
      return settled(job, phase, phase.open.what === "keys-off" ? "off" : phase.keys, device);
    case "refused":
      return failed(job, phase, phase.open, "refused", device);
    case "template":
    case "other":
      return { job };
  }
}

/** The open command's limit passed without an answer. */
export function overdue(job: Collect, phase: Waiting, device: Device): Step {
  return phase.open === undefined ? { job } : failed(job, phase, phase.open, "on", device);
}

/** The sale goes on without a text or a key (PROTOCOL.md 7.9); a text is worth another try as long as it is still the right one (7.2). */
function failed(job: Collect, phase: Waiting, open: Exclude<Waiting["open"], undefined>, keysThen: "refused" | "on", device: Device): Step {
  switch (open.what) {
    case "present":
    case "again":
    case "remove":
    case "wrong-pin": {
      const isWanted = aimOf(waitOf(job, phase)) === "show" && open.what === faceFor(waitOf(job, phase));
      return isWanted && open.triesLeft > 0 ? ask(job, phase, open.what, open.triesLeft) : settled(job, phase, phase.keys, device);
    }
    case "keys-on":
      return settled(job, phase, keysThen, device);
    case "keys-off":
      return settled(job, phase, "off", device);
  }
}

function settled(job: Collect, phase: Waiting, keys: Waiting["keys"], device: Device): Step {
  return proceed(job, { ...phase, open: undefined, keys }, device);
}

/** The customer does not want to, and has no card in yet that could say so. */
export function keyTold(job: Collect, phase: Waiting, code: string, device: Device): Step {
  if (code !== CANCEL_KEY || phase.keys !== "on") return { job };
  return halt(job, device, [{ n: job.n, on: "cancelled", by: "customer" }]);
}

/** Ends a collect from outside, by its own clocks or by the customer before a card was acted upon. */
export function halt(job: Collect, device: Device, notices: readonly Notice[], idle?: number): Step {
  const { phase } = job;
  const left = phase.at === "waiting" ? { plainOpen: phase.open !== undefined, keysOn: phase.keys === "on" && phase.open?.what !== "keys-off" } : {};
  const typing = phase.at === "keying" ? { plainOpen: true } : {};
  return startStop(phase.at === "pin" ? { ...device, held: phase.held } : device, runningIn(phase), notices, {
    ...left,
    ...typing,
    ...(idle !== undefined && { idle }),
  });
}

function runningIn(phase: Collect["phase"]): Running {
  switch (phase.at) {
    case "running":
      return "transaction";
    case "tapping":
      return phase.isOpen ? "transaction" : "nothing";
    case "pin":
      return phase.held.via === "tap" ? "both" : "transaction";
    case "slot":
    case "waiting":
    case "keying":
    case "read-error":
      return "nothing";
  }
}
