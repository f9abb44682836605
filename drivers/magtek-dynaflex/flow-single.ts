import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { displayPayload, textFor, texts } from "./display.ts";
import {
  ask,
  type Device,
  ended,
  fault,
  isFor,
  type JobInput,
  lost,
  type Response,
  type Single,
  type Step,
} from "./flow.ts";
import { isReset, tlvPayload } from "./message.ts";
import { isSuccess, statusText } from "./status-codes.ts";
import { ANSWER_MS, TRIES } from "./timing.ts";

/** Shows a text on a device with a screen; without one there is nothing to show (PROTOCOL.md 4.5). */
export function startDisplay(n: number, command: Extract<Command, { do: "display" }>, device: Device): Step {
  if (!device.member.touch) return ended({ n, on: "done" });
  return send(
    {
      is: "single",
      n,
      name: "display",
      payload: displayPayload(textFor(command)),
      ref: 0,
      triesLeft: TRIES,
      ending: "done",
    },
    device,
  );
}

/** Finishes an idle command once the device is idle. */
export function startIdleText(n: number, device: Device): Step {
  if (!device.member.touch) return ended({ n, on: "done" });
  return send(
    { is: "single", n, name: "display", payload: displayPayload("welcome"), ref: 0, triesLeft: TRIES, ending: "done" },
    device,
  );
}

/** Any short value; the device returns it unchanged. */
const ECHOED = tlvPayload(["81", Uint8Array.of(0x01, 0x02, 0x03)]);

/** No card waits for this completion. An answered echo counts as the acknowledgement (PROTOCOL.md 7.7). */
export function startAcknowledge(n: number, device: Device): Step {
  return send(
    { is: "single", n, name: "echo", payload: ECHOED, ref: 0, triesLeft: TRIES, ending: "read" },
    forgetting(device),
  );
}

function send(job: Single, device: Device): Step {
  const asking = ask(device, job.name, job.payload);
  return {
    job: { ...job, triesLeft: job.triesLeft - 1, ref: asking.ref },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

export function single(job: Single, input: JobInput, device: Device): Step {
  switch (input.on) {
    case "timer":
      return job.triesLeft > 0
        ? send(job, device)
        : lost(job, "no-answer", `no answer to ${job.name} within ${ANSWER_MS} ms`);
    case "heard":
      if (input.heard.is === "notification" && isReset(input.heard))
        return lost(job, "device-error", "the device restarted");
      return input.heard.is === "response" && isFor(input.heard, job.name, job.ref)
        ? answered(job, input.heard, device)
        : { job };
  }
}

function answered(job: Single, response: Response, device: Device): Step {
  if (isSuccess(response)) return ended(endOf(job));
  if (job.triesLeft > 0) return send(job, device);
  // A device that refuses the idle text is idle all the same.
  if (isGreeting(job)) return ended({ n: job.n, on: "done" });
  return ended(fault(job.n, "device-error", `${job.name} was refused: ${statusText(response)}`));
}

function isGreeting({ name, payload }: Single): boolean {
  return name === "display" && payload.at(-1) === texts.welcome[0];
}

function endOf({ n, ending }: Single): Notice {
  return ending === "read" ? { n, on: "finished", verdict: "read", emv: [] } : { n, on: "done" };
}
