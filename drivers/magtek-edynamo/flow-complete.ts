import { leakIn, receiptObjects } from "../../src/card/dynapro-card.ts";
import type { Notice } from "../../src/card/notice.ts";
import { issuerProblem } from "../../src/card/request-problem.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import {
  type Answer,
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
  type Step,
} from "./flow.ts";
import { startAcknowledge } from "./flow-single.ts";
import { startStop } from "./flow-stop.ts";
import { answerFor } from "./issuer-answer.ts";
import { notifications } from "./message.ts";
import { type Result, resultIn, statuses } from "./outcomes.ts";
import { decisionIn, isEnding, progressIn } from "./progress.ts";
import { isDone, results, statusText } from "./status-codes.ts";
import { ANSWER_MS, COMPLETE_MS, RESULT_MS } from "./timing.ts";

/**
 * PROTOCOL.md 7.5 and 7.7: hands the issuer's answer to the waiting card or device. If none waits, the device only
 * acknowledges.
 */
export function startComplete(n: number, issuer: IssuerResponse, device: Device): Step {
  const { held } = device;
  const problem = held === undefined ? "no card waits for an issuer's answer" : issuerProblem(issuer);
  if (held === undefined || problem !== undefined) return ended(fault(n, "refused", problem ?? ""));
  if (held.over !== undefined) return didNotWait(n, held, held.over, device);
  const job: Complete = { is: "complete", n, issuer, held, sending: { ref: 0, rest: [] }, isAnswered: false };
  const step = send(job, answerFor(held.frame, issuer), forgetting(device));
  return { ...step, timers: { ...step.timers, watchdog: COMPLETE_MS } };
}

/**
 * The device ended before the issuer answered (PROTOCOL.md 7.6). A magstripe has no verdict of its own; of a chip only
 * a decline is certain.
 */
function didNotWait(n: number, { via }: Held, over: string, device: Device): Step {
  if (via === "magstripe" && over === statuses.approved) return startAcknowledge(n, device);
  const isRefused = over === statuses.declined || over === statuses.error;
  const notice: Notice = isRefused
    ? { n, on: "finished", verdict: "declined", emv: [] }
    : fault(n, "protocol", `the device ended the transaction (status ${over}) before the issuer's answer`);
  return { ...ended(notice), device: forgetting(device) };
}

function send(job: Complete, packets: readonly Uint8Array[], device: Device): Step {
  const asking = ask(device, ...packets);
  return {
    job: { ...job, sending: asking.sending },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

export function complete(job: Complete, input: JobInput, device: Device): Step {
  if (input.on === "timer") return input.name === "answer" || input.name === "watchdog" ? overdue(job) : { job };
  const { heard } = input;
  switch (heard.is) {
    case "pending":
      return isFor(device, job.sending.ref) && job.sending.rest.length > 0
        ? send(job, job.sending.rest, device)
        : { job };
    case "answer":
      return isFor(device, job.sending.ref) ? answered(job, heard, device) : { job };
    case "notification":
      return told(job, heard);
    case "command":
    case "other":
      return { job };
  }
}

function overdue(job: Complete): Step {
  const what = job.isAnswered
    ? `the card's final word did not come within ${RESULT_MS} ms`
    : `no answer to the issuer's answer within ${ANSWER_MS} ms`;
  return lost(job, "no-answer", what);
}

function answered(job: Complete, answer: Answer, device: Device): Step {
  if (isDone(answer)) return { job: { ...job, isAnswered: true }, timers: { answer: RESULT_MS } };
  const isGone = answer.result === results.noTransaction;
  // After a swipe the device may not wait at all (PROTOCOL.md 7.7).
  if (job.held.via === "magstripe" && isGone) return startAcknowledge(job.n, device);
  const notice = fault(job.n, "device-error", `the issuer's answer was refused: ${statusText(answer)}`);
  return isGone ? ended(notice) : startStop(device, [notice], { frame: job.held.frame });
}

function told(job: Complete, { id, data }: Notification): Step {
  const progress = id === notifications.progress ? progressIn(data) : undefined;
  if (progress !== undefined && isEnding(progress)) return { job: { ...job, ending: progress.stage } };
  const result = id === notifications.result ? resultIn(data) : undefined;
  return result === undefined ? { job } : ended(verdictOf(job, result), ...leakNotices(result));
}

/** PROTOCOL.md 7.6: an approval counts only if progress and result both report it. Everything else is a decline. */
function verdictOf({ n, issuer, held, ending }: Complete, { status, batch }: Result): Notice {
  const emv = receiptObjects(batch);
  const isApproved = issuer.verdict === "approved";
  switch (status) {
    case statuses.approved:
      if (!isApproved) return fault(n, "protocol", "the device says approved although the issuer did not");
      if (decisionIn(ending) !== "approved")
        return fault(n, "protocol", `the result says approved, the progress before it ${ending ?? "nothing"}`);
      return { n, on: "finished", verdict: held.via === "chip" ? "approved" : "read", emv };
    case statuses.declined:
    case statuses.error:
      if (decisionIn(ending) === "approved")
        return fault(n, "protocol", `the progress says approved, the result ${status} (DFDF1A)`);
      // After a tap the reader has no second verdict: it acknowledges. But refusing what the issuer approved is a
      // decline.
      return { n, on: "finished", verdict: held.via === "chip" || isApproved ? "declined" : "read", emv };
    default:
      return fault(
        n,
        "device-error",
        `the transaction ended with status ${status} (DFDF1A) before the card's final word`,
      );
  }
}

/** The verdict is sent first: after a leak the device accepts no further notices for its commands (PROTOCOL.md 6.4). */
function leakNotices({ batch }: Result): readonly Notice[] {
  const detail = leakIn(batch);
  return detail === undefined ? [] : [fault(0, "clear-card-data", detail)];
}
