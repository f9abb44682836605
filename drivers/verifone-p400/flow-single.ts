import type { LocalTime } from "../../src/card/command.ts";
import { clockProblem } from "../../src/card/request-problem.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import type { Parameters } from "../vipa/apdu.ts";
import { WAIT_LINES } from "../vipa/display.ts";
import { ended } from "../vipa/flow.ts";
import { answerSingle, type Single, sendSingle } from "../vipa/flow-single.ts";
import { displayText } from "./display.ts";
import { type Device, framesOf, type JobInput, type Step } from "./flow.ts";
import { statusText } from "./status-codes.ts";
import { DISPLAY_MS, QUERY_MS, TRIES } from "./timing.ts";

/** P1 of DATE AND TIME: set. */
const SET = 0x00;

/** PROTOCOL.md 3.3: fourteen digits, with the century. */
export function startSetClock(n: number, now: LocalTime): Step {
  const problem = clockProblem(now);
  if (problem !== undefined) return ended({ n, on: "fault", code: "refused", detail: problem });
  return send(n, { name: "clock", p1: SET, data: fromAscii(`20${now.date}${now.time}`) }, "done");
}

/** A member without a display has nothing to show. */
export function startDisplay(n: number, lines: readonly string[], { capabilities }: Device): Step {
  return capabilities.display
    ? send(n, { name: "display", data: displayText(lines) }, "done")
    : ended({ n, on: "done" });
}

/** No card waits for this completion. An acknowledged text counts as the acknowledgement. */
export function startAcknowledge(n: number): Step {
  return send(n, { name: "display", data: displayText(WAIT_LINES) }, "read");
}

function send(n: number, apdu: Pick<Single, "name"> & Parameters, ending: Single["ending"]): Step {
  const { name, ...parameters } = apdu;
  const limitMs = name === "display" ? DISPLAY_MS : QUERY_MS;
  return sendSingle({ is: "single", n, name, frames: framesOf(name, parameters), limitMs, triesLeft: TRIES, ending });
}

export const single = (job: Single, input: JobInput): Step => answerSingle(job, input, statusText);
