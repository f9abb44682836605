import {
  cancelled,
  completing,
  forgetting,
  LONGEST_QUEUE,
  type Numbered,
  refusal,
} from "../../src/terminal/one-job.ts";
import { lost } from "../vipa/flow.ts";
import { type Device, type Job, type JobInput, numbersOf, type Step, type Stop } from "./flow.ts";
import { askPin, startAskPin, stopAskPin } from "./flow-ask-pin.ts";
import { collect, startCollect } from "./flow-collect.ts";
import { complete, startComplete } from "./flow-complete.ts";
import { dailyRestart, identify, startIdentify } from "./flow-identify.ts";
import { single, startDisplay, startSetClock } from "./flow-single.ts";
import { choresFor, idleAfter, startStop, stop } from "./flow-stop.ts";
import { halt } from "./flow-waiting.ts";
import { isRestart } from "./message.ts";

/** Runs an input through the job. Restarts, daily or unexpected, concern the device and are handled for every job. */
export function advance(job: Job, input: JobInput, device: Device): Step {
  if (input.on === "timer" && input.name === "daily") return { job, ...dailyRestart };
  if (input.on === "timer" && input.name === "greeting") return { job, device: greetedBy(device) };
  const isGreeted = input.on === "heard" && input.heard.is === "event" && isRestart(input.heard.event);
  return isGreeted ? greeted(job, device) : go(job, input, device);
}

/** The greeting of this link has come or is no longer expected. */
function greetedBy({ mayGreet: _over, ...rest }: Device): Device {
  return rest;
}

/**
 * PROTOCOL.md 7.18: a restarted device may be a replacement. A greeting is normal during identification, and ignored if
 * late on an idle device.
 */
function greeted(job: Job, device: Device): Step {
  const { isIdentified, mayGreet, held } = device;
  const isLate = mayGreet === true && job.is === "none" && held === undefined;
  if (!isIdentified || job.is === "identify" || job.is === "stop" || isLate)
    return { job, device: forgetting(greetedBy(device)) };
  const numbers = numbersOf(job);
  return lost(numbers.length === 0 ? [0] : numbers, "device-error", "the device started anew");
}

function go(job: Job, input: JobInput, device: Device): Step {
  switch (job.is) {
    case "none":
      return { job };
    case "identify":
      return identify(job, input, device);
    case "single":
      return single(job, input);
    case "collect":
      return collect(job, input, device);
    case "ask-pin":
      return askPin(job, input, device);
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
      return startIdentify(n, device);
    case "idle":
      return startStop(forgetting(device), [{ n, on: "done" }], idleAfter(choresFor(device)));
    case "cancel":
      return startStop(forgetting(device), [cancelled(n)], choresFor(device));
    case "ask-pin":
      return startAskPin(n, command.request, device);
    case "set-clock":
      return startSetClock(n, command.now);
    case "collect":
      return startCollect(n, command.request, device);
    case "complete":
      return startComplete(n, command.issuer, device);
    case "display":
      return startDisplay(n, command.lines, device);
  }
}

/**
 * Takes a command while a job is running; "later" queues it. Only the end of a payment may interrupt a card
 * transaction.
 */
export function interrupt(job: Job, { n, command }: Numbered, device: Device): Step | "later" {
  switch (job.is) {
    case "collect":
      if (command.do === "cancel") return halt(job, device, [cancelled(job.n), cancelled(n)]);
      if (command.do === "idle") return halt(job, device, [cancelled(job.n), { n, on: "done" }], { idle: true });
      return { job, notices: [refusal(n, "the terminal is busy with a card")] };
    case "ask-pin":
      if (command.do === "cancel") return stopAskPin(job, device, [cancelled(job.n), cancelled(n)], false);
      if (command.do === "idle") return stopAskPin(job, device, [cancelled(job.n), { n, on: "done" }], true);
      return { job, notices: [refusal(n, "the terminal is busy with a PIN")] };
    case "complete":
      return command.do === "cancel" ? { job, notices: [completing(n)] } : "later";
    case "single":
      return command.do === "cancel" && job.ending === "read" ? { job, notices: [completing(n)] } : "later";
    case "stop":
      return command.do === "cancel" ? joined(job, n) : "later";
    case "none":
    case "identify":
      return "later";
  }
}

/** A cancel during a stop ends together with it. */
function joined(job: Stop, n: number): Step {
  if (job.notices.length > LONGEST_QUEUE)
    return { job, notices: [refusal(n, `${job.notices.length} commands end with this one already`)] };
  return { job: { ...job, notices: [...job.notices, cancelled(n)] } };
}
