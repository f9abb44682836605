import type { CollectRequest } from "../../src/card/command.ts";
import { offerOf } from "../../src/card/offer.ts";
import { moneyProblem } from "../../src/card/request-problem.ts";
import { answerDialogue } from "./dialogue.ts";
import { type Collect, type Device, ended, fault, type JobInput, lost, prompted, type Step } from "./flow.ts";
import { outcomeHeard, refusedBy } from "./flow-running.ts";
import { askForCard } from "./flow-start.ts";
import { startStop } from "./flow-stop.ts";
import { answers, type Heard } from "./message.ts";
import { MORE_FOLLOWS, OK, ONLINE_WANTED, UI_EVENT } from "./status-codes.ts";
import { ACTIVATIONS, TRANSACTION_MARGIN_MS } from "./timing.ts";

/** PROTOCOL.md 6.2. */
export function startCollect(n: number, request: CollectRequest, device: Device): Step {
  if (device.held !== undefined)
    return ended(fault(n, "refused", "a card waits for its issuer's answer: complete or cancel first"));
  if (device.keys?.sred === false)
    return ended(fault(n, "keys-missing", "the terminal has no key for card data: load its keys"));
  const offer = offerOf(request, device.member.capabilities.interfaces);
  const problem = moneyProblem(request);
  if (problem !== undefined) return ended(fault(n, "refused", problem));
  if (offer === undefined)
    return ended(
      fault(
        n,
        "refused",
        `interfaces must name one that this model has: ${device.member.capabilities.interfaces.join(", ")}`,
      ),
    );
  const job: Collect = { is: "collect", n, request, offer, activationsLeft: ACTIVATIONS, phase: { at: "asking-out" } };
  const step = device.card === true && isAskedOut(job) ? prompted(job, "REMOVE_CARD") : askForCard(job, device);
  const limits = { card: request.cardMs, watchdog: request.cardMs + request.pinMs + TRANSACTION_MARGIN_MS };
  return { ...step, timers: { ...limits, ...step.timers } };
}

/** Whether a card in the slot must be removed first (PROTOCOL.md 6.4). */
function isAskedOut({ request, offer }: Collect): boolean {
  return !offer.chip || request.again === "chip-unreadable";
}

export function collect(job: Collect, input: JobInput, device: Device): Step {
  return input.on === "timer" ? timedOut(job, input.name, device) : heard(job, input.heard, device);
}

function timedOut(job: Collect, name: string, device: Device): Step {
  const { n, phase } = job;
  if (name === "answer") {
    if (phase.at === "read-error") return ended(phase.ending);
    return phase.at === "running"
      ? startStop(device, [fault(n, "no-answer", "the card's first answer did not come")])
      : { job };
  }
  // A reader may work on a chip for seconds without sending anything.
  if (name === "card" && phase.at === "waiting" && job.offer.chip && device.card === true && !job.isLast)
    return { job: { ...job, isLast: true } };
  return startStop(device, [{ n, on: "no-card", why: "timeout" }]);
}

function heard(job: Collect, what: Heard, device: Device): Step {
  const { n, phase } = job;
  switch (what.is) {
    case "restart":
      return lost([n], "device-error", `the device restarted during the transaction: ${what.text}`);
    case "dialogue":
      return asked(job, what, device);
    case "slot":
      return slotTold(job, what.card, device);
    case "answer":
      break;
  }
  const isMine =
    phase.at === "waiting" ? answers(phase.by, what) : phase.at === "running" && answers("authenticate", what);
  if (!isMine || what.status === MORE_FOLLOWS || what.status === UI_EVENT) return { job };
  return what.status === OK || what.status === ONLINE_WANTED
    ? outcomeHeard(job, what.data, device)
    : refusedBy(job, what, device);
}

/**
 * The reader shows its prompts through us. It sends a swiped chip card to the slot; the payment decides what follows
 * (PROTOCOL.md 6.4).
 */
function asked(job: Collect, what: Extract<Heard, { is: "dialogue" }>, device: Device): Step {
  const { n, offer, phase } = job;
  const { write, prompt } = answerDialogue(what);
  if (prompt === "INSERT_CHIP" && phase.at === "waiting" && offer.magstripe && !offer.fallback)
    return startStop(device, [{ n, on: "no-card", why: "use-chip" }]);
  const step = prompt === undefined ? { job } : prompted(job, prompt);
  return { ...step, ...(write && { write }) };
}

function slotTold(job: Collect, card: boolean, device: Device): Step {
  const { n, offer, phase, request } = job;
  if (card)
    return phase.at === "waiting" && offer.chip && request.again !== "wrong-pin"
      ? prompted(job, "PROCESSING")
      : { job };
  if (phase.at === "asking-out") return askForCard(job, device);
  if (phase.at === "waiting" && job.isLast) return startStop(device, [{ n, on: "no-card", why: "timeout" }]);
  return phase.at === "read-error" ? ended({ n, on: "no-card", why: "removed" }) : { job };
}
