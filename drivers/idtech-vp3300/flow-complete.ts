import type { Notice } from "../../src/card/notice.ts";
import { issuerProblem } from "../../src/card/request-problem.ts";
import { issuerObjects } from "../../src/emv/issuer-objects.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { encodeTlvs } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { approvalProblem, clearOf, isOfAnother } from "./card-answer.ts";
import { answerDialogue } from "./dialogue.ts";
import { type Device, ended, fault, type Job, type JobInput, lost, type Step } from "./flow.ts";
import { startAcknowledge } from "./flow-single.ts";
import { startStop } from "./flow-stop.ts";
import { answers, frameOf, type Heard, type Outcome, outcomeIn } from "./message.ts";
import { APPROVED, DECLINED, rulingOf } from "./outcomes.ts";
import { leakIn } from "./sealed.ts";
import { MORE_FOLLOWS, OK, statusText } from "./status-codes.ts";
import { COMPLETE_MS } from "./timing.ts";

type Complete = Extract<Job, { is: "complete" }>;

/** PROTOCOL.md 6.5: hands the issuer's answer to the waiting chip. If none waits, the device only acknowledges. */
export function startComplete(n: number, issuer: IssuerResponse, device: Device): Step {
  const { held } = device;
  const problem = held === undefined ? "no card waits for an issuer's answer" : issuerProblem(issuer);
  if (held === undefined || problem !== undefined) return ended(fault(n, "refused", problem ?? ""));
  if (held.via === "nobody") return { ...startAcknowledge(n), device: forgetting(device) };
  return {
    job: { is: "complete", n, verdict: issuer.verdict, held },
    device: forgetting(device),
    write: [frameOf("complete", completeData(issuer))],
    timers: { answer: COMPLETE_MS },
  };
}

const HOST_ANSWERED = 0x01;
const HOST_NOT_REACHED = 0x00;
/** More than any issuer sends. Scripts beyond it are dropped; the card still gets its response code. */
const MOST_DATA = 2048;

/** A flag, then 8A, 91 and the scripts. If the host was not reached, the flag alone. */
function completeData({ verdict, ...issuer }: IssuerResponse): Uint8Array {
  if (verdict === "unable-to-go-online") return Uint8Array.of(HOST_NOT_REACHED);
  const whole = issuerObjects(issuer);
  const fits = whole.reduce((sum, { value }) => sum + value.length, 0) <= MOST_DATA;
  return concat(Uint8Array.of(HOST_ANSWERED), encodeTlvs(fits ? whole : issuerObjects({ ...issuer, scripts: [] })));
}

export function complete(job: Complete, input: JobInput, device: Device): Step {
  const { n } = job;
  if (input.on === "timer")
    return input.name === "answer"
      ? lost([n], "no-answer", `the card's final answer did not come within ${COMPLETE_MS} ms`)
      : { job };
  const { heard } = input;
  switch (heard.is) {
    case "restart":
      return lost([n], "device-error", `the device restarted before the card's final answer: ${heard.text}`);
    case "dialogue": {
      const { write } = answerDialogue(heard);
      return { job, ...(write && { write }) };
    }
    case "slot":
      return { job };
    case "answer":
      return answers("complete", heard) && heard.status !== MORE_FOLLOWS ? answered(job, heard, device) : { job };
  }
}

function answered(job: Complete, { status, data }: Extract<Heard, { is: "answer" }>, device: Device): Step {
  if (status !== OK)
    return failed(device, fault(job.n, "device-error", `the completion ended with status ${statusText(status)}`));
  const outcome = outcomeIn(data);
  if (outcome?.result === undefined)
    return failed(device, fault(job.n, "protocol", "the completion ended without a result (DFEE25)"));
  switch (outcome.result) {
    case APPROVED:
      return approved(job, outcome, device);
    case DECLINED:
    case "0001":
      return isOfAnother(outcome.leaves, job.held) ? { job } : finished(job, outcome, "declined");
    default:
      return otherwise(job, outcome, outcome.result, device);
  }
}

function approved(job: Complete, outcome: Outcome, device: Device): Step {
  const { n, verdict, held } = job;
  const problem =
    verdict === "approved"
      ? approvalProblem(outcome.leaves, held)
      : "the device says approved although the issuer did not";
  return problem === undefined ? finished(job, outcome, "approved") : failed(device, fault(n, "protocol", problem));
}

/** The verdict is sent first: after a leak the device accepts no further notices for its commands (PROTOCOL.md 6.7). */
function finished({ n }: Complete, { leaves }: Outcome, verdict: "approved" | "declined"): Step {
  const detail = leakIn(leaves);
  const leaked: readonly Notice[] = detail === undefined ? [] : [fault(0, "clear-card-data", detail)];
  return ended({ n, on: "finished", verdict, emv: clearOf(leaves) }, ...leaked);
}

/** A result from before the completion may arrive twice at most; it is dropped. A removed card has not approved. */
function otherwise(job: Complete, outcome: Outcome, result: string, device: Device): Step {
  const ruling = rulingOf(result);
  if (ruling.is === "online" || ruling.is === "selected") return { job };
  if (ruling.is === "no-card" && ruling.why === "removed") return finished(job, outcome, "declined");
  return failed(device, fault(job.n, "device-error", `the completion ended with result ${result}`));
}

/**
 * Sent at once: the card's decision can no longer become known, and the cancel may outlast the completion's time limit.
 */
function failed(device: Device, notice: Notice): Step {
  return { ...startStop(device, []), notices: [notice] };
}
