import { batchWord, leakIn, receiptObjects } from "../../src/card/dynapro-card.ts";
import type { Blob } from "../../src/card/dynapro-data.ts";
import type { Notice } from "../../src/card/notice.ts";
import { issuerProblem } from "../../src/card/request-problem.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { parseBlob } from "./blob.ts";
import {
  ask,
  type Complete,
  type Device,
  ended,
  fault,
  type Held,
  isFor,
  type JobInput,
  lost,
  type Notification,
  type Response,
  type Step,
} from "./flow.ts";
import { startAcknowledge } from "./flow-single.ts";
import { startStop } from "./flow-stop.ts";
import { answerFor, resumePayload } from "./issuer-answer.ts";
import { isReset, notifications } from "./message.ts";
import { finalWord, isOutcomeOf, technologies } from "./outcomes.ts";
import { details, isSuccess, statusText } from "./status-codes.ts";
import { ANSWER_MS, BESIDE_MS, COMPLETE_MS, OUTCOME_MS } from "./timing.ts";

/**
 * PROTOCOL.md 7.5 and 7.7: hands the issuer's answer to the waiting card or device. If none waits, the device only
 * acknowledges.
 */
export function startComplete(n: number, issuer: IssuerResponse, device: Device): Step {
  const { held } = device;
  const problem = held === undefined ? "no card waits for an issuer's answer" : issuerProblem(issuer);
  if (held === undefined || problem !== undefined) return ended(fault(n, "refused", problem ?? ""));
  if (held.via === "nobody" || didNotWait(held)) return startAcknowledge(n, device);
  if (held.over !== undefined) return { ...ended(withoutIssuer(n, held, held.over)), device: forgetting(device) };
  const step = send(
    { is: "complete", n, issuer, held, ref: 0, isAnswered: false, hasScripts: issuer.scripts.length > 0 },
    forgetting(device),
  );
  return { ...step, timers: { ...step.timers, watchdog: COMPLETE_MS } };
}

/**
 * After a swipe a device may finish before the issuer answers. A cancelled or refused transaction is a different case
 * (PROTOCOL.md 7.7).
 */
function didNotWait({ via, over }: Held): boolean {
  if (via !== "magstripe" || over === undefined || !isOutcomeOf(over, technologyOf[via])) return false;
  const word = finalWord(over);
  return word === "approved" || word === "quick";
}

const technologyOf: Readonly<Record<Held["via"], string>> = {
  chip: technologies.chip,
  tap: technologies.tap,
  magstripe: technologies.magstripe,
  nobody: technologies.keyed,
};

const QUICK = "it did not wait for the issuer (quick chip) although it was told to";

/** The device did not wait for the issuer (PROTOCOL.md 7.6), so only a decline by the card is certain. */
function withoutIssuer(n: number, held: Held, over: string): Notice {
  const word = finalWord(over);
  const problem = ofAnother(held, over);
  if (problem !== undefined) return fault(n, "protocol", problem);
  if (word === "not-approved") return { n, on: "finished", verdict: "declined", emv: [] };
  if (word === "quick") return fault(n, "misconfigured", QUICK);
  return fault(
    n,
    word === "approved" ? "protocol" : "device-error",
    `the device ended the transaction (${over}) before the issuer's answer`,
  );
}

