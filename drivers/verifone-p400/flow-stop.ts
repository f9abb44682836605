import type { FaultCode, Notice } from "../../src/card/notice.ts";
import { findTag } from "../../src/emv/tlv.ts";
import { ended, lost } from "../vipa/flow.ts";
import {
  type Chore,
  type Device,
  framesOf,
  type JobInput,
  numbersOf,
  type Outstanding,
  type Step,
  type Stop,
} from "./flow.ts";
import { type Answer, type DeviceEvent, leavesOf, type ReaderWord, type Template, tags } from "./message.ts";
import {
  ABORT_MS,
  DISPLAY_MS,
  GRACE_MS,
  QUERY_MS,
  READER_END_MS,
  READER_MS,
  RESET_MS,
  STOP_MS,
  TRIES,
} from "./timing.ts";

/*
 * Brings the device to idle after a cancelled collect, an abandoned card or an unclear error (PROTOCOL.md 7.2, 7.6 and
 * 7.8). It sends one command after the other, and also waits for answers to earlier commands.
 */

/** P2 of RESET: no component list (PROTOCOL.md 3.3). */
const SHORT_RESET = 0x01;
/** P1 of DISPLAY: the idle screen. */
const IDLE_SCREEN = 0x01;

const LIMITS: Readonly<Record<Chore, number>> = {
  "cancel-reader": READER_MS,
  abort: ABORT_MS,
  reset: RESET_MS,
  "idle-text": DISPLAY_MS,
  status: QUERY_MS,
};

const FRAMES: Readonly<Record<Chore, readonly Uint8Array[]>> = {
  "cancel-reader": framesOf("cancel-contactless"),
  abort: framesOf("abort"),
  reset: framesOf("reset", { p2: SHORT_RESET }),
  "idle-text": framesOf("display", { p1: IDLE_SCREEN }),
  status: framesOf("card-status"),
};

/**
 * ABORT may leave a transaction waiting for its host, so RESET follows. RESET may switch card reports off, so CARD
 * STATUS follows (PROTOCOL.md 7.6).
 */
const END_OF_TRANSACTION: readonly Chore[] = ["abort", "reset", "status"];
const AFTER_ABORT: readonly Chore[] = ["reset", "status"];
const IDLE: readonly Chore[] = ["idle-text", "status"];

/** Steps that end the transaction of a card that waits for its issuer. */
export function choresFor({ held }: Pick<Device, "held">): readonly Chore[] {
  return held === undefined || held.via === "nobody" ? [] : END_OF_TRANSACTION;
}

/** The same steps, then the idle screen and card reports (PROTOCOL.md 7.2). */
export function idleAfter(chores: readonly Chore[]): readonly Chore[] {
  return [...chores.filter((chore) => !IDLE.includes(chore)), ...IDLE];
}

/**
 * A fault that takes the terminal out of service is sent at once, so that it survives a device that falls silent
 * (PROTOCOL.md 7.7).
 */
const GRAVE: readonly FaultCode[] = ["keys-missing", "clear-card-data", "misconfigured"];
const isGrave = (notice: Notice): boolean => notice.on === "fault" && GRAVE.includes(notice.code);

/**
 * Other notices are sent when the stop ends; it has its own limit (PROTOCOL.md 8.12). `open`: answers already
 * outstanding.
 */
export function startStop(
  device: Device,
  notices: readonly Notice[],
  todo: readonly Chore[],
  open: readonly Outstanding[] = [],
): Step {
  const step = goOn(
    { is: "stop", open, todo, triesLeft: 0, notices: notices.filter((notice) => !isGrave(notice)) },
    device,
  );
  return {
    ...step,
    notices: [...notices.filter(isGrave), ...(step.notices ?? [])],
    timers: { card: "clear", pin: "clear", watchdog: STOP_MS, answer: DISPLAY_MS, ...step.timers },
  };
}

/** A soft reset after an error that leaves the device's state unknown (PROTOCOL.md 7.8). */
export function startReset(device: Device, notices: readonly Notice[]): Step {
  return startStop(device, notices, AFTER_ABORT);
}

/** Sends the next step once earlier answers have come. ABORT does not wait: it overtakes a transaction. */
function goOn(job: Stop, device: Device): Step {
  const [chore, ...todo] = job.todo;
  if (job.open.some((one) => chore !== "abort" || one !== "transaction")) return { job, device };
  if (chore === undefined) return { ...ended(...job.notices), device };
  const open: readonly Outstanding[] = chore === "cancel-reader" ? [chore, "reader-end"] : [...job.open, chore];
  return send({ ...job, todo, open, triesLeft: TRIES - 1 }, chore, device);
}

function send(job: Stop, chore: Chore, device: Device): Step {
  const after = chore === "reset" ? { ...device, isReaderOpen: false } : device;
  return { job, device: after, write: FRAMES[chore], timers: { answer: LIMITS[chore] } };
}

export function stop(job: Stop, input: JobInput, device: Device): Step {
  if (input.on === "timer") {
    if (input.name === "watchdog") return silent(job);
    return input.name === "answer" ? overdue(job, device) : { job };
  }
  switch (input.heard.is) {
    case "leak":
    case "encrypted":
      return { job };
    case "answer":
      return answered(job, input.heard.answer, device);
    case "event":
      return happened(job, input.heard.event, device);
  }
}

function closed(job: Stop, what: Outstanding, device: Device): Step {
  const left = { ...job, open: job.open.filter((one) => one !== what) };
  const isEndOpen = left.open.length === 1 && left.open[0] === "reader-end";
  return isEndOpen ? { job: left, device, timers: { answer: READER_END_MS } } : goOn(left, device);
}

