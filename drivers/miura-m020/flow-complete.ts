import type { Notice } from "../../src/card/notice.ts";
import { issuerProblem } from "../../src/card/request-problem.ts";
import { issuerObjects } from "../../src/emv/issuer-objects.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { ended, lost } from "../vipa/flow.ts";
import { approvedBy, declinedBy, isOfAnother } from "../vipa/flow-complete.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { commandApdu, encodeApdu } from "./apdu.ts";
import { leakIn } from "./card-answer.ts";
import { type Device, framesOf, type Job, type JobInput, type Step } from "./flow.ts";
import { startAcknowledge } from "./flow-single.ts";
import { startReset } from "./flow-stop.ts";
import { type Answer, type DeviceEvent, leavesOf, restartText } from "./message.ts";
import { statusText } from "./status-codes.ts";
import { COMPLETE_MS } from "./timing.ts";

type Complete = Extract<Job, { is: "complete" }>;

/**
 * PROTOCOL.md 7.5 and 7.15: hands the issuer's answer to the waiting card or reader. If none waits, the device only
 * acknowledges.
 */
export function startComplete(n: number, issuer: IssuerResponse, device: Device): Step {
  const { held } = device;
  const problem = held === undefined ? "no card waits for an issuer's answer" : issuerProblem(issuer);
  if (held === undefined || problem !== undefined)
    return ended({ n, on: "fault", code: "refused", detail: problem ?? "" });
  if (held.via === "nobody") return { ...startAcknowledge(n), device: forgetting(device) };
  return {
    job: { is: "complete", n, verdict: issuer.verdict, held },
    device: forgetting(device),
    write: framesOf("continue-transaction", { data: continueData(issuer, device.extended) }, device.extended),
    timers: { answer: COMPLETE_MS },
  };
}

/**
 * E0 with 8A, 91 and the scripts. Scripts that fit no APDU are dropped; the card still gets its response code
 * (PROTOCOL.md 7.5).
 */
function continueData(issuer: IssuerResponse, extended: boolean): Uint8Array {
  const whole = issuerObjects(issuer);
  return encodeTemplate("E0", fits(whole, extended) ? whole : issuerObjects({ ...issuer, scripts: [] }));
}

function fits(objects: readonly Tlv[], extended: boolean): boolean {
  return (
    encodeApdu(commandApdu("continue-transaction", { data: encodeTemplate("E0", objects) }), extended) !== undefined
  );
}

export function complete(job: Complete, input: JobInput): Step {
  if (input.on === "heard")
    return input.heard.is === "event" ? told(job, input.heard.event) : answered(job, input.heard.answer);
  return input.name === "answer"
    ? lost([job.n], "no-answer", `the card's final answer did not come within ${COMPLETE_MS} ms`)
    : { job };
}

/** A restarted device has lost the transaction (PROTOCOL.md 6.2). */
function told(job: Complete, event: DeviceEvent): Step {
  const text = restartText(event);
  return text === undefined
    ? { job }
    : lost([job.n], "device-error", `the device restarted before the card's final answer: ${text}`);
}

/** An answer that does not fit CONTINUE TRANSACTION belongs to an earlier command and is dropped. */
function answered(job: Complete, answer: Answer): Step {
  switch (answer.is) {
    case "ok":
    case "other":
      return { job };
    case "refused": {
      const detail = `CONTINUE TRANSACTION ended with ${statusText(answer.statusWord)}`;
      // Sent at once: the card's decision can no longer become known, and a reset may outlast the completion's time
      // limit.
      return { ...startReset([]), notices: [{ n: job.n, on: "fault", code: "device-error", detail }] };
    }
    case "template":
      break;
  }
  switch (answer.template) {
    case "E3":
      return ended(approvedBy(job, leavesOf(answer.objects)), ...leakNotices(answer.objects));
    case "E5":
      if (isOfAnother(leavesOf(answer.objects), job.held)) return { job };
      return ended(declinedBy(job, leavesOf(answer.objects)), ...leakNotices(answer.objects));
    case "E0":
    case "E1":
    case "E2":
    case "E4":
    case "E6":
      return { job };
  }
}

/** The verdict is sent first: after a leak the device accepts no further notices for its commands (PROTOCOL.md 7.7). */
function leakNotices(objects: readonly Tlv[]): readonly Notice[] {
  const detail = leakIn(objects);
  return detail === undefined ? [] : [{ n: 0, on: "fault", code: "clear-card-data", detail }];
}