function send(job: Complete, device: Device): Step {
  const asking = ask(device, "resume", resumePayload(job.held.serialNumber, answerFor(job.issuer, job.hasScripts)));
  return {
    job: { ...job, ref: asking.ref },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

export function complete(job: Complete, input: JobInput, device: Device): Step {
  switch (input.on) {
    case "timer":
      return input.name === "answer" || input.name === "watchdog" ? overdue(job, device) : { job };
    case "heard":
      switch (input.heard.is) {
        case "response":
          return isFor(input.heard, "resume", job.ref) ? answered(job, input.heard, device) : { job };
        case "notification":
          return told(job, input.heard, device);
        case "too-long":
          // Only the issuer's scripts can be left out.
          return job.hasScripts
            ? send({ ...job, hasScripts: false }, device)
            : lost(job, "device-error", "the device holds no message as long as the issuer's answer");
        case "request":
        case "other":
          return { job };
      }
  }
}

function overdue(job: Complete, device: Device): Step {
  if (job.outcome !== undefined) return finished(job, job.outcome, device);
  return lost(
    job,
    "no-answer",
    job.isAnswered
      ? `the card's final word did not come within ${OUTCOME_MS} ms`
      : `no answer to RESUME within ${ANSWER_MS} ms`,
  );
}

function answered(job: Complete, response: Response, device: Device): Step {
  if (isSuccess(response)) return progressed({ ...job, isAnswered: true }, device);
  const isGone = response.detail === details.noTransaction || response.detail === details.wrongState;
  // After a swipe the device may not wait at all (PROTOCOL.md 7.7).
  if (job.held.via === "magstripe" && isGone) return startAcknowledge(job.n, device);
  const notice = fault(job.n, "device-error", `RESUME was refused: ${statusText(response)}`);
  return isGone ? ended(notice) : startStop(device, [notice], { serialNumber: job.held.serialNumber });
}

function told(job: Complete, { id, code, payload }: Notification, device: Device): Step {
  if (isReset({ id, code })) return lost(job, "device-error", "the device restarted before the card's final word");
  if (id === notifications.progress && code.slice(2) === "080302") {
    const blob = parseBlob(payload);
    return typeof blob === "string" || blob.of !== "batch"
      ? { job }
      : progressed({ ...job, batch: blob, ...otherBatch(job, blob) }, device);
  }
  if (id !== notifications.outcome || finalWord(code) === undefined) return { job };
  return progressed({ ...job, outcome: code, ...otherOutcome(job, code) }, device);
}

/** After two different outcomes or two batches the card's decision is unknown (PROTOCOL.md 7.6). */
function otherOutcome({ outcome }: Complete, code: string): Pick<Complete, "contradiction"> {
  if (outcome === undefined || finalWord(outcome) === finalWord(code)) return {};
  return { contradiction: `the transaction ended with ${outcome}, and with ${code}` };
}

function otherBatch({ batch }: Complete, blob: Blob): Pick<Complete, "contradiction"> {
  const [before, now] = [batch && batchWord(batch), batchWord(blob)];
  return before === undefined || before === now
    ? {}
    : { contradiction: `the batch data say ${before}, and ${now ?? "nothing"}` };
}

/** Why an outcome belongs to another card, or undefined. An outcome from outside the kernel names no technology. */
function ofAnother({ via }: Held, code: string): string | undefined {
  if (isOutcomeOf(code, technologyOf[via]) || finalWord(code) === "terminated") return undefined;
  return `the outcome (${code}) is of another technology than the card`;
}

/**
 * Outcome and batch data come in either order, around the answer. Without batch data the outcome counts after a while.
 */
function progressed(job: Complete, device: Device): Step {
  if (job.outcome !== undefined && job.batch !== undefined) return finished(job, job.outcome, device);
  return { job, timers: { answer: job.outcome === undefined ? OUTCOME_MS : BESIDE_MS } };
}

function finished(job: Complete, outcome: string, device: Device): Step {
  return {
    ...ended(verdictOf(job, outcome), ...leakNotices(job.batch)),
    device: { ...device, owesBatch: job.batch === undefined },
  };
}

function verdictOf({ n, issuer, held, batch, contradiction }: Complete, outcome: string): Notice {
  const problem = contradiction ?? ofAnother(held, outcome);
  if (problem !== undefined) return fault(n, "protocol", problem);
  const [word, inBatch] = [finalWord(outcome), batch && batchWord(batch)];
  const isApproved = issuer.verdict === "approved";
  const emv = receiptObjects(batch);
  switch (word) {
    case "approved":
      if (!isApproved) return fault(n, "protocol", "the device says approved although the issuer did not");
      if (inBatch !== undefined && inBatch !== "accepted")
        return fault(n, "protocol", `the outcome says approved, the batch data say ${inBatch}`);
      return { n, on: "finished", verdict: held.via === "chip" ? "approved" : "read", emv };
    case "not-approved":
      if (inBatch === "accepted")
        return fault(n, "protocol", "the outcome says not approved, the batch data say accepted");
      // After a tap the reader has no second verdict: it acknowledges. But refusing what the issuer approved is a
      // decline.
      return { n, on: "finished", verdict: held.via === "chip" || isApproved ? "declined" : "read", emv };
    case "quick":
      return held.via === "magstripe" ? { n, on: "finished", verdict: "read", emv } : fault(n, "misconfigured", QUICK);
    case "terminated":
    case undefined:
      return fault(n, "device-error", `the transaction ended with ${outcome} before the card's final word`);
  }
}

/** The verdict is sent first: after a leak the device accepts no further notices for its commands (PROTOCOL.md 6.5). */
function leakNotices(batch: Blob | undefined): readonly Notice[] {
  const detail = batch && leakIn(batch);
  return detail === undefined ? [] : [fault(0, "clear-card-data", detail)];
}
