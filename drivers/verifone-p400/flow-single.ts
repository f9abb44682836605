import type { LocalTime } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { clockProblem } from "../../src/card/request-problem.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import { commandApdu } from "./apdu.ts";
import { displayText } from "./display-text.ts";
import { type Device, ended, type Input, lost, packetsOf, type Single, type Step } from "./flow.ts";
import { statusText } from "./status-words.ts";
import { DISPLAY_MS, QUERY_MS, TRIES } from "./timing.ts";

/** P1 of DATE AND TIME: set. */
const SET = 0x00;

/** PROTOCOL.md 3.3: fourteen digits, the year with its century. */
export function startSetClock(n: number, now: LocalTime): Step {
  const problem = clockProblem(now);
  if (problem !== undefined) return ended({ n, on: "fault", code: "refused", detail: problem });
  const apdu = commandApdu("clock", { p1: SET, data: fromAscii(`20${now.date}${now.time}`) });
  return send({ is: "single", n, name: "clock", apdu, triesLeft: TRIES, ending: "done" });
}

/** A member without a display has nothing to show. */
export function startDisplay(n: number, lines: readonly string[], { can }: Device): Step {
  return can.display ? display(n, lines, "done") : ended({ n, on: "done" });
}

/** What a customer reads between a completion and what the payment came to, which is shown only once it is certain (PROTOCOL.md 7.15). */
const WAIT_LINES: readonly string[] = ["", "PLEASE WAIT"];

/** A completion that nobody on the device waits for: its acknowledgement is that the device still answers. */
export function startAcknowledge(n: number): Step {
  return display(n, WAIT_LINES, "read");
}

function display(n: number, lines: readonly string[], ending: Single["ending"]): Step {
  return send({ is: "single", n, name: "display", apdu: commandApdu("display", { data: displayText(lines) }), triesLeft: TRIES, ending });
}

function send(job: Single): Step {
  const limitMs = job.name === "display" ? DISPLAY_MS : QUERY_MS;
  return { job: { ...job, triesLeft: job.triesLeft - 1 }, write: packetsOf(job.apdu), timers: { answer: limitMs } };
}

/** One command with an empty answer; a refusal is worth a second try. */
export function single(job: Single, input: Input): Step {
  if (input.on === "timer") {
    if (input.name !== "answer") return { job };
    return job.triesLeft > 0 ? send(job) : lost([job.n], "no-answer", `no answer to ${job.name}`);
  }
  if (input.heard.is !== "answer") return { job };
  const { answer } = input.heard;
  if (answer.is === "ok") return ended(endOf(job));
  if (answer.is !== "refused") return { job };
  return job.triesLeft > 0 ? send(job) : ended(fault(job, answer.statusWord));
}

function endOf({ n, ending }: Single): Notice {
  return ending === "read" ? { n, on: "finished", verdict: "read", emv: [] } : { n, on: "done" };
}

function fault({ n, name }: Single, statusWord: string): Notice {
  return { n, on: "fault", code: "device-error", detail: `${name} was refused: ${statusText(statusWord)}` };
}
