import type { CollectRequest } from "../../src/card/command.ts";
import { type Offer, offerOf } from "../../src/card/offer.ts";
import { moneyProblem } from "../../src/card/request-problem.ts";
import { replyTo } from "./call-backs.ts";
import {
  type Ask,
  ask,
  type Collect,
  type Device,
  ended,
  fault,
  type JobInput,
  lost,
  prompted,
  type Step,
} from "./flow.ts";
import { failedAnswered } from "./flow-failed.ts";
import { objectAnswered, sealingAnswered } from "./flow-objects.ts";
import { chipAnswered } from "./flow-running.ts";
import { amountInStart } from "./flow-start.ts";
import { startStop } from "./flow-stop.ts";
import { magstripeAnswered } from "./flow-swipe.ts";
import { beginRound, pollAnswered } from "./flow-waiting.ts";
import { answers, type Heard } from "./message.ts";
import { START_MS, TRANSACTION_MARGIN_MS } from "./timing.ts";

/** PROTOCOL.md 6.2. */
export function startCollect(n: number, request: CollectRequest, device: Device): Step {
  if (device.held !== undefined)
    return ended(fault(n, "refused", "a card waits for its issuer's answer: complete or cancel first"));
  const problem = moneyProblem(request);
  if (problem !== undefined) return ended(fault(n, "refused", problem));
  const offer = offered(request, device);
  if (offer === undefined) {
    return ended(
      fault(
        n,
        "refused",
        `interfaces must name one that this device takes now: ${device.member.capabilities.interfaces.join(", ")}`,
      ),
    );
  }
  if (device.keys?.sred === false)
    return ended(fault(n, "keys-missing", "the device has no key for card data: have its keys loaded"));
  const magstripe: readonly Ask[] = offer.magstripe ? [{ name: "stripe-on" }, { name: "stripe-reset" }] : [];
  const [first, ...left]: readonly [Ask, ...Ask[]] = [{ name: "flush-keys" }, ...magstripe];
  const askOut = !offer.chip || request.again === "chip-unreadable";
  const flags = { askOut, looked: false, noKeys: false, raisedFirst: false, typesPin: false };
  const step = ask({ is: "collect", n, request, offer, ...flags, phase: { at: "preparing", left } }, first);
  return {
    ...step,
    timers: { ...step.timers, card: request.cardMs, watchdog: request.cardMs + request.pinMs + TRANSACTION_MARGIN_MS },
  };
}

/** A shop may accept magstripes only as fallback for a broken chip (PROTOCOL.md 1.4). */
function offered(request: CollectRequest, { member, options }: Device): Offer | undefined {
  const offer = offerOf(request, member.capabilities.interfaces);
  if (offer === undefined || options.stripe === "always" || offer.fallback || !offer.magstripe) return offer;
  return offer.chip ? { ...offer, magstripe: false } : undefined;
}

export function collect(job: Collect, input: JobInput, device: Device): Step {
  if (input.on === "timer") return timedOut(job, input.name, device);
  const { heard } = input;
  if (heard.is === "call-back") return calledBack(job, heard);
  const { asked, phase } = job;
  if (asked === undefined || !answers(asked.name, heard)) return { job };
  switch (phase.at) {
    case "preparing":
      return prepared(job, phase.left, device);
    case "polling":
      return pollAnswered(job, phase.left, asked.name, heard, device);
    case "pause":
      return { job };
    case "magstripe":
      return magstripeAnswered(job, heard, device);
    case "chip":
      return chipAnswered(job, phase.left, asked.name, heard, device);
    case "objects":
      return objectAnswered(job, phase, asked, heard, device);
    case "sealing":
      return sealingAnswered(job, phase, asked.name, heard, device);
    case "failed":
      return failedAnswered(job, phase.ending, heard, device);
  }
}

/** Refusals are ignored here: they show again when the feature is used. */
function prepared(job: Collect, [first, ...left]: readonly Ask[], device: Device): Step {
  return first === undefined ? beginRound(job, device) : ask({ ...job, phase: { at: "preparing", left } }, first);
}

function timedOut(job: Collect, name: string, device: Device): Step {
  const { n, phase, asked } = job;
  switch (name) {
    case "answer":
      return lost([n], "no-answer", `no answer to ${asked?.name ?? "a command"}`);
    case "poll":
      return phase.at === "pause" ? beginRound(job, device) : { job };
    case "card":
    case "watchdog":
      return startStop(job, device, { notices: [{ n, on: "no-card", why: "timeout" }] });
    default:
      return { job };
  }
}

/** Offline PIN entry extends the time limit (PROTOCOL.md 5.3). */
function calledBack(job: Collect, { sub, data }: Extract<Heard, { is: "call-back" }>): Step {
  const { write, prompt, typesPin } = replyTo(sub, data, amountInStart(job.request), false);
  const told = prompt === undefined ? { job } : prompted(job, prompt);
  if (typesPin !== true) return { ...told, write: [write] };
  return { ...told, job: { ...told.job, typesPin }, write: [write], timers: { answer: START_MS + job.request.pinMs } };
}
