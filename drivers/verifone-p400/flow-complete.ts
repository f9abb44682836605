import { issuerProblem } from "../../src/card/request-problem.ts";
import { issuerObjects } from "../../src/emv/issuer-objects.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { ended, lost } from "../vipa/flow.ts";
import { approvedBy, declinedBy, isOfAnother } from "../vipa/flow-complete.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { OK } from "../vipa/status-codes.ts";
import { MOST_UNCHAINED_DATA } from "./apdu.ts";
import { type Complete, type Device, framesOf, type Held, type JobInput, type Step } from "./flow.ts";
import { startAcknowledge } from "./flow-single.ts";
import { acquirer, carriedOn } from "./flow-start.ts";
import { startReset } from "./flow-stop.ts";
import { type Answer, leavesOf, type ReaderWord, type Template, tags } from "./message.ts";
import { faultOf, statusText } from "./status-codes.ts";
import { COMPLETE_MS } from "./timing.ts";

/**
 * PROTOCOL.md 7.5 and 7.15: hands the issuer's answer to the waiting card or reader. If none waits, the device only
 * acknowledges.
 */
export function startComplete(n: number, issuer: IssuerResponse, device: Device): Step {
  const { held } = device;
  const problem = held === undefined ? "no card waits for an issuer's answer" : issuerProblem(issuer);
  if (held === undefined || problem !== undefined)
    return ended({ n, on: "fault", code: "refused", detail: problem ?? "" });
  const after = forgetting(device);
  const { verdict } = issuer;
  switch (held.via) {
    case "nobody":
      return device.capabilities.display
        ? { ...startAcknowledge(n), device: after }
        : { ...ended({ n, on: "finished", verdict: "read", emv: [] }), device: after };
    case "chip":
      return {
        job: { is: "complete", n, verdict, held, isAccepted: false },
        device: after,
        write: framesOf("continue-transaction", { data: chipData(issuer, held, device) }),
        timers: { answer: COMPLETE_MS },
      };
    case "tap":
      return {
        job: { is: "complete", n, verdict, held, isAccepted: false },
        device: after,
        write: framesOf("continue-contactless", { data: tapData(issuer, device) }),
        timers: { answer: COMPLETE_MS },
      };
  }
}

/**
 * C0: request a TC or an AAC. The contactless reader also learns that the host was unreachable; a chip knows that
 * without C0.
 */
const DECISIONS: Readonly<Record<IssuerResponse["verdict"], number>> = {
  approved: 0x01,
  declined: 0x00,
  "unable-to-go-online": 0x02,
};
const decisionOf = (verdict: IssuerResponse["verdict"]): Tlv => ({
  tag: tags.decision,
  value: Uint8Array.of(DECISIONS[verdict]),
});

/** Longest data worth encoding, in bytes, independent of the device's own limit. */
const MOST_DATA = 4096;

/** Scripts that fit no command of this device are dropped; the card still gets its response code (PROTOCOL.md 7.5). */
function chipData(issuer: IssuerResponse, { repeated }: Held, { options, takesChains }: Device): Uint8Array {
  const { verdict } = issuer;
  const around = (objects: readonly Tlv[]): readonly Tlv[] => [
    ...carriedOn(repeated, options),
    ...objects,
    ...(verdict === "unable-to-go-online" ? [] : [decisionOf(verdict)]),
  ];
  const whole = around(issuerObjects(issuer));
  const size = whole.reduce((bytes, { value }) => bytes + value.length, 0);
  const data = size > MOST_DATA ? undefined : encodeTemplate("E0", whole);
  const most = takesChains ? MOST_DATA : MOST_UNCHAINED_DATA;
  return data !== undefined && data.length <= most
    ? data
    : encodeTemplate("E0", around(issuerObjects({ ...issuer, scripts: [] })));
}

/** The reader accepts only the response code (PROTOCOL.md 7.15). */
function tapData(issuer: IssuerResponse, { options }: Device): Uint8Array {
  const [code] = issuerObjects({ arc: issuer.arc, scripts: [] });
  return encodeTemplate("E0", [...acquirer(options), decisionOf(issuer.verdict), ...(code ? [code] : [])]);
}

export function complete(job: Complete, input: JobInput, device: Device): Step {
  if (input.on === "timer") {
    return input.name === "answer"
      ? lost([job.n], "no-answer", `the card's final answer did not come within ${COMPLETE_MS} ms`)
      : { job };
  }
  switch (input.heard.is) {
    case "leak":
    case "encrypted":
      return { job };
    case "answer":
      return answered(job, input.heard.answer, device);
    case "event":
      return job.held.via === "tap" && input.heard.event.is === "reader"
        ? readerEnded(job, input.heard.event.word, device)
        : { job };
  }
}

/**
 * An answer that does not fit belongs to an earlier command and is dropped. The reader's answer is empty; its result
 * follows unsolicited.
 */
function answered(job: Complete, answer: Answer, device: Device): Step {
  switch (answer.is) {
    case "ok":
      return { job: { ...job, isAccepted: true } };
    case "list":
    case "text":
      return { job };
    case "refused":
      return refused(job, answer.statusWord, device);
    case "template":
      return job.held.via === "chip" ? finished(job, answer.template, answer.objects) : { job };
  }
}

/**
 * 9F22 is not an approval, though the device may mean that the transaction is already over. A pulled card has not
 * approved (PROTOCOL.md 7.5).
 */
function refused(job: Complete, statusWord: string, device: Device): Step {
  const { n, held } = job;
  if (statusWord === "9F23" && held.via === "chip") return ended({ n, on: "finished", verdict: "declined", emv: [] });
  const detail = `${held.via === "chip" ? "CONTINUE TRANSACTION" : "CONTINUE CONTACTLESS"} ended with ${statusText(statusWord)}`;
  // Sent at once: the card's decision can no longer become known, and a reset may outlast the completion's time limit.
  return { ...startReset(device, []), notices: [{ n, on: "fault", code: faultOf(statusWord), detail }] };
}

/** A bare end before the answer to CONTINUE is the late end of the tap; E3 and E5 can only come from the card. */
function readerEnded(job: Complete, word: ReaderWord, device: Device): Step {
  if (word.is === "template") return finished(job, word.template, word.objects);
  if (!job.isAccepted || word.is === "left") return { job };
  // A bare end with status 9000 acknowledges.
  return word.statusWord === OK
    ? ended({ n: job.n, on: "finished", verdict: "read", emv: [] })
    : refused(job, word.statusWord, device);
}

function finished(job: Complete, template: Template, objects: readonly Tlv[]): Step {
  switch (template) {
    case "E3":
      return ended(approvedBy(job, leavesOf(objects)));
    case "E5":
      if (isOfAnother(leavesOf(objects), job.held)) return { job };
      return ended(declinedBy(job, leavesOf(objects)));
    case "E0":
    case "E1":
    case "E2":
    case "E4":
    case "E6":
    case "E7":
    case "E8":
    case "6F":
      return { job };
  }
}
