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
 * A collect until a card was presented (PROTOCOL.md 7.3, 7.9 and 7.14). DISPLAY TEXT and KEYBOARD STATUS have identical
 * empty answers, so only one command is outstanding. Each answer, timeout or slot change decides the next one.
 */

type Open = Exclude<Waiting["open"], undefined>["what"];

export function newWaiting(askOut: boolean): Waiting {
  return { at: "waiting", slot: { card: false, chip: false }, askOut, open: undefined, shown: undefined, keys: "off" };
}

/** The slot state, first or changed. */
export function cardTold(job: Collect, before: Waiting, slot: Slot, device: Device): Step {
  const { askOut, unreadable, prompt } = slotChange(job, before, slot);
  const phase = { ...before, slot, askOut };
  if (prompt === undefined) return proceed(job, phase, device);
  if (unreadable >= UNREADABLE_INSERTIONS)
    return halt({ ...job, phase: before }, device, [{ n: job.n, on: "no-card", why: "chip-unreadable" }]);
  const told = prompted({ ...job, unreadable }, prompt);
  return { ...told, ...proceed(told.job, phase, device) };
}

/** A swipe while waiting (PROTOCOL.md 7.11); an unreadable one must be repeated. */
export function swipeTold(job: Collect, phase: Waiting, event: CardEvent, device: Device): Step {
  if (!job.offer.magstripe || phase.swipe !== undefined) return { job };
  if (!event.tracks) return prompted(job, "TRY_AGAIN");
  const reading = readSwipe(event.objects, job.request);
  if (!reading.ok) return halt(job, device, [{ n: job.n, on: "fault", code: reading.code, detail: reading.detail }]);
  return proceed(job, { ...phase, swipe: reading.swipe }, device);
}

const waitOf = (job: Collect, phase: Waiting): CardWait => ({ ...job, ...phase, isSwiped: phase.swipe !== undefined });

/** Sends the next command, unless an answer is outstanding. */
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

/** Sends a plain command, with a limited number of attempts. */
function ask(job: Collect, phase: Waiting, what: Open, tries: number): Step {
  const open = { what, triesLeft: tries - 1 };
  switch (what) {
    case "present":
    case "again":
    case "remove":
    case "wrong-pin": {
      // During a tap the device shows its own text; this one appears only when no tap is possible.
      const write = framesOf("display", {
        data: displayText(faceLines(what, job.request, { ...job.offer, tap: false })),
      });
      return { job: { ...job, phase: { ...phase, open, shown: what } }, write, timers: { answer: DISPLAY_MS } };
    }
    case "keys-on":
      // Key events may come from here on, with or without an answer.
      return { job: { ...job, phase: { ...phase, open, keys: "on" } }, write: keysOn, timers: { answer: KEYBOARD_MS } };
    case "keys-off":
      return { job: { ...job, phase: { ...phase, open } }, write: keysOff, timers: { answer: KEYBOARD_MS } };
  }
}

/** While waiting, an answer counts for the one open command if it fits; others are dropped (PROTOCOL.md 4.5). */
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

/**
 * A collect continues without a text or key reports (PROTOCOL.md 7.9). A text is repeated only while it is still the
 * right one (7.2).
 */
function failed(
  job: Collect,
  phase: Waiting,
  open: Exclude<Waiting["open"], undefined>,
  keysThen: "refused" | "on",
  device: Device,
): Step {
  switch (open.what) {
    case "present":
    case "again":
    case "remove":
    case "wrong-pin": {
      const isWanted = aimOf(waitOf(job, phase)) === "show" && open.what === faceFor(waitOf(job, phase));
      return isWanted && open.triesLeft > 0
        ? ask(job, phase, open.what, open.triesLeft)
        : settled(job, phase, phase.keys, device);
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

/** The customer cancels without a card in the slot. */
export function keyTold(job: Collect, phase: Waiting, code: string, device: Device): Step {
  if (code !== CANCEL_KEY || phase.keys !== "on") return { job };
  return halt(job, device, [{ n: job.n, on: "cancelled", by: "customer" }]);
}

/** Ends a collect before a card was used: by command, time limit or customer. */
export function halt(job: Collect, device: Device, notices: readonly Notice[], idle?: number): Step {
  const { phase } = job;
  const left =
    phase.at === "waiting"
      ? { plainOpen: phase.open !== undefined, keysOn: phase.keys === "on" && phase.open?.what !== "keys-off" }
      : {};
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
