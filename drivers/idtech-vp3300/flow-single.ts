import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { ended, fault, type JobInput, lost, type Single, type Step } from "./flow.ts";
import { answers, frameOf } from "./message.ts";
import { OK, statusText } from "./status-codes.ts";
import { QUERY_MS, TRIES } from "./timing.ts";

/** No card waits for this completion. A ping that is answered counts as the acknowledgement. */
export function startAcknowledge(n: number): Step {
  return send({ is: "single", n, name: "ping", data: new Uint8Array(0), triesLeft: TRIES, ending: "read" });
}

/** 01-02: text, beeps, lights, index of the light (PROTOCOL.md 6.8). */
const SCREENS: Readonly<Record<Exclude<Extract<Command, { do: "display" }>["meaning"], undefined>, Uint8Array>> = {
  approved: Uint8Array.of(0x04, 0x01, 0x00, 0x00),
  "not-approved": Uint8Array.of(0x05, 0x02, 0x00, 0x00),
  undecided: Uint8Array.of(0x0b, 0x00, 0x00, 0x00),
};

/** Shows the device's own text of the same meaning. A device without a screen has nothing to show. */
export function startDisplay(n: number, meaning: keyof typeof SCREENS | undefined, hasScreen: boolean): Step {
  if (!hasScreen || meaning === undefined) return ended({ n, on: "done" });
  return send({ is: "single", n, name: "screen", data: SCREENS[meaning], triesLeft: TRIES, ending: "done" });
}

function send(job: Single): Step {
  return {
    job: { ...job, triesLeft: job.triesLeft - 1 },
    write: [frameOf(job.name, job.data)],
    timers: { answer: QUERY_MS },
  };
}

export function single(job: Single, input: JobInput): Step {
  const { n, name, ending } = job;
  if (input.on === "timer")
    return job.triesLeft > 0 ? send(job) : lost([n], "no-answer", `no answer to ${name} within ${QUERY_MS} ms`);
  const { heard } = input;
  if (heard.is === "restart") return lost([n], "device-error", `the device restarted: ${heard.text}`);
  if (heard.is !== "answer" || !answers(name, heard)) return { job };
  if (heard.status !== OK) return ended(fault(n, "device-error", `${name} was refused: ${statusText(heard.status)}`));
  return ended(endOf(n, ending));
}

function endOf(n: number, ending: Single["ending"]): Notice {
  return ending === "read" ? { n, on: "finished", verdict: "read", emv: [] } : { n, on: "done" };
}
