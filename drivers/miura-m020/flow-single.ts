import type { LocalTime } from "../../src/card/command.ts";
import { clockProblem } from "../../src/card/request-problem.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { WAIT_LINES } from "../vipa/display.ts";
import { ended, lost } from "../vipa/flow.ts";
import { answerSingle, type Single, sendSingle } from "../vipa/flow-single.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { displayText, IDLE_LINES } from "./display.ts";
import { framesOf, type Job, type JobInput, type Step } from "./flow.ts";
import { statusText } from "./status-codes.ts";
import { DISPLAY_MS, QUERY_MS, TRIES } from "./timing.ts";

type Idle = Extract<Job, { is: "idle" }>;

export function startSetClock(n: number, now: LocalTime): Step {
  const problem = clockProblem(now);
  if (problem !== undefined) return ended({ n, on: "fault", code: "refused", detail: problem });
  const data = encodeTemplate("E0", [
    { tag: "9A", value: fromHex(now.date) },
    { tag: "9F21", value: fromHex(now.time) },
  ]);
  return send(n, "clock", data, "done");
}

export function startDisplay(n: number, lines: readonly string[]): Step {
  return send(n, "display", displayText(lines), "done");
}

/** No card waits for this completion. An acknowledged text counts as the acknowledgement. */
export function startAcknowledge(n: number): Step {
  return send(n, "display", displayText(WAIT_LINES), "read");
}

function send(n: number, name: Single["name"], data: Uint8Array, ending: Single["ending"]): Step {
  const limitMs = name === "display" ? DISPLAY_MS : QUERY_MS;
  return sendSingle({ is: "single", n, name, frames: framesOf(name, { data }), limitMs, triesLeft: TRIES, ending });
}

export const single = (job: Single, input: JobInput): Step => answerSingle(job, input, statusText);

/** CARD STATUS P1: report insertion and removal, without ATR and tracks (PROTOCOL.md 3.3). */
const REPORT_CARD = 0x01;

/** CARD STATUS P1 with tracks 1 and 2 of a swipe. */
const REPORT_CARD_AND_MAGSTRIPE = 0x0d;

/** CARD STATUS is the only command without an answer (PROTOCOL.md 4.5). */
export const reportCard: readonly Uint8Array[] = framesOf("card-status", { p1: REPORT_CARD });
export const reportCardAndMagstripe: readonly Uint8Array[] = framesOf("card-status", { p1: REPORT_CARD_AND_MAGSTRIPE });

/** Finishes an idle command after the answer to ABORT: idle text, then card reports. */
export function startIdle(n: number): Step {
  return sendIdleText({ is: "idle", n, triesLeft: TRIES });
}

function sendIdleText(job: Idle): Step {
  const write = framesOf("display", { data: displayText(IDLE_LINES) });
  return { job: { ...job, triesLeft: job.triesLeft - 1 }, write, timers: { answer: DISPLAY_MS } };
}

export function idle(job: Idle, input: JobInput): Step {
  if (input.on === "timer")
    return job.triesLeft > 0 ? sendIdleText(job) : lost([job.n], "no-answer", "no answer to display");
  const answer = input.heard.is === "answer" ? input.heard.answer : undefined;
  if (answer?.is === "refused" && job.triesLeft > 0) return sendIdleText(job);
  // A device that refuses the text is idle all the same.
  return answer?.is === "refused" || answer?.is === "ok"
    ? { ...ended({ n: job.n, on: "done" }), write: reportCard }
    : { job };
}
