import type { Notice } from "../../src/card/notice.ts";
import { findTag } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import { cancelled, completing, forgetting, type Numbered, refusal } from "../../src/terminal/one-job.ts";
import { currencyIn } from "./currency.ts";
import { type Device, ended, fault, type Job, type JobInput, type Step } from "./flow.ts";
import { askPin, startAskPin } from "./flow-ask-pin.ts";
import { collect, startCollect } from "./flow-collect.ts";
import { complete, startComplete } from "./flow-complete.ts";
import { identify } from "./flow-identify.ts";
import { single, startDisplay, startSetClock } from "./flow-single.ts";
import { halt } from "./flow-start.ts";
import { startStop, stop } from "./flow-stop.ts";
import type { Heard } from "./message.ts";
import { leakHeard } from "./sealed.ts";
import { RESTART_WARNING_MS } from "./timing.ts";

/** Updates slot and currency from any input, independent of the current job. */
export function learn(device: Device, heard: Heard): { readonly device: Device; readonly notices?: readonly Notice[] } {
  if (heard.is === "emv") return { device: { ...device, ...currencyIn(heard.objects) } };
  if (heard.is !== "slot") return { device };
  return {
    device: { ...device, card: heard.card },
    notices: device.card === heard.card ? [] : [{ n: 0, on: "slot", card: heard.card }],
  };
}

export function advance(job: Job, input: JobInput, device: Device): Step {
  if (input.on === "timer" && input.name === "restart")
    return { job, notices: [{ n: 0, on: "restart-soon", inMs: RESTART_WARNING_MS }] };
  const answer = input.on === "heard" ? answerIn(input.heard) : undefined;
  if (answer === undefined) return within(job, input, device);
  if (device.past?.[answer.step] === answer.key) return leaked(input, { job });
  const step = within(job, input, device);
  // An answer that came too early counts when the device repeats it.
  if (job.is === "collect" && step.job === job) return step;
  return { ...step, device: { ...(step.device ?? device), past: { ...device.past, [answer.step]: answer.key } } };
}

/**
 * Identifies a repeated first or final answer: the device repeats an answer if it believes it was lost (PROTOCOL.md 4.5
 * and 6.9).
 */
function answerIn(heard: Heard): { readonly step: "03" | "05"; readonly key: string } | undefined {
  if (heard.is !== "emv" || (heard.step !== "03" && heard.step !== "05")) return undefined;
  const [cryptogram, counter] = [findTag(heard.objects, "9F26"), findTag(heard.objects, "9F36")];
  return cryptogram?.length === CRYPTOGRAM && counter !== undefined
    ? { step: heard.step, key: `${toHex(cryptogram)} ${toHex(counter)}` }
    : undefined;
}

/** Length in bytes. */
const CRYPTOGRAM = 8;

function within(job: Job, input: JobInput, device: Device): Step {
  switch (job.is) {
    case "none":
      return leaked(input, { job });
    case "identify":
      return leaked(input, identify(job, input, device));
    case "single":
      return leaked(input, single(job, input));
    case "collect":
      return collect(job, input, device);
    case "ask-pin":
      return leaked(input, askPin(job, input, device));
    case "complete":
      return complete(job, input, device);
    case "stop":
      return leaked(input, stop(job, input, device));
  }
}

/** Clear card data is a leak even if no job waits for it. */
function leaked(input: JobInput, step: Step): Step {
  const detail = input.on === "heard" ? leakHeard(input.heard) : undefined;
  return detail === undefined
    ? step
    : { ...step, notices: [...(step.notices ?? []), fault(0, "clear-card-data", detail)] };
}

/** Begins a command on an idle device. */
export function start({ n, command }: Numbered, device: Device): Step {
  switch (command.do) {
    case "identify":
      return startStop(device, [], { is: "identify", n });
    case "idle":
      return startStop(device, [], { is: "idle", n });
    case "cancel":
      return device.held === undefined || device.held.via === "nobody"
        ? { ...ended(cancelled(n)), device: forgetting(device) }
        : startStop(device, [cancelled(n)]);
    case "collect":
      return startCollect(n, command.request, device);
    case "complete":
      return startComplete(n, command.issuer, device);
    case "ask-pin":
      return startAskPin(n, command.request, device);
    case "set-clock":
      return startSetClock(n, command.now);
    case "display":
      return startDisplay(n, command.lines, device);
  }
}

/** Takes a command while a job is running. Only the end of a payment may interrupt a card transaction. */
export function interrupt(job: Job, { n, command }: Numbered, device: Device): Step | "later" {
  switch (job.is) {
    case "collect":
    case "ask-pin":
      if (command.do === "cancel") return halt(device, cancelled(job.n), cancelled(n));
      if (command.do === "idle") return startStop(device, [cancelled(job.n)], { is: "idle", n });
      return { job, notices: [refusal(n, "the terminal is busy with a card")] };
    case "complete":
      return command.do === "cancel" ? { job, notices: [completing(n)] } : "later";
    case "single":
      return command.do === "cancel" && job.what === "acknowledge" ? { job, notices: [completing(n)] } : "later";
    case "identify":
      // No payment is open during identification, so a cancel is answered at once.
      return command.do === "cancel" ? { job, notices: [cancelled(n)] } : "later";
    case "stop":
      if (command.do !== "cancel") return "later";
      return job.then?.is === "identify"
        ? { job, notices: [cancelled(n)] }
        : { job: { ...job, notices: [...job.notices, cancelled(n)] } };
    case "none":
      return "later";
  }
}