/**
 * Empty answers look alike, so they are matched in the order of their commands. An error belongs to the transaction if
 * that is still open.
 */
const EMPTY_ORDER: readonly Outstanding[] = [
  "plain",
  "cancel-reader",
  "abort",
  "reset",
  "idle-text",
  "status",
  "grace",
  "transaction",
];
const REFUSED_ORDER: readonly Outstanding[] = [
  "transaction",
  "plain",
  "cancel-reader",
  "abort",
  "idle-text",
  "status",
  "grace",
];

function answered(job: Stop, answer: Answer, device: Device): Step {
  const first = (order: readonly Outstanding[]): Outstanding | undefined => order.find((one) => job.open.includes(one));
  switch (answer.is) {
    case "ok": {
      const what = first(EMPTY_ORDER);
      return what === undefined ? { job } : closed(job, what, device);
    }
    case "refused": {
      const what = first(REFUSED_ORDER);
      if (what === undefined) return { job };
      // An idle reader sends no end.
      const open = what === "cancel-reader" ? job.open.filter((one) => one !== "reader-end") : job.open;
      return closed({ ...job, open }, what, device);
    }
    case "text":
      return { job };
    case "template":
    case "list":
      if (job.open.includes("reset"))
        return isOfCard(answer) ? { job: overtakenLate(job, answer) } : closed(job, "reset", device);
      return job.open.includes("transaction") ? closed(overtaken(job, answer), "transaction", device) : { job };
  }
}

type Told = Extract<Answer, { is: "template" | "list" }>;

/** RESET is answered with a device list. These templates come only from a card transaction, which RESET ends anyway. */
const OF_CARD: readonly Template[] = ["E2", "E3", "E4", "E5"];
const isOfCard = (answer: Told): boolean => answer.is === "template" && OF_CARD.includes(answer.template);

/** The transaction's answer crossed RESET (PROTOCOL.md 7.6). */
function overtakenLate(job: Stop, answer: Told): Stop {
  return answer.is === "template" && answer.template === "E3" ? approvedMeanwhile(job) : job;
}

/** During the stop the transaction ended by itself, or reached its issuer. */
function overtaken(job: Stop, answer: Told): Stop {
  if (answer.is === "list") return job;
  switch (answer.template) {
    case "E2":
    case "E4":
      return stillOpen(job);
    case "E3":
      return approvedMeanwhile(job);
    case "E0":
      // A PIN typed meanwhile, or the data of a transaction step.
      return findTag(leavesOf(answer.objects), tags.pinData) === undefined ? stillOpen(job) : job;
    case "E1":
    case "E5":
    case "E6":
    case "E7":
    case "E8":
    case "6F":
      return job;
  }
}

function stillOpen(job: Stop, chores: readonly Chore[] = END_OF_TRANSACTION): Stop {
  return { ...job, todo: job.todo.includes("idle-text") ? idleAfter(chores) : chores };
}

/** The first notice ends the collect. An offline approval must not be reported as a cancellation. */
function approvedMeanwhile(job: Stop): Stop {
  const detail = "the card approved offline while the transaction was being stopped";
  return {
    ...job,
    notices: job.notices.map(
      (notice, at): Notice => (at === 0 ? { n: notice.n, on: "fault", code: "protocol", detail } : notice),
    ),
  };
}

function happened(job: Stop, event: DeviceEvent, device: Device): Step {
  // The state alone may answer CARD STATUS (PROTOCOL.md 4.5).
  if (event.is === "card" && job.open.includes("status"))
    return { job: { ...job, open: ["grace"] }, timers: { answer: GRACE_MS } };
  if (event.is !== "reader" || !job.open.includes("reader-end")) return { job };
  return closed(readerEnded(job, event.word), "reader-end", device);
}

/** A tap was read while the reader was being stopped. */
function readerEnded(job: Stop, word: ReaderWord): Stop {
  if (word.is !== "template") return job;
  switch (word.template) {
    case "E4":
    case "E7":
      return stillOpen(job);
    case "E3":
      return approvedMeanwhile(job);
    case "E5":
    case "E8":
    case "6F":
      return job;
  }
}

/**
 * A harmless step is skipped. Work that may still run is ended by force. A device that ignores ABORT or RESET is lost.
 */
function overdue(job: Stop, device: Device): Step {
  const { open, todo, triesLeft } = job;
  const has = (what: Outstanding): boolean => open.includes(what);
  if (has("cancel-reader") || has("abort") || has("reset")) return silent(job);
  if (has("idle-text") || has("status")) {
    const chore = has("status") ? "status" : "idle-text";
    return triesLeft > 0 ? send({ ...job, triesLeft: triesLeft - 1 }, chore, device) : silent(job);
  }
  if (has("transaction")) return goOn(stillOpen({ ...job, open: [] }, AFTER_ABORT), device);
  if (has("plain")) return goOn({ ...job, open: [], todo: todo[0] === "abort" ? todo : ["abort", ...todo] }, device);
  return goOn({ ...job, open: [] }, device);
}

/** The device does not become idle in time. */
function silent(job: Stop): Step {
  const numbers = numbersOf(job);
  const what = job.open.length === 0 ? "" : ` to ${job.open.join(" and ")}`;
  return lost(
    numbers.length === 0 ? [0] : numbers,
    "no-answer",
    `no answer${what} while the device was being brought back to idle`,
  );
}
