import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { moneyProblem } from "../../src/card/request-problem.ts";
import { cancelled, forgetting, type Numbered, refusal } from "../../src/terminal/one-job.ts";
import { replyTo } from "./call-backs.ts";
import { IDLE_LINES, screenOf } from "./display.ts";
import { type Device, ended, type Job, type JobInput, type Look, type Single, type Step } from "./flow.ts";
import { collect, startCollect } from "./flow-collect.ts";
import { complete, startComplete } from "./flow-complete.ts";
import { identify } from "./flow-identify.ts";
import { look, startLook } from "./flow-look.ts";
import { single, startDisplay, startSetClock } from "./flow-single.ts";
import { startStop, stop } from "./flow-stop.ts";
import { SLOT_POLL_MS } from "./timing.ts";

export function advance(job: Job, input: JobInput, device: Device): Step {
  return looking(device, advanced(job, input, device));
}

function advanced(job: Job, input: JobInput, device: Device): Step {
  switch (job.is) {
    case "none":
      return rested(job, input);
    case "identify":
      return identify(job, input, device);
    case "single":
      return single(job, input);
    case "collect":
      return collect(job, input, device);
    case "complete":
      return complete(job, input);
    case "stop":
      return stop(job, input, device);
    case "look":
      return look(job, input, device);
  }
}

/** An unused device may still run a command of an earlier session; its call-backs are refused. */
function rested(job: Job, input: JobInput): Step {
  if (input.on === "timer") return input.name === "look" ? startLook() : { job };
  return input.heard.is === "call-back"
    ? { job, write: [replyTo(input.heard.sub, input.heard.data, 0, true).write] }
    : { job };
}

/** An idle device with a card in its slot is polled, because it does not report a removal (PROTOCOL.md 6.9). */
function looking(before: Device, step: Step): Step {
  const { card } = step.device ?? before;
  if (step.job.is !== "none" || step.link !== undefined || card !== true) return step;
  return { ...step, timers: { look: SLOT_POLL_MS, ...step.timers } };
}

/** Begins a command on an idle device. */
export function start(numbered: Numbered, device: Device): Step {
  return looking(device, begun(numbered, device));
}

function begun({ n, command }: Numbered, device: Device): Step {
  const idle = { is: "none" } as const;
  switch (command.do) {
    case "identify":
      return startStop(idle, device, { notices: [], identify: n });
    case "idle":
      return startStop(idle, device, { notices: [{ n, on: "done" }], afterwards: screenOf(device, IDLE_LINES) });
    case "cancel":
      return device.held?.via === "chip"
        ? startStop(idle, device, { notices: [cancelled(n)] })
        : { ...ended(cancelled(n)), device: forgetting(device) };
    case "collect":
      return startCollect(n, command.request, device);
    case "complete":
      return startComplete(n, command.issuer, device);
    case "ask-pin":
      return ended(refusal(n, moneyProblem(command.request) ?? "this device takes no PIN for the issuer"));
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
      if (command.do === "cancel") return startStop(job, device, { notices: [cancelled(job.n), cancelled(n)] });
      if (command.do === "idle")
        return startStop(job, device, {
          notices: [cancelled(job.n), { n, on: "done" }],
          afterwards: screenOf(device, IDLE_LINES),
        });
      return { job, notices: [refusal(n, "the terminal is busy with a card")] };
    case "complete":
      return command.do === "cancel" ? { job, notices: [tooLate(n)] } : "later";
    case "single":
      if (isCancelOfRead(job, command)) return { job, notices: [tooLate(n)] };
      return isOfScreen(job) ? interruptWords(job, { n, command }, device) : "later";
    case "identify":
      return command.do === "cancel" ? { job, notices: [cancelled(n)] } : "later";
    case "stop":
      return command.do === "cancel" ? { job: { ...job, notices: [...job.notices, cancelled(n)] } } : "later";
    case "look":
      return interruptLook(job, { n, command }, device);
    case "none":
      return "later";
  }
}

/** Commands that end or restart a payment wait for the look at the slot within their own time (PROTOCOL.md 8). */
function interruptLook(job: Look, { n, command }: Numbered, device: Device): Step | "later" {
  switch (command.do) {
    case "cancel":
      if (device.held?.via !== "chip") return { job, device: forgetting(device), notices: [cancelled(n)] };
      return startStop(job, device, { notices: [cancelled(n)] });
    case "identify":
      return startStop(job, device, { notices: [], identify: n });
    case "complete": {
      const step = startComplete(n, command.issuer, device, { asked: job.asked, left: [] });
      return step.job.is === "none" ? "later" : step;
    }
    case "idle":
    case "collect":
    case "ask-pin":
    case "set-clock":
    case "display":
      return "later";
  }
}

/** The same commands wait for a text being written. If a chip must be declined, the rest of the text is dropped. */
function interruptWords(job: Single, { n, command }: Numbered, device: Device): Step | "later" {
  const done: Notice = { n: job.n, on: "done" };
  if (command.do === "cancel" && device.held?.via === "chip")
    return startStop(job, device, { notices: [cancelled(n), done] });
  if (command.do !== "complete") return "later";
  const step = startComplete(n, command.issuer, device, job);
  return step.job.is === "none" ? "later" : { ...step, notices: [done] };
}

function isOfScreen({ asked, ending }: Single): boolean {
  return ending === "done" && (asked?.name === "clear-screen" || asked?.name === "text");
}

function isCancelOfRead(job: Extract<Job, { is: "single" }>, command: Command): boolean {
  return command.do === "cancel" && job.ending === "read";
}

const tooLate = (n: number): Notice => refusal(n, "the card already has its issuer's answer");
