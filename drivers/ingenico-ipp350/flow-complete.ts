import type { Notice } from "../../src/card/notice.ts";
import { issuerProblem } from "../../src/card/request-problem.ts";
import { finalAnswerProblem } from "../../src/emv/answer-problem.ts";
import { issuerObjects } from "../../src/emv/issuer-objects.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { clearable } from "../../src/emv/tags.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { contradictionIn, textOf } from "./card-answer.ts";
import { type EmvMessage, emvBody, own } from "./emv-message.ts";
import { type Device, ended, fault, type Job, type JobInput, lost, type Step } from "./flow.ts";
import { isRemoved } from "./flow-running.ts";
import { startAcknowledge } from "./flow-single.ts";
import { startStop } from "./flow-stop.ts";
import { encodeFrame } from "./frame.ts";
import type { Heard } from "./message.ts";
import { leakHeard } from "./sealed.ts";
import { COMPLETE_MS } from "./timing.ts";

type Complete = Extract<Job, { is: "complete" }>;

/** PROTOCOL.md 6.9: hands the issuer's answer to the waiting card. If none waits, the device only acknowledges. */
export function startComplete(n: number, issuer: IssuerResponse, device: Device): Step {
  const { held } = device;
  const problem = held === undefined ? "no card waits for an issuer's answer" : issuerProblem(issuer);
  if (held === undefined || problem !== undefined) return ended(fault(n, "refused", problem ?? ""));
  if (held.via === "nobody") return { ...startAcknowledge(n), device: forgetting(device) };
  return {
    job: { is: "complete", n, verdict: issuer.verdict, held },
    device: forgetting(device),
    write: [encodeFrame(emvBody("04", [], fitting(issuer)))],
    timers: { answer: COMPLETE_MS },
  };
}

/** More than any issuer sends. Scripts beyond it are dropped; the card still gets its response code. */
const MOST_DATA = 2048;

function fitting(issuer: IssuerResponse): readonly Tlv[] {
  const whole = issuerObjects(issuer);
  const fits = whole.reduce((sum, { value }) => sum + value.length, 0) <= MOST_DATA;
  return fits ? whole : issuerObjects({ ...issuer, scripts: [] });
}

/** The driver never repeats 33.04: the card must not process it twice. */
export function complete(job: Complete, input: JobInput, device: Device): Step {
  const { n } = job;
  if (input.on === "timer")
    return input.name === "answer"
      ? lost([n], `the card's final answer did not come within ${COMPLETE_MS} ms`)
      : { job };
  const leak = leakHeard(input.heard) ?? job.leak;
  const step = said(job, input.heard, device);
  if (leak === undefined) return step;
  if (step.job.is === "complete") return { ...step, job: { ...step.job, leak } };
  // The verdict is sent first: after a leak the device accepts no further notices for its commands (PROTOCOL.md 7.5).
  return { ...step, notices: [...(step.notices ?? []), fault(0, "clear-card-data", leak)] };
}

function said(job: Complete, heard: Heard, device: Device): Step {
  const { n } = job;
  if (heard.is === "damaged") return failed(device, fault(n, "protocol", "an EMV message that cannot be read"));
  if (heard.is !== "emv") return { job };
  if (heard.step === "04" && heard.status !== "00")
    return failed(device, fault(n, "device-error", `33.04 was refused: status ${heard.status}`));
  return heard.step === "05" ? answered(job, heard, device) : { job };
}

/** Sent at once: the device's return to idle is not part of the completion's time. */
function failed(device: Device, notice: Notice): Step {
  return { ...startStop(device, []), notices: [notice] };
}

const TC = 0x40;
const AAC = 0x00;

/** The verdict needs both the card's cryptogram and the device's confirmation (PROTOCOL.md 6.9). */
function answered(job: Complete, { status, objects }: EmvMessage, device: Device): Step {
  const { n, held } = job;
  const contradiction = contradictionIn(objects, held.via === "tap" ? "contactless-chip" : "chip");
  if (contradiction !== undefined) return failed(device, fault(n, "protocol", contradiction));
  const word = textOf(objects, own.confirmation);
  if (held.via === "tap") return tapAnswered(job, word, status, objects, device);
  const [information] = findTag(objects, "9F27") ?? [];
  const cryptogram = information === undefined ? undefined : information & 0xc0;
  if (cryptogram === TC && word === "A") return approved(job, status, objects, device);
  if ((cryptogram === AAC || cryptogram === TC) && word === "D") return finished(n, "declined", objects);
  if (cryptogram === undefined && (isRemoved(textOf(objects, own.errorCode)) || word === "D"))
    return finished(n, "declined", objects);
  const code =
    information === undefined ? "no 9F27" : `9F27 ${information.toString(16).toUpperCase().padStart(2, "0")}`;
  return failed(
    device,
    fault(
      n,
      "protocol",
      `the card's final answer decides nothing: ${code}, 1003 ${word.replace(/[^A-Z]/g, "?").slice(0, 2) || "missing"}`,
    ),
  );
}

function approved({ n, verdict, held }: Complete, status: string, objects: readonly Tlv[], device: Device): Step {
  const problem = doubt(verdict, status, objects, held) ?? finalAnswerProblem(clearable(objects), held);
  return problem === undefined ? finished(n, "approved", objects) : failed(device, fault(n, "protocol", problem));
}

/** Why an approval is not believed, or undefined. */
function doubt(
  verdict: Complete["verdict"],
  status: string,
  objects: readonly Tlv[],
  { atc, amount }: Complete["held"],
): string | undefined {
  if (verdict !== "approved") return "the device says approved although the issuer did not";
  if (status !== "00") return `33.05 says approved with status ${status}`;
  const [counter, told] = [findTag(objects, "9F36"), findTag(objects, "9F02")];
  if (counter !== undefined && atc !== undefined && toHex(counter) !== atc)
    return "the final answer carries another transaction counter (9F36)";
  return told !== undefined && amount !== undefined && toHex(told) !== amount
    ? "the final answer carries another amount (9F02)"
    : undefined;
}

/** A tapped card is gone. If the issuer approved and the reader refuses, the refusal is reported. */
function tapAnswered(
  { n, verdict, held }: Complete,
  word: string,
  status: string,
  objects: readonly Tlv[],
  device: Device,
): Step {
  const [information] = findTag(objects, "9F27") ?? [];
  const isApproval = word === "A" || (word === "C" && verdict === "approved");
  const isDenied = information !== undefined && (information & 0xc0) === AAC;
  const problem = isApproval
    ? (doubt(verdict, status, objects, held) ??
      (isDenied ? "the device says approved, its cryptogram (9F27) does not" : undefined))
    : undefined;
  if (problem !== undefined) return failed(device, fault(n, "protocol", problem));
  return finished(n, verdict === "approved" && !isApproval ? "declined" : "read", objects);
}

function finished(n: number, verdict: Extract<Notice, { on: "finished" }>["verdict"], objects: readonly Tlv[]): Step {
  return ended({ n, on: "finished", verdict, emv: clearable(objects) });
}
