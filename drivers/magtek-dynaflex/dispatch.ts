import { leakIn } from "../../src/card/dynapro-card.ts";
import type { Notice } from "../../src/card/notice.ts";
import { cancelled, completing, forgetting, type Numbered, refusal } from "../../src/terminal/one-job.ts";
import { parseBlob } from "./blob.ts";
import type { Heard } from "./codec.ts";
import { ask, type Device, ended, fault, type Job, type JobInput, NO_JOB, type Step } from "./flow.ts";
import { collect, halt, startCollect } from "./flow-collect.ts";
import { complete, startComplete } from "./flow-complete.ts";
import { identify, startIdentify } from "./flow-identify.ts";
import { single, startDisplay, startIdleText } from "./flow-single.ts";
import { startStop, stop } from "./flow-stop.ts";
import { isReset, notifications } from "./message.ts";
import { rulingOf } from "./outcomes.ts";

/**
 * Updates the device from any input: slot changes, restarts, and a transaction that ended before its issuer answered.
 */
export function learn(device: Device, heard: Heard): { readonly device: Device; readonly notices?: readonly Notice[] } {
  if (heard.is !== "notification") return { device };
  const { id, code } = heard;
  const slot = slotIn(id, code);
  if (slot !== undefined) {
    const isNews = device.tellsSlot && device.slot !== slot;
    return { device: { ...device, slot }, ...(isNews && { notices: [{ n: 0, on: "slot", card: slot }] }) };
  }
  const inMs = id === notifications.device ? awayIn(code, device) : undefined;
  if (inMs !== undefined) return { device, notices: [{ n: 0, on: "restart-soon", inMs }] };
  const isOver = isReset(heard) || (id === notifications.outcome && rulingOf(code).is !== "nothing");
  return {
    device:
      isOver && device.held !== undefined && device.held.over === undefined
        ? { ...device, held: { ...device.held, over: code } }
        : device,
  };
}

/** A card entered or left the slot, in a transaction or on an idle device (PROTOCOL.md 5.1 and 5.3). */
function slotIn(id: string, code: string): boolean | undefined {
  if (id === notifications.progress && code === "10010200") return true;
  if (id === notifications.progress && code === "10010300") return false;
  if (id !== notifications.device) return undefined;
  if (code.startsWith("0102")) return true;
  return code.startsWith("0103") ? false : undefined;
}

/** A device with an empty battery switches itself off after this time (PROTOCOL.md 5.3). */
const SWITCHED_OFF_MS = 60_000;

/** Time until an announced restart or switch-off. */
function awayIn(code: string, { warnsMs }: Device): number | undefined {
  if (code.startsWith("0001")) return warnsMs;
  return code.startsWith("000201") ? SWITCHED_OFF_MS : undefined;
}

export function advance(job: Job, input: JobInput, device: Device): Step {
  switch (job.is) {
    case "none":
      return idle(input, device);
    case "identify":
      return identify(job, input, device);
    case "single":
      return single(job, input, device);
    case "collect":
      return collect(job, input, device);
    case "complete":
      return complete(job, input, device);
    case "stop":
      return stop(job, input, device);
  }
}

/**
 * A restarted device is identified again: it lost its subscription and may be a replacement. A network session expires
 * without requests (PROTOCOL.md 5.3).
 */
function idle(input: JobInput, device: Device): Step {
  if (input.on !== "heard" || input.heard.is !== "notification") return { job: NO_JOB };
  const { heard } = input;
  if (isReset(heard))
    return { job: NO_JOB, notices: [fault(0, "device-error", "the device restarted")], link: "reopen" };
  if (heard.id === notifications.device && heard.code.startsWith("0200")) {
    const asking = ask(device, "extend-session");
    return { job: NO_JOB, device: asking.device, write: asking.write };
  }
  // No job waits for late batch data. A leak in it still counts, unless a card waits for its issuer.
  const detail =
    device.held === undefined && heard.id === notifications.progress ? leakInPayload(heard.payload) : undefined;
  const isOwed = heard.id === notifications.progress && heard.code.slice(2) === "080302";
  return {
    job: NO_JOB,
    ...(isOwed && { device: { ...device, owesBatch: false } }),
    ...(detail !== undefined && { notices: [fault(0, "clear-card-data", detail)] }),
  };
}

function leakInPayload(payload: Uint8Array): string | undefined {
  const blob = parseBlob(payload);
  return typeof blob === "string" ? undefined : leakIn(blob);
}

/** Begins a command on an idle device. */
export function start({ n, command }: Numbered, device: Device): Step {
  switch (command.do) {
    case "identify":
      return startIdentify(n, device);
    case "idle":
      return isWaiting(device)
        ? startStop(device, [], { ...waitingCard(device), idle: n })
        : startIdleText(n, forgetting(device));
    case "cancel":
      return isWaiting(device)
        ? startStop(device, [cancelled(n)], waitingCard(device))
        : { ...ended(cancelled(n)), device: forgetting(device) };
    case "ask-pin":
      return ended(refusal(n, "this device takes no PIN for a card that is gone: it would have to be told its number"));
    case "set-clock":
      return ended(refusal(n, "this device keeps a clock of its own that no host sets"));
    case "collect":
      return startCollect(n, command.request, device);
    case "complete":
      return startComplete(n, command.issuer, device);
    case "display":
      return startDisplay(n, command, device);
  }
}

/** Whether a transaction is still open on the device. */
function isWaiting({ held }: Device): boolean {
  return held !== undefined && held.via !== "nobody" && held.over === undefined;
}

function waitingCard({ held }: Device): { readonly serialNumber?: Uint8Array } {
  return held === undefined ? {} : { serialNumber: held.serialNumber };
}

/**
 * Takes a command while a job is running; "later" queues it. Only the end of a payment may interrupt a card
 * transaction.
 */
export function interrupt(job: Job, { n, command }: Numbered, device: Device): Step | "later" {
  switch (job.is) {
    case "collect":
      if (command.do === "cancel") return halt(job, device, [cancelled(job.n), cancelled(n)]);
      if (command.do === "idle") return halt(job, device, [cancelled(job.n)], n);
      return { job, notices: [refusal(n, "the terminal is busy with a card")] };
    case "complete":
      return command.do === "cancel" ? { job, notices: [completing(n)] } : "later";
    case "single":
      return command.do === "cancel" && job.ending === "read" ? { job, notices: [completing(n)] } : "later";
    case "none":
    case "identify":
    case "stop":
      return "later";
  }
}
