import type { Notice } from "../../src/card/notice.ts";
import { cancelled, completing, forgetting, type Numbered, refusal } from "../../src/terminal/one-job.ts";
import { ended } from "../vipa/flow.ts";
import { leakIn } from "./card-answer.ts";
import type { Device, Job, JobInput, Step } from "./flow.ts";
import { askPin, startAskPin, stopAskPin } from "./flow-ask-pin.ts";
import { collect, startCollect } from "./flow-collect.ts";
import { complete, startComplete } from "./flow-complete.ts";
import { identify, startIdentify } from "./flow-identify.ts";
import { idle, single, startDisplay, startSetClock } from "./flow-single.ts";
import { reset, startStop, stop } from "./flow-stop.ts";
import { halt } from "./flow-waiting.ts";
import { type Heard, isGoing, restartText } from "./message.ts";

/** Updates the device from any input, independent of the current job. */
export function learn(device: Device, heard: Heard): { readonly device: Device; readonly notices?: readonly Notice[] } {
  if (heard.is === "answer") return { device };
  const { event } = heard;
  if (event.is !== "card") return { device: restartText(event) === undefined ? device : forgetting(device) };
  const leak = device.keys?.sred === true ? leakIn(event.objects) : undefined;
  const notices: readonly Notice[] = [
    ...(device.slot?.card === event.slot ? [] : [{ n: 0, on: "slot", card: event.slot } as const]),
    ...(leak === undefined ? [] : [{ n: 0, on: "fault", code: "clear-card-data", detail: leak } as const]),
  ];
  return { device: { ...device, slot: { card: event.slot, chip: event.chip } }, notices };
}

export function advance(job: Job, input: JobInput, device: Device): Step {
  switch (job.is) {
    case "none":
      // After a restart another device may answer, so it is identified again (PROTOCOL.md 6.2).
      return input.on === "heard" && input.heard.is === "event" && isGoing(input.heard.event)
        ? { job, link: "reopen" }
        : { job };
    case "identify":
      return identify(job, input, device);
    case "single":
      return single(job, input);
    case "idle":
      return idle(job, input);
    case "collect":
      return collect(job, input, device);
    case "ask-pin":
      return askPin(job, input, device);
    case "complete":
      return complete(job, input);
    case "stop":
      return stop(job, input, device);
    case "reset":
      return reset(job, input);
  }
}

/** Begins a command on an idle device. */
export function start({ n, command }: Numbered, device: Device): Step {
  switch (command.do) {
    case "identify":
      return startIdentify(n, device);
    case "idle":
      return startStop(device, isWaiting(device) ? "held" : "nothing", [], { idle: n });
    case "cancel":
      return isWaiting(device)
        ? startStop(device, "held", [cancelled(n)])
        : { ...ended(cancelled(n)), device: forgetting(device) };
    case "ask-pin":
      return startAskPin(n, command.request, device);
    case "set-clock":
      return startSetClock(n, command.now);
    case "collect":
      return startCollect(n, command.request, device);
    case "complete":
      return startComplete(n, command.issuer, device);
    case "display":
      return startDisplay(n, command.lines);
  }
}

/** A chip or a reader waits for CONTINUE TRANSACTION. */
function isWaiting({ held }: Device): boolean {
  return held !== undefined && held.via !== "nobody";
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
    case "ask-pin":
      if (command.do === "cancel") return stopAskPin(job, device, [cancelled(job.n), cancelled(n)]);
      if (command.do === "idle") return stopAskPin(job, device, [cancelled(job.n)], { idle: n });
      return { job, notices: [refusal(n, "the terminal is busy with a PIN")] };
    case "complete":
      return command.do === "cancel" ? { job, notices: [completing(n)] } : "later";
    case "single":
      return command.do === "cancel" && job.ending === "read" ? { job, notices: [completing(n)] } : "later";
    case "none":
    case "identify":
    case "idle":
    case "stop":
    case "reset":
      return "later";
  }
}
