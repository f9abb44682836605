import type { Notice } from "../../src/card/notice.ts";
import { clockProblem, issuerProblem, moneyProblem } from "../../src/card/request-problem.ts";
import { cancelled, type Numbered, refusal } from "../../src/terminal/one-job.ts";
import { type Asking, type Device, ended, type Job, type JobInput, lost, type Step } from "./flow.ts";
import { COMMANDS, commandFrame, identityIn } from "./message.ts";
import { QUERY_MS, TRIES } from "./timing.ts";

const TITLE = "New Model";
const DONE = 0x00;

/** Begins a command on a device that does nothing. */
export function start({ n, command }: Numbered, _device: Device): Step {
  switch (command.do) {
    case "identify":
      return ask({ is: "asking", n, name: "identify", ending: { n, on: "done" }, triesLeft: TRIES });
    case "idle":
      return ask({ is: "asking", n, name: "stop", ending: { n, on: "done" }, triesLeft: TRIES });
    case "cancel":
      return ask({ is: "asking", n, name: "stop", ending: cancelled(n), triesLeft: TRIES });
    case "set-clock":
      return ended(refusal(n, clockProblem(command.now) ?? "this device's clock cannot be set from here"));
    case "collect":
    case "ask-pin":
      return ended(refusal(n, moneyProblem(command.request) ?? `${command.do} is not built yet`));
    case "complete":
      return ended(refusal(n, issuerProblem(command.issuer) ?? "no card waits for an answer"));
    case "display":
      return ended({ n, on: "done" });
  }
}

function ask(job: Asking): Step {
  return {
    job: { ...job, triesLeft: job.triesLeft - 1 },
    write: [commandFrame(job.name)],
    timers: { answer: QUERY_MS },
  };
}

/** What a job makes of an input. */
export function advance(job: Job, input: JobInput): Step {
  if (job.is === "none") return { job };
  if (input.on === "timer")
    return job.triesLeft > 0 ? ask(job) : lost(job.n, `no answer to ${job.name} within ${QUERY_MS} ms`);
  const { command, status, data } = input.heard;
  if (command !== COMMANDS[job.name]) return { job };
  if (status !== DONE) return ended(fault(job.n, `${job.name} was refused with status ${status}`));
  if (job.name === "stop") return ended(job.ending);
  const identity = identityIn(data);
  if (identity === undefined) return ended(fault(job.n, "it does not tell who it is as PROTOCOL.md 4.1 says"));
  return {
    ...ended({ n: job.n, on: "ready", identity: { ...identity, model: TITLE, configuration: [] }, keys: {} }),
    device: { isIdentified: true },
  };
}

function fault(n: number, detail: string): Notice {
  return { n, on: "fault", code: "device-error", detail };
}

/** Nothing that is built so far may be broken into. */
export function interrupt(): "later" {
  return "later";
}

/** The numbers of the commands that a job will end. */
export function numbersOf(job: Job): readonly number[] {
  return job.is === "none" ? [] : [job.n];
}
