import type { CollectRequest } from "../../src/card/command.ts";
import type { FaultCode, Notice } from "../../src/card/notice.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { leakIn, readCard } from "./card-answer.ts";
import { MOST_DECIMALS } from "./display-text.ts";
import { type Device, ended, type Job, type JobInput, lost, type Step } from "./flow.ts";
import { startAbort, startReset } from "./flow-abort.ts";
import { clockProblem, reportCard } from "./flow-single.ts";
import { keyTold, overdue, plainAnswered, prompted, shown, slotTold, stop } from "./flow-waiting.ts";
import { type Answer, type DeviceEvent, restartText } from "./message.ts";
import { statusText } from "./status-words.ts";
import { REMOVAL_MS, SLOT_MS, TRANSACTION_MARGIN_MS } from "./timing.ts";

type Collect = Extract<Job, { is: "collect" }>;

/** PROTOCOL.md 7.3: looks into the slot first, because a card that is there already is used. */
export function startCollect(n: number, request: CollectRequest, device: Device): Step {
  const fault = (code: FaultCode, detail: string): Step => ended({ n, on: "fault", code, detail });
  if (device.held !== undefined) return fault("refused", "a card waits for its issuer's answer: complete or cancel first");
  if (device.keys?.sred === false) return fault("keys-missing", "the terminal has no key for card data: load its keys");
  const problem = requestProblem(request);
  if (problem !== undefined) return fault("refused", problem);
  const watchdog = request.cardMs + request.pinMs + TRANSACTION_MARGIN_MS;
  return { job: { is: "collect", n, request, phase: { at: "slot" } }, write: reportCard, timers: { answer: SLOT_MS, card: request.cardMs, watchdog } };
}

const MOST = 999_999_999_999;

function requestProblem({ amount, currencyNumeric, currencyCode, decimals, interfaces, now }: CollectRequest): string | undefined {
  if (!interfaces.includes("chip")) return "interfaces must name chip: this driver reads nothing else";
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > MOST) return "amount must be a whole number of minor units of at most twelve digits";
  if (!/^[0-9]{3}$/.test(currencyNumeric)) return "currencyNumeric must be three digits";
  if (!/^[A-Z]{3}$/.test(currencyCode)) return "currencyCode must be three capital letters";
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MOST_DECIMALS) return `decimals must be a whole number from 0 to ${MOST_DECIMALS}`;
  return clockProblem(now);
}

export function collect(job: Collect, input: JobInput, device: Device): Step {
  switch (input.on) {
    case "timer":
      return timedOut(job, input.name, device);
    case "event":
      return heard(job, input.event, device);
    case "answer":
      if (job.phase.at === "waiting") return plainAnswered(job, job.phase, input.answer);
      return job.phase.at === "running" ? answered(job, input.answer, device) : { job };
  }
}

function timedOut(job: Collect, name: string, device: Device): Step {
  const { at } = job.phase;
  if (name === "answer" && at === "slot") return slotTold(job, device.slot ?? { card: false, chip: false }, device);
  if (name === "answer" && job.phase.at === "waiting") return overdue(job, job.phase);
  if (name === "answer" && at === "read-error") return ended({ n: job.n, on: "no-card", why: "chip-unreadable" });
  if (name === "watchdog" || name === "card" || (name === "pin" && at === "running")) {
    return stop(job, device, [{ n: job.n, on: "no-card", why: name === "pin" ? "pin-timeout" : "timeout" }]);
  }
  return { job };
}

function heard(job: Collect, event: DeviceEvent, device: Device): Step {
  const { phase } = job;
  switch (event.is) {
    case "card": {
      const leak = leakIn(event.objects);
      if (leak !== undefined) return stop(job, device, [{ n: job.n, on: "fault", code: "clear-card-data", detail: leak }]);
      if (phase.at === "read-error") return event.slot ? { job } : ended({ n: job.n, on: "no-card", why: "removed" });
      if (phase.at === "running") return { job };
      return slotTold(job, { card: event.slot, chip: event.chip }, device);
    }
    case "status":
      return phase.at === "running" ? told(job, event) : { job };
    case "key":
      return phase.at === "waiting" ? keyTold(job, phase, event.code, device) : { job };
    case "other":
      return { job };
  }
}

