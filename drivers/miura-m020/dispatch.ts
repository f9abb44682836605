import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { type Device, ended, type Job, type JobInput, type Step } from "./flow.ts";
import { abort, reset, startAbort } from "./flow-abort.ts";
import { collect, startCollect } from "./flow-collect.ts";
import { complete, startComplete } from "./flow-complete.ts";
import { identify, startIdentify } from "./flow-identify.ts";
import { idle, single, startDisplay, startSetClock } from "./flow-single.ts";
import { stop } from "./flow-waiting.ts";

/** A command with its number. */
export interface Numbered {
  readonly n: number;
  readonly command: Command;
}

/** What a job makes of an input. */
export function advance(job: Job, input: JobInput, device: Device): Step {
  switch (job.is) {
    case "none":
      return { job };
    case "identify":
      return identify(job, input, device);
    case "single":
      return single(job, input);
    case "idle":
      return idle(job, input);
    case "collect":
      return collect(job, input, device);
    case "complete":
      return complete(job, input);
    case "abort":
      return abort(job, input);
    case "reset":
      return reset(job, input);
  }
}

/** Begins a command on a device that does nothing. */
export function start({ n, command }: Numbered, device: Device): Step {
  switch (command.do) {
    case "identify":
      return startIdentify(n, device);
    case "idle":
      return startAbort(device, device.held === undefined ? "nothing" : "held", [], { idle: n });
    case "cancel":
      return device.held === undefined ? ended(cancelled(n)) : startAbort(device, "held", [cancelled(n)]);
    case "ask-pin":
      return ended(refusal(n, "this device takes no PIN for a card that is gone"));
    case "reread-verdict":
      return ended(refusal(n, "this device cannot tell the card's final word again"));
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

/** Takes a command while a job is running: "later" is after it. Nothing but the end of a payment may break into a card's transaction. */
export function interrupt(job: Job, { n, command }: Numbered, device: Device): Step | "later" {
  switch (job.is) {
    case "collect":
      if (command.do === "cancel") return stop(job, device, [cancelled(job.n), cancelled(n)]);
      if (command.do === "idle") return stop(job, device, [cancelled(job.n)], n);
      return { job, notices: [refusal(n, "the terminal is busy with a card")] };
    case "complete":
      return command.do === "cancel" ? { job, notices: [refusal(n, "the card already has its issuer's answer")] } : "later";
    case "none":
    case "identify":
    case "single":
    case "idle":
    case "abort":
    case "reset":
      return "later";
  }
}

/** The notice that ends a command which cannot be done. */
export function refusal(n: number, detail: string): Notice {
  return { n, on: "fault", code: "refused", detail };
}

function cancelled(n: number): Notice {
  return { n, on: "cancelled", by: "register" };
}
