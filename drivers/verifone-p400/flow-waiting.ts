import type { Notice } from "../../src/card/notice.ts";
import { aimOf, type CardWait, faceFor, type Slot } from "../../src/card/waiting.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { faceLines } from "../vipa/display.ts";
import type { SwipedCard } from "../vipa/flow.ts";
import { CANCEL_KEY, slotChange } from "../vipa/flow-waiting.ts";
import type { CardEvent } from "../vipa/message.ts";
import { readSwipe } from "./card-answer.ts";
import { displayText } from "./display.ts";
import {
  type Chore,
  type Collect,
  type Collecting,
  type Device,
  framesOf,
  type Outstanding,
  prompted,
  type Step,
  type Waiting,
} from "./flow.ts";
import { readMagstripe } from "./flow-read.ts";
import { startTap, startTransaction } from "./flow-start.ts";
import { choresFor, idleAfter, startStop } from "./flow-stop.ts";
import type { Answer } from "./message.ts";
import { DISPLAY_MS, QUERY_MS, TRIES, UNREADABLE_INSERTIONS } from "./timing.ts";

/*
 * A collect until a card was presented (PROTOCOL.md 7.3, 7.9 and 7.14). DISPLAY and OPEN READER have identical empty
 * answers, so only one command is outstanding. Each answer, timeout or slot change decides the next one.
 */

type Open = Exclude<Waiting["open"], undefined>["what"];

export function newWaiting(askOut: boolean): Waiting {
  return { at: "waiting", slot: { card: false, chip: false }, askOut, open: undefined, shown: undefined };
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

/** A swipe, if a magstripe is wanted (PROTOCOL.md 7.11); an unreadable one must be repeated. */
export function swiped(job: Collect, event: CardEvent, device: Device, then: (swipe: SwipedCard) => Step): Step {
  if (!job.offer.magstripe) return { job };
  if (!event.tracks) return prompted(job, "TRY_AGAIN");
  const reading = readSwipe(event.objects, job.request, device.options);
  return reading.ok
    ? then(reading.swipe)
    : halt(job, device, [{ n: job.n, on: "fault", code: reading.code, detail: reading.detail }]);
}

export function swipeTold(job: Collect, phase: Waiting, swipe: SwipedCard, device: Device): Step {
  return phase.swipe === undefined ? proceed(job, { ...phase, swipe }, device) : { job };
}

const waitOf = (job: Collect, phase: Waiting): CardWait => ({ ...job, ...phase, isSwiped: phase.swipe !== undefined });

/** Sends the next command, unless an answer is outstanding. */
export function proceed(job: Collect, phase: Waiting, device: Device): Step {
  if (phase.open !== undefined) return { job: { ...job, phase } };
  const aim = aimOf(waitOf(job, phase));
  if (job.isLast && aim !== "read-magstripe" && aim !== "start")
    return halt({ ...job, phase }, device, [{ n: job.n, on: "no-card", why: "timeout" }]);
  switch (aim) {
    case "read-magstripe":
      return phase.swipe === undefined ? { job } : readMagstripe(job, device, phase.swipe);
    case "start":
      return startTransaction(job, device);
    case "tap":
      return device.isReaderOpen ? startTap(job, device) : ask(job, phase, "open-reader", 1);
    case "show": {
      const face = faceFor(waitOf(job, phase));
      return phase.shown === face || !device.capabilities.display
        ? { job: { ...job, phase: { ...phase, shown: face } }, timers: { answer: "clear" } }
        : ask(job, phase, face, TRIES);
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
      const write = framesOf("display", { data: displayText(faceLines(what, job.request, job.offer)) });
      return { job: { ...job, phase: { ...phase, open, shown: what } }, write, timers: { answer: DISPLAY_MS } };
    }
    case "open-reader":
      return {
        job: { ...job, phase: { ...phase, open } },
        write: framesOf("open-reader"),
        timers: { answer: QUERY_MS },
      };
  }
}

/** While waiting, an answer counts for the one open command if it fits; others are dropped (PROTOCOL.md 4.5). */
export function plainAnswered(job: Collect, phase: Waiting, answer: Answer, device: Device): Step {
  if (phase.open === undefined) return { job };
  switch (answer.is) {
    case "ok":
      return settled(job, phase, phase.open.what, device);
    case "refused":
      return failed(job, phase, phase.open, device);
    case "template":
    case "list":
    case "text":
      return { job };
  }
}

/** The open command's limit passed without an answer. */
export function overdue(job: Collect, phase: Waiting, device: Device): Step {
  return phase.open === undefined ? { job } : failed({ ...job, isBehind: true }, phase, phase.open, device);
}

/**
 * A collect continues without its text, which is repeated only while it is current. A reader that does not open may
 * already be open.
 */
function failed(
  job: Collect,
  phase: Waiting,
  { what, triesLeft }: Exclude<Waiting["open"], undefined>,
  device: Device,
): Step {
  const isWanted =
    what !== "open-reader" && aimOf(waitOf(job, phase)) === "show" && what === faceFor(waitOf(job, phase));
  return isWanted && triesLeft > 0 ? ask(job, phase, what, triesLeft) : settled(job, phase, what, device);
}

function settled(job: Collect, phase: Waiting, what: Open, device: Device): Step {
  const after = what === "open-reader" ? { ...device, isReaderOpen: true } : device;
  return { device: after, ...proceed(job, { ...phase, open: undefined }, after) };
}

/** Handles a key. The customer cancels before the device has asked for anything. */
export function keyTold(job: Collect, code: string, device: Device): Step {
  switch (job.phase.at) {
    case "slot":
    case "waiting":
    case "tapping":
      return code === CANCEL_KEY ? halt(job, device, [{ n: job.n, on: "cancelled", by: "customer" }]) : { job };
    case "leaving":
    case "running":
    case "pin":
    case "keying":
    case "read-error":
      return { job };
  }
}

/** Ends a collect before a card was used: by command, time limit or customer. `idle`: the idle screen follows. */
export function halt(
  job: Collect,
  device: Device,
  notices: readonly Notice[],
  { idle = false }: { readonly idle?: boolean } = {},
): Step {
  const { todo, open } = leftBy(job.phase);
  return startStop(forgetting(device), notices, idle ? idleAfter(todo) : todo, open);
}

function leftBy(phase: Collecting): { readonly todo: readonly Chore[]; readonly open: readonly Outstanding[] } {
  switch (phase.at) {
    case "slot":
      return { todo: [], open: phase.isAnswered ? [] : [phase.isTold ? "grace" : "plain"] };
    case "waiting":
      return { todo: [], open: phase.open === undefined ? [] : ["plain"] };
    case "tapping":
      return { todo: ["cancel-reader"], open: phase.isAccepted ? [] : ["plain"] };
    case "leaving": {
      const isRead = phase.end?.is === "template";
      return {
        todo: isRead ? choresFor({ held: { via: "tap", repeated: [] } }) : [],
        open: [...(phase.isAnswered ? [] : ["plain" as const]), ...(phase.end ? [] : ["reader-end" as const])],
      };
    }
    case "running":
    case "keying":
      return { todo: ["abort"], open: ["transaction"] };
    case "pin": {
      const chores = choresFor(phase);
      return { todo: chores.length > 0 ? chores : ["abort"], open: ["transaction"] };
    }
    case "read-error":
      return { todo: [], open: [] };
  }
}
