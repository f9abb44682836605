import type { Command, LocalTime } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { clockProblem } from "../../src/card/request-problem.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { refusal } from "../../src/terminal/one-job.ts";
import { screenOf, WAIT_LINES } from "./display.ts";
import {
  ask,
  type Device,
  ended,
  fault,
  type JobInput,
  lost,
  type Outstanding,
  type Single,
  type Step,
} from "./flow.ts";
import { answers } from "./message.ts";
import { OK, statusText, UNSUPPORTED } from "./status-codes.ts";

/** PROTOCOL.md 4.10. */
export function startSetClock(n: number, now: LocalTime): Step {
  const problem = clockProblem(now);
  if (problem !== undefined) return ended(refusal(n, problem));
  return next({ is: "single", n, left: [{ name: "set-clock", data: fromHex(now.date + now.time) }], ending: "done" });
}

export function startDisplay(n: number, lines: Extract<Command, { do: "display" }>["lines"], device: Device): Step {
  return next({ is: "single", n, left: screenOf(device, lines), ending: "done" });
}

/** No card waits for this completion. A ping that is answered counts as the acknowledgement. */
export function startAcknowledge(n: number, device: Device, outstanding?: Outstanding): Step {
  const job: Single = { is: "single", n, left: [{ name: "ping" }, ...screenOf(device, WAIT_LINES)], ending: "read" };
  return outstanding?.asked === undefined ? next(job) : { job: { ...job, asked: outstanding.asked } };
}

function next(job: Single): Step {
  const [first, ...left] = job.left;
  return first === undefined ? ended(endOf(job)) : ask({ ...job, left }, first);
}

export function single(job: Single, input: JobInput): Step {
  const { n, asked, ending } = job;
  if (asked === undefined) return { job };
  if (input.on === "timer")
    return input.name === "answer" ? lost([n], "no-answer", `no answer to ${asked.name}`) : { job };
  const { heard } = input;
  if (!answers(asked.name, heard)) return { job };
  // A failed screen does not put the earlier steps in doubt.
  if (heard.rc === OK || (ending === "read" && asked.name !== "ping")) return next(job);
  if (heard.rc === UNSUPPORTED) return ended(refusal(n, `this device does not know ${asked.name}`));
  return ended(fault(n, "device-error", `${asked.name} was refused: ${statusText(heard.rc)}`));
}

function endOf({ n, ending }: Single): Notice {
  return ending === "read" ? { n, on: "finished", verdict: "read", emv: [] } : { n, on: "done" };
}
