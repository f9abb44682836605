import type { LocalTime } from "../../src/card/command.ts";
import { clockProblem } from "../../src/card/request-problem.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { ask, type Device, ended, fault, isFor, type JobInput, lost, type Single, type Step } from "./flow.ts";
import { clockData, properties } from "./identity.ts";
import { extendedCommand, plainCommand } from "./message.ts";
import { isDone, statusText } from "./status-codes.ts";
import { ANSWER_MS } from "./timing.ts";

export function startSetClock(n: number, now: LocalTime, device: Device): Step {
  const problem = clockProblem(now);
  if (problem !== undefined) return ended(fault(n, "refused", problem));
  return send({ is: "single", n, what: "set-clock", ref: 0 }, extendedCommand("set-clock", clockData(now)), device);
}

/** No card waits for this completion. An answered property query counts as the acknowledgement (PROTOCOL.md 7.7). */
export function startAcknowledge(n: number, device: Device): Step {
  const question = plainCommand("get-property", Uint8Array.of(properties.serialNumber));
  return send({ is: "single", n, what: "acknowledge", ref: 0 }, [question], forgetting(device));
}

function send(job: Single, packets: readonly Uint8Array[], device: Device): Step {
  const asking = ask(device, ...packets);
  return {
    job: { ...job, ref: asking.sending.ref },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

export function single(job: Single, input: JobInput, device: Device): Step {
  const { n, what, ref } = job;
  if (input.on === "timer")
    return input.name === "answer" ? lost(job, "no-answer", `no answer to ${what} within ${ANSWER_MS} ms`) : { job };
  if (input.heard.is !== "answer" || !isFor(device, ref)) return { job };
  if (!isDone(input.heard)) return ended(fault(n, "device-error", `${what} was refused: ${statusText(input.heard)}`));
  return ended(what === "acknowledge" ? { n, on: "finished", verdict: "read", emv: [] } : { n, on: "done" });
}
