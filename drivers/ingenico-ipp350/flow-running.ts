import type { FirstDecision } from "../../src/card/card-data.ts";
import type { Notice } from "../../src/card/notice.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { contradictionIn, readChip, textOf } from "./card-answer.ts";
import { type EmvMessage, emvBody, own } from "./emv-message.ts";
import { type Collect, type Device, fault, type Step } from "./flow.ts";
import { reported } from "./flow-ask-pin.ts";
import { halt } from "./flow-start.ts";
import { encodeFrame } from "./frame.ts";
import { say } from "./message.ts";
import { AUTHORIZE_MS, RESEND_MS, START_MS } from "./timing.ts";

/* A chip transaction up to its first cryptogram (PROTOCOL.md 6.6 and 6.7). */

/** 33.00: keep every step, wait for no host, and repeat unanswered messages every RESEND_MS. */
const START = encodeFrame(emvBody("00", ["", "", String(RESEND_MS), ""], []));

export function startEmv(told: Step & { readonly job: Collect }): Step {
  return {
    ...told,
    job: { ...told.job, phase: { at: "starting" } },
    write: [START],
    timers: { card: "clear", answer: START_MS },
  };
}

/** Handles 33.NN during a collect. A message of another phase is a repetition and is skipped. */
export function emvTold(job: Collect, message: EmvMessage, device: Device): Step {
  const { n, phase } = job;
  switch (message.step) {
    case "00":
      return phase.at === "starting" && message.status !== "00"
        ? halt(device, fault(n, "device-error", `33.00 was refused: status ${message.status}`))
        : { job };
    case "02":
      return phase.at === "starting" ? startPaying(job) : { job };
    case "03":
      return phase.at === "authorizing" ? online(job, phase.via, message, device) : { job };
    case "05":
      return isRunning(job) ? over(job, message, device) : { job };
    default:
      return { job };
  }
}

function isRunning({ phase }: Collect): boolean {
  return phase.at !== "asking-out" && phase.at !== "amount" && phase.at !== "reading" && phase.at !== "pin";
}

/** Answers the customer's questions for them: credit, and this amount. */
function startPaying(job: Collect): Step {
  return { job: { ...job, phase: { at: "payment-type" } }, write: [say.paymentType], timers: { answer: START_MS } };
}

/** Handles the answers to 04. and 13. A customer who does not confirm the amount cancels the payment. */
export function paid(job: Collect, id: string, text: string, device: Device): Step {
  const { n, phase, request } = job;
  if (phase.at === "payment-type" && id === "04") {
    if (text.startsWith("1"))
      return halt(device, fault(n, "device-error", "the device did not take the payment type (04. status 1)"));
    return {
      job: { ...job, phase: { at: "confirming" } },
      write: [say.amount(request.amount)],
      timers: { answer: START_MS },
    };
  }
  if (phase.at !== "confirming" || id !== "13") return { job };
  if (!text.startsWith("0")) return halt(device, { n, on: "cancelled", by: "customer" });
  return { job: { ...job, phase: { at: "authorizing", via: "chip" } }, timers: limits(job, device) };
}

/** The device may ask for the PIN itself before the first cryptogram, without reporting it (PROTOCOL.md 6.8). */
function limits({ request }: Collect, { capabilities }: Device): Readonly<Record<string, number | "clear">> {
  const takesPin = capabilities.onlinePin && request.transactionType === "00";
  return takesPin ? { answer: "clear", pin: Math.max(request.pinMs, AUTHORIZE_MS) } : { answer: AUTHORIZE_MS };
}

type Via = "chip" | "contactless-chip";

/** 33.03: an ARQC. */
function online(job: Collect, via: Via, { status, objects }: EmvMessage, device: Device): Step {
  if (status !== "00") return halt(device, fault(job.n, "device-error", `33.03 with status ${status}`));
  const contradiction = contradictionIn(objects, via);
  if (contradiction !== undefined) return halt(device, fault(job.n, "protocol", contradiction));
  return reported(
    job,
    readChip(objects, via, "online", job.request),
    { via: via === "chip" ? "chip" : "tap", takesPin: via !== "chip" },
    device,
  );
}

/** 33.05 without an issuer's answer: the card decided offline, or it was unusable. */
function over(job: Collect, { status, objects }: EmvMessage, device: Device): Step {
  const { n, phase } = job;
  const via = phase.at === "authorizing" ? phase.via : "chip";
  const error = textOf(objects, own.errorCode);
  const decision = decisionIn(objects);
  const isRefused = decision === "approved-offline" && status !== "00";
  const problem =
    contradictionIn(objects, via) ?? (isRefused ? `33.05 says approved with status ${status}` : undefined);
  if (problem !== undefined) return halt(device, fault(n, "protocol", problem));
  // A decline by a pulled card counts as a removed card. An approval stays an approval.
  if (decision === "approved-offline" || (decision !== undefined && !isRemoved(error)))
    return reported(job, readChip(objects, via, decision, job.request), { via: "nobody", takesPin: false }, device);
  if (isUndecided(objects)) {
    return halt(
      device,
      fault(
        n,
        "misconfigured",
        "it ended a transaction with the card's first cryptogram: quick chip is on (19_21 must be 0)",
      ),
    );
  }
  const notice = errorNotice(n, error, via);
  const isPinOver = phase.at === "authorizing" && phase.isPinOver === true && notice.on === "fault";
  return halt(device, isPinOver ? { n, on: "no-card", why: "pin-timeout" } : notice);
}

const ARQC = 0x80;
const TC = 0x40;

function cryptogramIn(objects: readonly Tlv[]): number | undefined {
  const [information] = findTag(objects, "9F27") ?? [];
  return information === undefined ? undefined : information & 0xc0;
}

const isUndecided = (objects: readonly Tlv[]): boolean => cryptogramIn(objects) === ARQC;

/** Both the card's cryptogram and the device's confirmation must agree (PROTOCOL.md 6.7). */
function decisionIn(objects: readonly Tlv[]): FirstDecision | undefined {
  const word = textOf(objects, own.confirmation);
  switch (cryptogramIn(objects)) {
    case TC:
      return word === "A" ? "approved-offline" : undefined;
    case 0x00:
      return word === "D" || word === "C" ? "declined-offline" : undefined;
    default:
      return undefined;
  }
}

export const isRemoved = (error: string): boolean => error === "CRPRE";

/** Error codes of tag 1010 (PROTOCOL.md 4.4). */
function errorNotice(n: number, error: string, via: Via): Notice {
  switch (error) {
    case "CDIV":
      return { n, on: "no-card", why: via === "chip" ? "chip-unreadable" : "use-chip" };
    case "CNSUP":
      return { n, on: "no-card", why: via === "chip" ? "not-supported" : "use-chip" };
    case "CRPRE":
      return { n, on: "no-card", why: "removed" };
    case "APBLK":
    case "CABLK":
      return { n, on: "no-card", why: "blocked" };
    case "CEXP":
      return { n, on: "no-card", why: "not-supported" };
    default:
      return fault(
        n,
        "device-error",
        error === ""
          ? "the transaction ended without a decision of the card"
          : "the transaction ended with an error that is not known here (1010)",
      );
  }
}
