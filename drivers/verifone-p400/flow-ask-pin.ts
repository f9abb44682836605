import type { PinRequest } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { moneyProblem } from "../../src/card/request-problem.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { ended } from "../vipa/flow.ts";
import { type Chore, type Device, type Held, type Job, type JobInput, packetsOf, type Step } from "./flow.ts";
import { choresFor, idleAfter, startReset, startStop } from "./flow-stop.ts";
import { askForPin, pinOutcome } from "./online-pin.ts";
import { TRANSACTION_MARGIN_MS } from "./timing.ts";

type AskPin = Extract<Job, { is: "ask-pin" }>;

/** PROTOCOL.md 7.12: a PIN for the last reported card, whose issuer's answer is outstanding. */
export function startAskPin(n: number, request: PinRequest, device: Device): Step {
  const { held, keys, options } = device;
  const problem =
    moneyProblem(request) ??
    (held?.takesPin === undefined ? "no card that was tapped or swiped waits for its issuer's answer" : undefined) ??
    (keys?.pin === false ? "the terminal has no key for PINs" : undefined);
  if (held === undefined || problem !== undefined)
    return ended({ n, on: "fault", code: "refused", detail: problem ?? "" });
  return {
    job: { is: "ask-pin", n, held },
    write: packetsOf(askForPin(request, options)),
    timers: { pin: request.pinMs, watchdog: request.pinMs + TRANSACTION_MARGIN_MS },
    notices: [{ n, on: "prompt", prompt: "ENTER_PIN" }],
  };
}

export function askPin(job: AskPin, input: JobInput, device: Device): Step {
  const { n } = job;
  if (input.on === "timer") {
    const isOver = input.name === "pin" || input.name === "watchdog";
    return isOver ? giveUp(job, device, [{ n, on: "no-card", why: "pin-timeout" }], ["abort"]) : { job };
  }
  if (input.heard.is !== "answer") return { job };
  const outcome = pinOutcome(input.heard.answer, device.options);
  switch (outcome?.is) {
    case undefined:
      return { job };
    case "pin":
      return ended({ n, on: "prompt", prompt: "PROCESSING" }, { n, on: "pin", pin: outcome.pin });
    case "cancelled":
      return ended({ n, on: "cancelled", by: "customer" });
    case "fault":
      return startReset(forgetting(device), [{ n, on: "fault", code: outcome.code, detail: outcome.detail }]);
  }
}

/** The card can still be completed, though no card waits on the device (PROTOCOL.md 7.12). */
function giveUp({ held }: AskPin, device: Device, notices: readonly Notice[], todo: readonly Chore[]): Step {
  const { takesPin: _over, ...left } = held;
  return startStop({ ...device, held: { ...left, via: "nobody" } }, notices, todo, ["transaction"]);
}

/** Ends PIN entry and its payment from outside. */
export function stopAskPin(
  { held }: { readonly held: Held },
  device: Device,
  notices: readonly Notice[],
  isIdle: boolean,
): Step {
  const chores = choresFor({ held });
  const todo: readonly Chore[] = chores.length > 0 ? chores : ["abort"];
  return startStop(forgetting(device), notices, isIdle ? idleAfter(todo) : todo, ["transaction"]);
}
