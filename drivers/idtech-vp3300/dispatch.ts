import type { Notice } from "../../src/card/notice.ts";
import { cancelled, completing, forgetting, type Numbered, refusal } from "../../src/terminal/one-job.ts";
import { type Device, ended, type Job, type JobInput, NO_JOB, type Step } from "./flow.ts";
import { collect, startCollect } from "./flow-collect.ts";
import { complete, startComplete } from "./flow-complete.ts";
import { identify } from "./flow-identify.ts";
import { single, startDisplay } from "./flow-single.ts";
import { startStop, stop } from "./flow-stop.ts";
import type { Heard } from "./message.ts";

/** Updates the device from any input, independent of the current job. */
export function learn(device: Device, heard: Heard): { readonly device: Device; readonly notices?: readonly Notice[] } {
  switch (heard.is) {
    case "slot":
      return slotTold(device, heard.card);
    case "restart":
      return { device: forgetting(device) };
    case "answer":
    case "dialogue":
      return { device };
  }
}

/**
 * Slot notices count only if the device accepted 01-07 (PROTOCOL.md 5.2). During identification they are recorded
 * without a notice.
 */
function slotTold(device: Device, card: boolean): ReturnType<typeof learn> {
  if (device.keys !== undefined && !device.tellsSlot) return { device };
  const isNews = device.tellsSlot && device.card !== card;
  return { device: { ...device, card }, notices: isNews ? [{ n: 0, on: "slot", card }] : [] };
}

export function advance(job: Job, input: JobInput, device: Device): Step {
  switch (job.is) {
    case "none":
      // A restarted device has lost its settings and may be a replacement, so it is identified again (PROTOCOL.md 5.3).
      return input.on === "heard" && input.heard.is === "restart" ? { job: NO_JOB, link: "reopen" } : { job };
    case "identify":
      return identify(job, input, device);
    case "single":
      return single(job, input);
    case "collect":
      return collect(job, input, device);
    case "complete":
      return complete(job, input, device);
    case "stop":
      return stop(job, input, device);
  }
}

/** Begins a command on an idle device. */
export function start({ n, command }: Numbered, device: Device): Step {
  switch (command.do) {
    case "identify":
      return startStop(
        { member: device.member, tellsSlot: false, ...(device.card !== undefined && { card: device.card }) },
        [],
        n,
      );
    case "idle":
      return startStop(device, [{ n, on: "done" }]);
    case "cancel":
      return device.held?.via === "chip"
        ? startStop(device, [cancelled(n)])
        : { ...ended(cancelled(n)), device: forgetting(device) };
    case "collect":
      return startCollect(n, command.request, device);
    case "complete":
      return startComplete(n, command.issuer, device);
    case "ask-pin":
      return ended(refusal(n, "this device takes no PIN for a card that is gone"));
    case "set-clock":
      return ended(refusal(n, "this device's clock cannot be set from here"));
    case "display":
      return startDisplay(n, command.meaning, device.member.hasScreen);
  }
}

/** Takes a command while a job is running. Only the end of a payment may interrupt a card transaction. */
export function interrupt(job: Job, { n, command }: Numbered, device: Device): Step | "later" {
  switch (job.is) {
    case "collect":
      if (command.do === "cancel") return startStop(device, [cancelled(job.n), cancelled(n)]);
      if (command.do === "idle") return startStop(device, [cancelled(job.n), { n, on: "done" }]);
      return { job, notices: [refusal(n, "the terminal is busy with a card")] };
    case "complete":
      return command.do === "cancel" ? { job, notices: [completing(n)] } : "later";
    case "single":
      if (command.do !== "cancel") return "later";
      return job.ending === "read"
        ? { job, notices: [completing(n)] }
        : startStop(device, [{ n: job.n, on: "done" }, cancelled(n)]);
    case "none":
    case "identify":
    case "stop":
      return "later";
  }
}
