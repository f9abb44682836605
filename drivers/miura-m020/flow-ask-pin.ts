import type { PinRequest } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { moneyProblem } from "../../src/card/request-problem.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { ended, lost } from "../vipa/flow.ts";
import type { Device, Held, Job, JobInput, Step } from "./flow.ts";
import { startReset, startStop } from "./flow-stop.ts";
import { type Answer, type DeviceEvent, restartText } from "./message.ts";
import { isPinTyped, onlinePin, pinOutcome } from "./online-pin.ts";
import { TRANSACTION_MARGIN_MS } from "./timing.ts";

type AskPin = Extract<Job, { is: "ask-pin" }>;

/** PROTOCOL.md 7.12: a PIN for the last reported card, whose issuer's answer is outstanding. */
export function startAskPin(n: number, request: PinRequest, device: Device): Step {
  const { held } = device;
  const problem =
    moneyProblem(request) ??
    (held?.pinBy === undefined ? "no card that was tapped or swiped waits for its issuer's answer" : undefined) ??
    (device.keys?.pin === false ? "the terminal has no key for PINs" : undefined);
  if (held?.pinBy === undefined || problem !== undefined)
    return ended({ n, on: "fault", code: "refused", detail: problem ?? "" });
  return {
    job: { is: "ask-pin", n, held, prompt: "ENTER_PIN" },
    write: onlinePin(held.pinBy, request),
    timers: { pin: request.pinMs, watchdog: request.pinMs + TRANSACTION_MARGIN_MS },
    notices: [{ n, on: "prompt", prompt: "ENTER_PIN" }],
  };
}

export function askPin(job: AskPin, input: JobInput, device: Device): Step {
  if (input.on === "timer") {
    const isOver = input.name === "pin" || input.name === "watchdog";
    return isOver
      ? stopAskPin(job, device, [{ n: job.n, on: "no-card", why: "pin-timeout" }], { keep: true })
      : { job };
  }
  return input.heard.is === "event" ? told(job, input.heard.event) : answered(job, input.heard.answer, device);
}

function told(job: AskPin, event: DeviceEvent): Step {
  const { n } = job;
  const restart = restartText(event);
  if (restart !== undefined) return lost([n], "device-error", `the device restarted during PIN entry: ${restart}`);
  if (!isPinTyped(event) || job.prompt === "PROCESSING") return { job };
  return {
    job: { ...job, prompt: "PROCESSING" },
    notices: [{ n, on: "prompt", prompt: "PROCESSING" }],
    timers: { pin: "clear" },
  };
}

function answered(job: AskPin, answer: Answer, device: Device): Step {
  const { n } = job;
  const outcome = pinOutcome(answer);
  switch (outcome?.is) {
    case undefined:
      return { job };
    case "pin":
      return ended({ n, on: "pin", pin: outcome.pin });
    case "cancelled":
      return ended({ n, on: "cancelled", by: "customer" });
    case "timeout":
      return ended({ n, on: "no-card", why: "pin-timeout" });
    case "fault":
      return {
        ...startReset([{ n, on: "fault", code: outcome.code, detail: outcome.detail }]),
        device: forgetting(device),
      };
  }
}

/** Ends PIN entry from outside. `keep`: the card can still be completed, though no card waits on the device. */
export function stopAskPin(
  { held }: AskPin,
  device: Device,
  notices: readonly Notice[],
  { keep = false, idle }: { readonly keep?: boolean; readonly idle?: number } = {},
): Step {
  const step = startStop(
    device,
    held.via === "tap" ? "both" : "transaction",
    notices,
    idle === undefined ? {} : { idle },
  );
  const left: Held = { ...held, via: "nobody" };
  return keep ? { ...step, device: { ...forgetting(device), held: left } } : step;
}
