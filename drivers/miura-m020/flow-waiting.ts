import type { CollectRequest } from "../../src/card/command.ts";
import type { Notice, PromptCode } from "../../src/card/notice.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { packedAmount } from "./card-answer.ts";
import { amountText, displayText } from "./display-text.ts";
import { type Device, type Face, framesOf, type Job, type Slot, type Step, type Waiting } from "./flow.ts";
import { keysOff, keysOn, startAbort } from "./flow-abort.ts";
import { type Answer, encodeTemplate, tags } from "./message.ts";
import { DISPLAY_MS, KEYBOARD_MS, TRIES, UNREADABLE_INSERTIONS } from "./timing.ts";

/*
 * A collect until START TRANSACTION (PROTOCOL.md 7.3 and 7.9). DISPLAY TEXT and KEYBOARD STATUS have empty answers that look alike, so one command goes out at a
 * time; what goes out next is decided anew whenever an answer came, a limit passed, or the slot changed.
 */

type Collect = Extract<Job, { is: "collect" }>;
type Open = Exclude<Waiting["open"], undefined>["what"];

const FRESH: Waiting = { at: "waiting", unreadable: 0, slot: { card: false, chip: false }, open: undefined, shown: undefined, keys: "off" };

/** The slot's state, for the first time or anew. A card that stays where it is may be reported more than once; only a new one counts as unreadable. */
export function slotTold(job: Collect, slot: Slot, device: Device): Step {
  const before = job.phase.at === "waiting" ? job.phase : FRESH;
  if (isReady(slot)) return proceed(job, { ...before, slot });
  const unreadable = before.unreadable + (slot.card && !before.slot.card ? 1 : 0);
  if (unreadable >= UNREADABLE_INSERTIONS) return stop(job, device, [{ n: job.n, on: "no-card", why: "chip-unreadable" }]);
  const prompt = slot.card ? "TRY_AGAIN" : "INSERT_CHIP";
  return { ...prompted(job, prompt), ...proceed({ ...job, prompt }, { ...before, slot, unreadable }) };
}

const isReady = ({ card, chip }: Slot): boolean => card && chip;

const faceFor = ({ card }: Slot): Face => (card ? "again" : "insert");

/** What is to be done next, unless an answer is outstanding. */
function proceed(job: Collect, phase: Waiting): Step {
  if (phase.open !== undefined) return { job: { ...job, phase } };
  if (isReady(phase.slot)) return phase.keys === "on" ? ask(job, phase, "keys-off", 1) : startTransaction(job);
  if (phase.shown !== faceFor(phase.slot)) return ask(job, phase, faceFor(phase.slot), TRIES);
  if (phase.keys === "off") return ask(job, phase, "keys-on", 1);
  return { job: { ...job, phase }, timers: { answer: "clear" } };
}

/** Sends a plain command, so often at most. */
function ask(job: Collect, phase: Waiting, what: Open, tries: number): Step {
  const open = { what, triesLeft: tries - 1 };
  switch (what) {
    case "insert":
    case "again": {
      const write = framesOf("display", { data: displayText(linesOf(what, job.request)) });
      return { job: { ...job, phase: { ...phase, open, shown: what } }, write, timers: { answer: DISPLAY_MS } };
    }
    case "keys-on":
      // From here on they may come, whatever becomes of the answer.
      return { job: { ...job, phase: { ...phase, open, keys: "on" } }, write: keysOn, timers: { answer: KEYBOARD_MS } };
    case "keys-off":
      return { job: { ...job, phase: { ...phase, open } }, write: keysOff, timers: { answer: KEYBOARD_MS } };
  }
}

function linesOf(face: Face, request: CollectRequest): readonly string[] {
  const amount = amountText(request);
  switch (face) {
    case "insert":
      return ["", amount, "INSERT CARD"];
    case "again":
      return ["", amount, "REMOVE CARD", "AND TRY AGAIN"];
  }
}

