import type { CollectRequest } from "../../src/card/command.ts";
import { offerOf } from "../../src/card/offer.ts";
import { clockProblem, moneyProblem } from "../../src/card/request-problem.ts";
import { otherCurrency, unsureCurrency } from "./currency.ts";
import { type Collect, type Device, ended, fault, type JobInput, lost, prompted, type Step } from "./flow.ts";
import { pinAnswered } from "./flow-ask-pin.ts";
import { cardRead } from "./flow-read.ts";
import { emvTold, paid } from "./flow-running.ts";
import { askForCard, askOut, halt, startReading } from "./flow-start.ts";
import { cardReadIn, type Heard, say } from "./message.ts";
import { leakHeard } from "./sealed.ts";
import { AUTHORIZE_MS, QUERY_MS, READS, START_MS, TRANSACTION_MARGIN_MS } from "./timing.ts";

/** PROTOCOL.md 6.3. */
export function startCollect(n: number, request: CollectRequest, device: Device): Step {
  if (device.held !== undefined)
    return ended(fault(n, "refused", "a card waits for its issuer's answer: complete or cancel first"));
  const offer = offerOf(request, device.capabilities.interfaces);
  const mayBeChip = offer?.chip === true || offer?.tap === true;
  const problem =
    moneyProblem(request) ?? clockProblem(request.now) ?? (mayBeChip ? otherCurrency : unsureCurrency)(request, device);
  if (problem !== undefined) return ended(fault(n, "refused", problem));
  if (offer === undefined)
    return ended(
      fault(
        n,
        "refused",
        `interfaces must name one that this terminal has: ${device.capabilities.interfaces.join(", ")}`,
      ),
    );
  const job: Collect = { is: "collect", n, request, offer, readsLeft: READS, phase: { at: "asking-out" } };
  const step = device.card === true && isAskedOut(job) ? askOut(job, device) : askForCard(job, device);
  const limits = { card: request.cardMs, watchdog: request.cardMs + request.pinMs + TRANSACTION_MARGIN_MS };
  return {
    ...step,
    device: { ...device, usedIn: device.usedIn ?? request.currencyNumeric },
    timers: { ...limits, ...step.timers },
  };
}

/** Whether a card in the slot must be removed first (PROTOCOL.md 6.5). */
function isAskedOut({ request, offer }: Collect): boolean {
  return offer.fallback || (!offer.chip && offer.magstripe && !offer.tap) || request.again === "chip-unreadable";
}

export function collect(job: Collect, input: JobInput, device: Device): Step {
  return input.on === "timer" ? timedOut(job, input.name, device) : heard(job, input.heard, device);
}

function timedOut(job: Collect, name: string, device: Device): Step {
  const { n, phase } = job;
  switch (name) {
    case "answer":
      return overdue(job, device);
    case "pin":
      return pinOver(job, device);
    case "card":
    case "watchdog":
      return halt(device, { n, on: "no-card", why: phase.at === "pin" ? "pin-timeout" : "timeout" });
    default:
      return { job };
  }
}

/**
 * The device does not report a PIN entry inside a chip transaction. The cryptogram of a PIN typed in time may still
 * follow (PROTOCOL.md 6.8).
 */
function pinOver(job: Collect, device: Device): Step {
  const { n, phase } = job;
  if (phase.at !== "authorizing" || phase.isPinOver) return halt(device, { n, on: "no-card", why: "pin-timeout" });
  return { job: { ...job, phase: { ...phase, isPinOver: true } }, timers: { pin: AUTHORIZE_MS } };
}

/** A step without customer input took too long. */
function overdue(job: Collect, device: Device): Step {
  const { n, phase } = job;
  switch (phase.at) {
    case "asking-out":
    case "reading":
    case "pin":
      return { job };
    case "amount": {
      if (phase.triesLeft <= 0) return lost([n], `no answer to 13. within ${QUERY_MS} ms`);
      const again: Collect = { ...job, phase: { at: "amount", triesLeft: phase.triesLeft - 1 } };
      return { job: again, write: [say.amount(job.request.amount)], timers: { answer: QUERY_MS } };
    }
    case "starting":
    case "payment-type":
    case "confirming":
      return halt(device, fault(n, "no-answer", `the card's data did not come within ${START_MS} ms`));
    case "authorizing":
      return halt(device, fault(n, "no-answer", `the card's first answer did not come within ${AUTHORIZE_MS} ms`));
  }
}

function heard(job: Collect, what: Heard, device: Device): Step {
  const leak = leakHeard(what);
  if (leak !== undefined) return halt(device, fault(job.n, "clear-card-data", leak));
  switch (what.is) {
    case "slot":
      return slotTold(job, what.card, device);
    case "cancel-key":
      return job.phase.at === "asking-out" ? { job } : halt(device, { n: job.n, on: "cancelled", by: "customer" });
    case "emv":
      return emvTold(job, what, device);
    case "damaged":
      return halt(device, fault(job.n, "protocol", "an EMV message that cannot be read"));
    case "reply":
      return replied(job, what, device);
    case "other":
      return { job };
  }
}

function replied(job: Collect, { id, text }: Extract<Heard, { is: "reply" }>, device: Device): Step {
  switch (job.phase.at) {
    case "amount":
      return id === "13" ? amountTaken(job, text, device) : { job };
    case "reading":
      return id === "23" ? cardRead(job, cardReadIn(text), device) : { job };
    case "payment-type":
    case "confirming":
      return paid(job, id, text, device);
    case "pin":
      return id === "31" ? pinAnswered(job, job.phase, text, device) : { job };
    case "asking-out":
    case "starting":
    case "authorizing":
      return { job };
  }
}

function amountTaken(job: Collect, text: string, device: Device): Step {
  if (!text.startsWith("0"))
    return halt(device, fault(job.n, "device-error", `the device did not take the amount: status ${text.slice(0, 1)}`));
  return startReading(job, device);
}

function slotTold(job: Collect, card: boolean, device: Device): Step {
  const { offer, phase, request } = job;
  switch (phase.at) {
    case "asking-out":
      return card ? { job } : askForCard(job, device);
    case "reading":
      if (!card) return job.prompt === "REMOVE_CARD" ? startAnew(job, device) : { job };
      if (!offer.chip) return prompted(job, "REMOVE_CARD");
      return request.again === "wrong-pin" ? { job } : prompted(job, "PROCESSING");
    case "pin":
      // The chip was pulled during PIN entry; the device would keep waiting for the PIN.
      return !card && phase.held.via === "chip" ? halt(device, { n: job.n, on: "no-card", why: "removed" }) : { job };
    default:
      return { job };
  }
}

/** The reader still waits for a card, so only the cashier's prompt is repeated. */
function startAnew(job: Collect, device: Device): Step {
  const { write: _sentBefore, ...told } = startReading(job, { ...device, card: false });
  return told;
}
