import { leakIn } from "../../src/card/dynapro-card.ts";
import type { Notice } from "../../src/card/notice.ts";
import { moneyProblem } from "../../src/card/request-problem.ts";
import { cancelled, completing, forgetting, type Numbered, refusal } from "../../src/terminal/one-job.ts";
import { type Device, ended, fault, type Job, type JobInput, NO_JOB, type Step } from "./flow.ts";
import { collect, halt, startCollect } from "./flow-collect.ts";
import { complete, startComplete } from "./flow-complete.ts";
import { identify, startIdentify } from "./flow-identify.ts";
import { single, startSetClock } from "./flow-single.ts";
import { startStop, stop } from "./flow-stop.ts";
import { type Heard, notifications } from "./message.ts";
import { resultIn } from "./outcomes.ts";
import { events, progressIn } from "./progress.ts";

/**
 * Updates the device from any input: counts answers, tracks the slot, and notes that a transaction ended before its
 * issuer answered.
 */
export function learn(device: Device, heard: Heard): { readonly device: Device; readonly notices?: readonly Notice[] } {
  switch (heard.is) {
    case "answer":
    case "pending":
      // More answers than commands means a repetition; it belongs to no command.
      return { device: device.answered < device.sent ? { ...device, answered: device.answered + 1 } : device };
    case "notification":
      return heard.id === notifications.progress
        ? slotLearnt(device, heard.data)
        : overLearnt(device, heard.id, heard.data);
    case "command":
    case "other":
      return { device };
  }
}

function slotLearnt(device: Device, data: Uint8Array): ReturnType<typeof learn> {
  const event = progressIn(data)?.event;
  const isSlot = device.member.interfaces.includes("chip") && (event === events.inserted || event === events.removed);
  if (!isSlot) return { device };
  const slot = event === events.inserted;
  return { device: { ...device, slot }, ...(device.slot !== slot && { notices: [{ n: 0, on: "slot", card: slot }] }) };
}

function overLearnt(device: Device, id: string, data: Uint8Array): ReturnType<typeof learn> {
  const { held } = device;
  const result =
    id === notifications.result && held !== undefined && held.over === undefined ? resultIn(data) : undefined;
  return held === undefined || result === undefined
    ? { device }
    : { device: { ...device, held: { ...held, over: result.status } } };
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

/** No job waits for a late result, but a leak in it still counts. */
function idle(input: JobInput, device: Device): Step {
  if (input.on !== "heard" || input.heard.is !== "notification" || input.heard.id !== notifications.result)
    return { job: NO_JOB };
  const result = device.held === undefined ? resultIn(input.heard.data) : undefined;
  const detail = result && leakIn(result.batch);
  return { job: NO_JOB, ...(detail !== undefined && { notices: [fault(0, "clear-card-data", detail)] }) };
}

/** Begins a command on an idle device. */
export function start({ n, command }: Numbered, device: Device): Step {
  switch (command.do) {
    case "identify":
      return startIdentify(n, device);
    case "idle":
      return rest(device, { n, on: "done" });
    case "cancel":
      return rest(device, cancelled(n));
    case "ask-pin":
      return ended(refusal(n, moneyProblem(command.request) ?? "this device has no keys for a PIN"));
    case "set-clock":
      return startSetClock(n, command.now, device);
    case "collect":
      return startCollect(n, command.request, device);
    case "complete":
      return startComplete(n, command.issuer, device);
    case "display":
      return ended({ n, on: "done" });
  }
}

/** A card that still waits for its issuer is stopped first. */
function rest(device: Device, notice: Notice): Step {
  const { held } = device;
  if (held === undefined || held.over !== undefined) return { ...ended(notice), device: forgetting(device) };
  return startStop(device, [notice], { frame: held.frame });
}

/**
 * Takes a command while a job is running; "later" queues it. Only the end of a payment may interrupt a card
 * transaction.
 */
export function interrupt(job: Job, { n, command }: Numbered, device: Device): Step | "later" {
  switch (job.is) {
    case "collect":
      if (command.do === "cancel") return halt(job, device, [cancelled(job.n), cancelled(n)]);
      if (command.do === "idle") return halt(job, device, [cancelled(job.n), { n, on: "done" }]);
      return { job, notices: [refusal(n, "the terminal is busy with a card")] };
    case "complete":
      return command.do === "cancel" ? { job, notices: [completing(n)] } : "later";
    case "single":
      return command.do === "cancel" && job.what === "acknowledge" ? { job, notices: [completing(n)] } : "later";
    case "none":
    case "identify":
    case "stop":
      return "later";
  }
}