/** An answer while waiting is that of the one open command if it may be; every other one is dropped (PROTOCOL.md 4.5). */
export function plainAnswered(job: Collect, phase: Waiting, answer: Answer): Step {
  if (phase.open === undefined) return { job };
  switch (answer.is) {
    case "ok":
      return settled(job, phase, phase.open.what === "keys-off" ? "off" : phase.keys);
    case "refused":
      return failed(job, phase, phase.open, "refused");
    case "template":
    case "other":
      return { job };
  }
}

/** The open command's limit passed without an answer. */
export function overdue(job: Collect, phase: Waiting): Step {
  return phase.open === undefined ? { job } : failed(job, phase, phase.open, "on");
}

/** The sale goes on without a text or a key (PROTOCOL.md 7.9); a text is worth another try as long as it is still the right one (7.2). */
function failed(job: Collect, phase: Waiting, open: Exclude<Waiting["open"], undefined>, keysThen: "refused" | "on"): Step {
  switch (open.what) {
    case "insert":
    case "again": {
      const isWanted = !isReady(phase.slot) && open.what === faceFor(phase.slot);
      return isWanted && open.triesLeft > 0 ? ask(job, phase, open.what, open.triesLeft) : settled(job, phase, phase.keys);
    }
    case "keys-on":
      return settled(job, phase, keysThen);
    case "keys-off":
      return settled(job, phase, "off");
  }
}

function settled(job: Collect, phase: Waiting, keys: Waiting["keys"]): Step {
  return proceed(job, { ...phase, open: undefined, keys });
}

/** DFA205 of the red key (PROTOCOL.md 6.4). */
const CANCEL_KEY = "1B";

/** The customer does not want to, and has no card in yet that could say so. */
export function keyTold(job: Collect, phase: Waiting, code: string, device: Device): Step {
  if (code !== CANCEL_KEY || phase.keys !== "on") return { job };
  return stop(job, device, [{ n: job.n, on: "cancelled", by: "customer" }]);
}

/** Ends a collect from outside, by its own clocks or by the customer before START. */
export function stop(job: Collect, device: Device, notices: readonly Notice[], idle?: number): Step {
  const { phase } = job;
  const running = phase.at === "running" ? "transaction" : "nothing";
  const left = phase.at === "waiting" ? { plainOpen: phase.open !== undefined, keysOn: phase.keys === "on" && phase.open?.what !== "keys-off" } : {};
  return startAbort(device, running, notices, { ...left, ...(idle !== undefined && { idle }) });
}

/** Tells the cashier something, unless that is what was told last. */
export function prompted(job: Collect, prompt: PromptCode): Step {
  return job.prompt === prompt ? { job } : shown(job, prompt);
}

export function shown(job: Collect, prompt: PromptCode): Step {
  return { job: { ...job, prompt }, notices: [{ n: job.n, on: "prompt", prompt }] };
}

function startTransaction(job: Collect): Step {
  const running = prompted({ ...job, phase: { at: "running" } }, "PROCESSING");
  return { ...running, write: framesOf("start-transaction", { data: startData(job.request) }), timers: { answer: "clear", card: "clear" } };
}

/** PROTOCOL.md 7.3: the device chooses the application itself (DFA204 01) and configures no risk management stage (DFA203 00). */
function startData({ amount, transactionType, currencyNumeric, now }: CollectRequest): Uint8Array {
  return encodeTemplate("E0", [
    { tag: "9C", value: fromHex(transactionType) },
    { tag: "9F02", value: fromHex(packedAmount(amount)) },
    { tag: "9A", value: fromHex(now.date) },
    { tag: "9F21", value: fromHex(now.time) },
    { tag: tags.applicationSelection, value: Uint8Array.of(0x01) },
    { tag: tags.trmStage, value: Uint8Array.of(0x00) },
    { tag: "5F2A", value: fromHex(`0${currencyNumeric}`) },
  ]);
}
