import type { LocalTime } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { clockProblem } from "../../src/card/request-problem.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { displayText, IDLE_LINES } from "./display-text.ts";
import { ended, framesOf, type Job, type JobInput, lost, type Single, type Step } from "./flow.ts";
import { encodeTemplate } from "./message.ts";
import { statusText } from "./status-words.ts";
import { DISPLAY_MS, QUERY_MS, TRIES } from "./timing.ts";

type Idle = Extract<Job, { is: "idle" }>;

export function startSetClock(n: number, now: LocalTime): Step {
  const problem = clockProblem(now);
  if (problem !== undefined) return ended({ n, on: "fault", code: "refused", detail: problem });
  const data = encodeTemplate("E0", [
    { tag: "9A", value: fromHex(now.date) },
    { tag: "9F21", value: fromHex(now.time) },
  ]);
  return send({ is: "single", n, name: "clock", data, triesLeft: TRIES, ending: "done" });
}

export function startDisplay(n: number, lines: readonly string[]): Step {
  return send({ is: "single", n, name: "display", data: displayText(lines), triesLeft: TRIES, ending: "done" });
}

/** What a customer reads between a completion and what the payment came to, which is shown only once it is certain (PROTOCOL.md 7.15). */
const WAIT_LINES: readonly string[] = ["", "PLEASE WAIT"];

/** A completion that nobody on the device waits for: its acknowledgement is that the device still answers. */
export function startAcknowledge(n: number): Step {
  return send({ is: "single", n, name: "display", data: displayText(WAIT_LINES), triesLeft: TRIES, ending: "read" });
}

function send(job: Single): Step {
  const limitMs = job.name === "display" ? DISPLAY_MS : QUERY_MS;
  return { job: { ...job, triesLeft: job.triesLeft - 1 }, write: framesOf(job.name, { data: job.data }), timers: { answer: limitMs } };
}

/** One command with an empty answer. DISPLAY TEXT fails when a card moves at the same moment, so a refusal is worth a second try (PROTOCOL.md 7.2). */
export function single(job: Single, input: JobInput): Step {
  if (input.on === "timer") {
    if (input.name !== "answer") return { job };
    return job.triesLeft > 0 ? send(job) : lost([job.n], "no-answer", `no answer to ${job.name}`);
  }
  const answer = input.heard.is === "answer" ? input.heard.answer : undefined;
  if (answer?.is === "ok") return ended(endOf(job));
  if (answer?.is !== "refused") return { job };
  return job.triesLeft > 0 ? send(job) : ended(fault(job, answer.statusWord));
}

function endOf({ n, ending }: Single): Notice {
  return ending === "read" ? { n, on: "finished", verdict: "read", emv: [] } : { n, on: "done" };
}

function fault({ n, name }: Single, statusWord: string): Notice {
  return { n, on: "fault", code: "device-error", detail: `${name} was refused: ${statusText(statusWord)}` };
}

/** CARD STATUS P1: keep reporting insertion and removal, but no ATR and no track (PROTOCOL.md 3.3). */
const REPORT_CARD = 0x01;

/** With tracks 1 and 2 of a swipe. */
const REPORT_CARD_AND_STRIPE = 0x0d;

/** CARD STATUS is the one command without an answer (PROTOCOL.md 4.5). */
export const reportCard: readonly Uint8Array[] = framesOf("card-status", { p1: REPORT_CARD });
export const reportCardAndStripe: readonly Uint8Array[] = framesOf("card-status", { p1: REPORT_CARD_AND_STRIPE });

/** The rest of an idle command, after ABORT was answered: the idle text, and card reports on. */
export function startIdle(n: number): Step {
  return sendIdleText({ is: "idle", n, triesLeft: TRIES });
}

function sendIdleText(job: Idle): Step {
  const write = framesOf("display", { data: displayText(IDLE_LINES) });
  return { job: { ...job, triesLeft: job.triesLeft - 1 }, write, timers: { answer: DISPLAY_MS } };
}

export function idle(job: Idle, input: JobInput): Step {
  if (input.on === "timer") {
    if (input.name !== "answer") return { job };
    return job.triesLeft > 0 ? sendIdleText(job) : lost([job.n], "no-answer", "no answer to display");
  }
  const answer = input.heard.is === "answer" ? input.heard.answer : undefined;
  if (answer?.is === "refused" && job.triesLeft > 0) return sendIdleText(job);
  // A device that will not show the text is idle all the same.
  return answer?.is === "refused" || answer?.is === "ok" ? { ...ended({ n: job.n, on: "done" }), write: reportCard } : { job };
}
