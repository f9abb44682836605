import type { Notice } from "../../src/card/notice.ts";
import { type Numbered, refusal } from "../../src/terminal/one-job.ts";
import { ask, type Device, ended, forgetting, type Job, type JobInput, NO_JOB, type Step } from "./flow.ts";
import { collect, halt, startCollect } from "./flow-collect.ts";
import { complete, startComplete } from "./flow-complete.ts";
import { identify, startIdentify } from "./flow-identify.ts";
import { single, startDisplay, startIdleText } from "./flow-single.ts";
import { startStop, stop } from "./flow-stop.ts";
import { notifications } from "./message.ts";

/** What a job makes of an input. */
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

/** A session over a network ends by itself unless something is asked (PROTOCOL.md 5.3). Its answer is nothing to anybody. */
function idle(input: JobInput, device: Device): Step {
  const isExpiring =
    input.on === "heard" && input.heard.is === "notification" && input.heard.id === notifications.device && input.heard.code.startsWith("0200");
  if (!isExpiring) return { job: NO_JOB };
  const asking = ask(device, "extend-session");
  return { job: NO_JOB, device: asking.device, write: asking.write };
}

/** Begins a command on a device that does nothing. */
export function start({ n, command }: Numbered, device: Device): Step {
  switch (command.do) {
    case "identify":
      return startIdentify(n, device);
    case "idle":
      return isWaiting(device) ? startStop(device, [], { ...waitingCard(device), idle: n }) : startIdleText(n, forgetting(device));
    case "cancel":
      return isWaiting(device) ? startStop(device, [cancelled(n)], waitingCard(device)) : { ...ended(cancelled(n)), device: forgetting(device) };
    case "ask-pin":
      return ended(refusal(n, "this device takes no PIN for a card that is gone: it would have to be told its number"));
    case "reread-verdict":
      return ended(refusal(n, "this device cannot tell the card's final word again"));
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

/** A transaction is still open on the device. */
function isWaiting({ held }: Device): boolean {
  return held !== undefined && held.via !== "nobody" && held.over === undefined;
}

function waitingCard({ held }: Device): { readonly serialNumber?: Uint8Array } {
  return held === undefined ? {} : { serialNumber: held.serialNumber };
}

/** Takes a command while a job is running: "later" is after it. Nothing but the end of a payment may break into a card's transaction. */
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

const completing = (n: number): Notice => refusal(n, "the card already has its issuer's answer");

function cancelled(n: number): Notice {
  return { n, on: "cancelled", by: "register" };
}
