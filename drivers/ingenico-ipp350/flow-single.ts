import type { LocalTime } from "../../src/card/command.ts";
import { clockProblem } from "../../src/card/request-problem.ts";
import { refusal } from "../../src/terminal/one-job.ts";
import { type Device, ended, fault, type JobInput, lost, type Single, type Step } from "./flow.ts";
import { say, variableIn, variables } from "./message.ts";
import { FORM_MS, QUERY_MS, TRIES } from "./timing.ts";

/** No card waits for this completion. A status answer counts as the acknowledgement (PROTOCOL.md 6.9). */
export function startAcknowledge(n: number): Step {
  return send({ is: "single", n, what: "acknowledge", frame: say.status, triesLeft: TRIES });
}

/** Longer than any form element shows, in characters. */
const MOST_TEXT = 120;

/** Sends 24. with the lines as one text (PROTOCOL.md 6.10). */
export function startDisplay(n: number, lines: readonly string[], { options }: Device): Step {
  return send({ is: "single", n, what: "text", frame: displayFrame(lines, options), triesLeft: 1 });
}

/** Separators and characters missing in a simple font are removed. */
export function displayFrame(lines: readonly string[], { messageForm, messageElement }: Device["options"]): Uint8Array {
  const text = lines
    .filter((line) => line.trim() !== "")
    .join(" ")
    .replace(/[^ -~]/g, "?");
  return say.text(messageForm, messageElement, text.slice(0, MOST_TEXT));
}

/**
 * The date is set first. Until the time follows, the clock is off by at most a day, which identification notices
 * (PROTOCOL.md 8.2).
 */
export function startSetClock(n: number, now: LocalTime): Step {
  const problem = clockProblem(now);
  if (problem !== undefined) return ended(refusal(n, problem));
  const date = `${now.date.slice(2)}${now.date.slice(0, 2)}`;
  const next = { what: "set-time", frame: say.setVariable(variables.time, now.time) } as const;
  return send({
    is: "single",
    n,
    what: "set-date",
    frame: say.setVariable(variables.date, date),
    triesLeft: TRIES,
    next,
  });
}

const LIMITS: Readonly<Record<Single["what"], number>> = {
  acknowledge: QUERY_MS,
  text: FORM_MS,
  "set-date": QUERY_MS,
  "set-time": QUERY_MS,
};

function send(job: Single): Step {
  return { job: { ...job, triesLeft: job.triesLeft - 1 }, write: [job.frame], timers: { answer: LIMITS[job.what] } };
}

export function single(job: Single, input: JobInput): Step {
  const { n, what } = job;
  if (input.on === "timer") {
    if (what === "text") return ended({ n, on: "done" });
    return job.triesLeft > 0 ? send(job) : lost([n], `no answer to ${what} within ${QUERY_MS} ms`);
  }
  const { heard } = input;
  if (heard.is !== "reply") return { job };
  switch (what) {
    case "acknowledge":
      return heard.id === "11" ? ended({ n, on: "finished", verdict: "read", emv: [] }) : { job };
    case "text":
      return heard.id === "24" ? ended({ n, on: "done" }) : { job };
    case "set-date":
      return heard.id === "28" ? clockAnswered(job, heard.text, variables.date) : { job };
    case "set-time":
      return heard.id === "28" ? clockAnswered(job, heard.text, variables.time) : { job };
  }
}

function clockAnswered(job: Single, text: string, id: string): Step {
  const { n, next } = job;
  if (text.slice(2, 8) !== id) return { job };
  if (variableIn(text, id) === undefined)
    return ended(fault(n, "device-error", `the device did not take ${job.what}: status ${text.slice(0, 1)}`));
  return next === undefined ? ended({ n, on: "done" }) : send({ is: "single", n, ...next, triesLeft: TRIES });
}