/** PROTOCOL.md 6.2: what the device tells of itself while it is busy with the card. */
function told(job: Collect, event: Extract<DeviceEvent, { is: "status" }>): Step {
  const restart = restartText(event);
  if (restart !== undefined) return lost([job.n], "device-error", `the device restarted during the transaction: ${restart}`);
  switch (event.code) {
    case "02":
      return pinEntry(job, event.text, event.pinTries);
    case "03":
      return prompted(job, "SELECT_APPLICATION");
    default:
      return { job };
  }
}

/** PROTOCOL.md 6.3: a text with OK ends PIN entry; fewer tries than before mean that the last PIN was wrong. */
function pinEntry(job: Collect, text: string, pinTries: number | undefined): Step {
  if (/\bOK\b/i.test(text)) return { ...prompted(job, "PROCESSING"), timers: { pin: "clear" } };
  const before = job.phase.at === "running" ? job.phase.pinTries : undefined;
  const tries = pinTries ?? before;
  const next: Collect = { ...job, phase: { at: "running", ...(tries !== undefined && { pinTries: tries }) } };
  const isWrong = before !== undefined && tries !== undefined && tries < before;
  const step = isWrong ? shown(next, "WRONG_PIN") : prompted(next, job.prompt === "WRONG_PIN" ? "WRONG_PIN" : "ENTER_PIN");
  return { ...step, timers: { pin: job.request.pinMs } };
}

/** PROTOCOL.md 7.4. What cannot be an answer to START TRANSACTION belongs to an earlier command and is dropped. */
function answered(job: Collect, answer: Answer, device: Device): Step {
  switch (answer.is) {
    case "ok":
    case "other":
      return { job };
    case "refused":
      return refused(job, answer.statusWord, device);
    case "template":
      break;
  }
  switch (answer.template) {
    case "E4":
      return online(job, answer.objects, device);
    case "E3":
      return decidedByCard(job, answer.objects, "approved-offline");
    case "E5":
      return decidedByCard(job, answer.objects, "declined-offline");
    case "E2": {
      const detail = "the device asks for an application although it was to choose itself (E2)";
      return startAbort(device, "held", [{ n: job.n, on: "fault", code: "protocol", detail }]);
    }
    case "E0":
    case "E1":
    case "E6":
      return { job };
  }
}

/** The card waits for the issuer from here on, unless its data cannot be used. */
function online(job: Collect, objects: readonly Tlv[], device: Device): Step {
  const reading = readCard(objects, "online", job.request);
  if (reading.ok) return { ...ended({ n: job.n, on: "card", card: reading.card }), device: { ...device, held: reading.held } };
  return startAbort(device, "held", [{ n: job.n, on: "fault", code: reading.code, detail: reading.detail }]);
}

function decidedByCard({ n, request }: Collect, objects: readonly Tlv[], decision: "approved-offline" | "declined-offline"): Step {
  const reading = readCard(objects, decision, request);
  return ended(reading.ok ? { n, on: "card", card: reading.card } : { n, on: "fault", code: reading.code, detail: reading.detail });
}

function refused(job: Collect, statusWord: string, device: Device): Step {
  const { n } = job;
  const noCard = (why: Extract<Notice, { on: "no-card" }>["why"]): Step => ended({ n, on: "no-card", why });
  switch (statusWord) {
    case "9F23":
      return noCard("removed");
    case "9F25":
      return noCard("blocked");
    case "9F28":
      return noCard("not-supported");
    case "9F30":
      // A card that was pulled reads as an error too, and must not open the way to the stripe.
      if (device.slot?.card === false) return noCard("removed");
      return { job: { ...job, phase: { at: "read-error" } }, timers: { answer: REMOVAL_MS, pin: "clear" } };
    case "9F41":
      return ended({ n, on: "cancelled", by: "customer" });
    case "9F42":
      return noCard("timeout");
    default:
      return startReset([{ n, on: "fault", code: "device-error", detail: `START TRANSACTION ended with ${statusText(statusWord)}` }]);
  }
}
