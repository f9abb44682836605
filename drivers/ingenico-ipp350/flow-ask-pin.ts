import type { CardData } from "../../src/card/card-data.ts";
import type { PinRequest } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { moneyProblem } from "../../src/card/request-problem.ts";
import { packedAmount } from "../../src/emv/transaction-data.ts";
import type { CardReading } from "./card-answer.ts";
import { unsureCurrency } from "./currency.ts";
import {
  type Collect,
  type Collecting,
  type Device,
  ended,
  fault,
  type Held,
  type Job,
  type JobInput,
  prompted,
  type Step,
} from "./flow.ts";
import { halt } from "./flow-start.ts";
import { startStop } from "./flow-stop.ts";
import { say } from "./message.ts";
import { pinOfText } from "./sealed.ts";
import { TRANSACTION_MARGIN_MS } from "./timing.ts";

/** Handles a card that was read: refuse it, ask for its PIN, or report it. */
export function reported(job: Collect, reading: CardReading, waits: Omit<Held, "atc">, device: Device): Step {
  const { n, request } = job;
  if (!reading.ok) return halt(device, fault(n, reading.code, reading.detail));
  const problem = unsureCurrency(request, device);
  if (problem !== undefined) return halt(device, fault(n, "refused", problem));
  const held: Held = {
    ...waits,
    amount: packedAmount(request.amount),
    ...(reading.atc !== undefined && { atc: reading.atc }),
  };
  if (reading.wantsPin && device.capabilities.onlinePin) return askForPin(job, reading.card, held, device);
  return told(job, reading.card, held, device, request.transactionType === "20");
}

/** The card waits for its issuer from here on. After an offline decision or a refund nothing follows. */
function told({ n }: Collect, card: CardData, held: Held, device: Device, isRefund: boolean): Step {
  const notice: Notice = { n, on: "card", card };
  if (card.decision !== "online") return ended(notice);
  if (isRefund) return held.via === "nobody" ? ended(notice) : halt(device, notice);
  return { ...ended(notice), device: { ...device, held } };
}

function pinFrame({ options }: Device): Uint8Array {
  return say.pin(options.pinKey, options.pinPrompt, options.pinForm);
}

/** Sends 31. once and never repeats it, because a PIN block is handed out only once (PROTOCOL.md 6.8). */
function askForPin(job: Collect, card: CardData, held: Held, device: Device): Step {
  const step = prompted({ ...job, phase: { at: "pin", card, held } }, "ENTER_PIN");
  return { ...step, write: [pinFrame(device)], timers: { answer: "clear", card: "clear", pin: job.request.pinMs } };
}

/** Handles the answer to 31. within a collect. */
export function pinAnswered(
  job: Collect,
  { card, held }: Extract<Collecting, { at: "pin" }>,
  text: string,
  device: Device,
): Step {
  const outcome = pinOutcome(job.n, text);
  if (outcome === "elsewhere") return { job };
  if (outcome.on !== "pin") return halt(device, outcome);
  const processing = prompted(job, "PROCESSING");
  const step = told(job, { ...card, pin: outcome.pin }, held, device, false);
  return { ...step, notices: [...(processing.notices ?? []), ...(step.notices ?? [])] };
}

/** Status, then PIN block and KSN (PROTOCOL.md 7.3). */
function pinOutcome(n: number, text: string): Notice | "elsewhere" {
  const [status, data] = [text.slice(0, 1), text.slice(1)];
  switch (status) {
    case "0": {
      const pin = pinOfText(data);
      if (pin !== undefined) return { n, on: "pin", pin };
      if (data.length === 16)
        return fault(n, "misconfigured", "its PIN key is not a DUKPT key: the block comes without a key serial number");
      return fault(n, "protocol", "a PIN whose block and key serial number cannot be read");
    }
    case "1":
      return { n, on: "cancelled", by: "customer" };
    case "7":
      return fault(n, "keys-missing", "the device could not encrypt the PIN (31. status 7)");
    case "a":
      return "elsewhere";
    default:
      return fault(n, "device-error", `PIN entry ended with status ${status}`);
  }
}

type AskPin = Extract<Job, { is: "ask-pin" }>;

/** Asks for a PIN for the last reported card, whose issuer's answer is outstanding. */
export function startAskPin(n: number, request: PinRequest, device: Device): Step {
  const { held, capabilities } = device;
  const problem = moneyProblem(request) ?? (capabilities.onlinePin ? undefined : "this terminal takes no PIN");
  if (held === undefined || !held.takesPin || problem !== undefined) {
    return ended(fault(n, "refused", problem ?? "no card that was tapped or swiped waits for its issuer's answer"));
  }
  return {
    job: { is: "ask-pin", n, held },
    write: [pinFrame(device)],
    timers: { pin: request.pinMs, watchdog: request.pinMs + TRANSACTION_MARGIN_MS },
    notices: [{ n, on: "prompt", prompt: "ENTER_PIN" }],
  };
}

export function askPin(job: AskPin, input: JobInput, device: Device): Step {
  const { n } = job;
  if (input.on === "timer") {
    const isOver = input.name === "pin" || input.name === "watchdog";
    return isOver ? stopAskPin(job, device, { n, on: "no-card", why: "pin-timeout" }) : { job };
  }
  const { heard } = input;
  if (heard.is === "cancel-key") return stopAskPin(job, device, { n, on: "cancelled", by: "customer" });
  if (heard.is !== "reply" || heard.id !== "31") return { job };
  const outcome = pinOutcome(n, heard.text);
  if (outcome === "elsewhere") return { job };
  if (outcome.on === "fault") return startStop(device, [outcome]);
  return outcome.on === "pin" ? ended({ n, on: "prompt", prompt: "PROCESSING" }, outcome) : ended(outcome);
}

/** Ends PIN entry from outside. The card can still be completed, though no card waits on the device. */
function stopAskPin({ held }: AskPin, device: Device, notice: Notice): Step {
  const step = startStop(device, [notice]);
  return { ...step, device: { ...device, held: { ...held, via: "nobody" } } };
}
