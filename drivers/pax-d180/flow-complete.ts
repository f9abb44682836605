import type { Notice } from "../../src/card/notice.ts";
import { issuerProblem } from "../../src/card/request-problem.ts";
import { issuerObjects } from "../../src/emv/issuer-objects.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { encodeTlvs, type Tlv } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { replyTo } from "./call-backs.ts";
import { approvalProblem, clearOf, declineProblem } from "./card-answer.ts";
import {
  type Ask,
  ask,
  type Complete,
  type Device,
  ended,
  fault,
  type JobInput,
  lost,
  type Outstanding,
  type Step,
} from "./flow.ts";
import { startAcknowledge } from "./flow-single.ts";
import { answers, type Heard, word } from "./message.ts";
import { FINAL_OBJECTS, getObject, setObject, valueIn } from "./objects.ts";
import { AAC, AAC_OF_HOST, TC } from "./outcomes.ts";
import { CONDITIONS, DENIED, ICC_COMMAND, ICC_RESPONSE, OK, plainCode, statusText } from "./status-codes.ts";
import { COMPLETE_MS, COMPLETION_MS, RECEIPT_MS } from "./timing.ts";

/** Result of going online, for the device (PROTOCOL.md 6.5). */
const STATUS: Readonly<Record<IssuerResponse["verdict"], number>> = {
  approved: 0,
  "unable-to-go-online": 1,
  declined: 3,
};

/** More than any issuer sends, in bytes. Scripts beyond it are dropped; the card still gets its response code. */
const MOST_SCRIPTS = 1024;

/** Hands the issuer's answer to the card. The driver never repeats this command. */
export function completing(verdict: IssuerResponse["verdict"], scripts: readonly Tlv[]): Ask {
  const whole = encodeTlvs(scripts);
  const sent = whole.length <= MOST_SCRIPTS ? whole : new Uint8Array(0);
  return {
    name: "complete",
    data: concat(Uint8Array.of(STATUS[verdict]), word(sent.length), sent),
    limitMs: COMPLETE_MS,
  };
}

/**
 * PROTOCOL.md 6.5: completes the waiting chip; without one the device only acknowledges. An `outstanding` command ends
 * first, within the completion's time.
 */
export function startComplete(n: number, issuer: IssuerResponse, device: Device, outstanding?: Outstanding): Step {
  const { held } = device;
  const problem = held === undefined ? "no card waits for an issuer's answer" : issuerProblem(issuer);
  if (held === undefined || problem !== undefined) return ended(fault(n, "refused", problem ?? ""));
  const idle = forgetting(device);
  if (held.via === "nobody") return { ...startAcknowledge(n, device, outstanding), device: idle };
  const { verdict, ...answer } = issuer;
  const objects = issuerObjects(answer);
  const isScript = ({ tag }: Tlv): boolean => tag === "71" || tag === "72";
  const asks = [
    ...objects.filter((one) => !isScript(one)).map(({ tag, value }) => setObject(tag, value)),
    completing(verdict, objects.filter(isScript)),
  ];
  const job: Complete = { is: "complete", n, verdict, held, left: [...(outstanding?.left ?? []), ...asks], emv: [] };
  const step = outstanding?.asked === undefined ? next(job) : { job: { ...job, asked: outstanding.asked } };
  return { ...step, device: idle, timers: { ...step.timers, watchdog: COMPLETION_MS } };
}

function next(job: Complete): Step {
  const [first, ...left] = job.left;
  return first === undefined ? finished(job) : ask({ ...job, left }, first);
}

export function complete(job: Complete, input: JobInput): Step {
  if (input.on === "timer") return overdue(job, input.name);
  const { heard } = input;
  if (heard.is === "call-back") return { job, write: [replyTo(heard.sub, heard.data, job.held.amount, false).write] };
  const { asked } = job;
  if (asked === undefined || !answers(asked.name, heard)) return { job };
  if (asked.name === "complete") return answered(job, heard);
  const value = asked.tag !== undefined && heard.rc === OK ? valueIn(heard.data) : undefined;
  return next(
    asked.tag === undefined || value === undefined ? job : { ...job, emv: [...job.emv, { tag: asked.tag, value }] },
  );
}

/** The card's verdict stands even if its receipt data is incomplete. */
function overdue(job: Complete, name: string): Step {
  if (name !== "answer" && name !== "watchdog") return { job };
  const detail = `no answer to ${job.asked?.name ?? "the completion"}`;
  if (job.said === undefined) return lost([job.n], "no-answer", detail);
  return { ...finished(job), link: "reopen" };
}

function answered(job: Complete, { rc, data }: Extract<Heard, { is: "answer" }>): Step {
  const word = wordOf(rc, data[0]);
  switch (word) {
    case undefined:
      return ended(
        fault(
          job.n,
          "device-error",
          `the completion ended with result ${statusText(rc)} and cryptogram ${data[0] ?? "none"}`,
        ),
      );
    case "declined":
      return next({ ...job, said: word, left: receipt });
    case "approved":
      if (job.verdict !== "approved")
        return ended(fault(job.n, "protocol", "the device says approved although the issuer did not"));
      return next({ ...job, said: word, left: receipt });
  }
}

/** Each receipt query ends before the line layer gives up, so the card's verdict survives a silent device. */
const receipt: readonly Ask[] = FINAL_OBJECTS.map((tag) => ({ ...getObject(tag), limitMs: RECEIPT_MS }));

/**
 * The card's verdict from return code and cryptogram type; undefined if they are missing or contradict each other
 * (PROTOCOL.md 6.5).
 */
function wordOf(rc: number, cryptogram: number | undefined): Complete["said"] {
  const code = plainCode(rc);
  if (code === OK && cryptogram === TC) return "approved";
  if (code === OK) return cryptogram === AAC || cryptogram === AAC_OF_HOST ? "declined" : undefined;
  return NOT_APPROVED.includes(code) && cryptogram !== TC ? "declined" : undefined;
}

/** Codes without an approval: denied, removed card, card error, or a refused second GENERATE AC. */
const NOT_APPROVED: readonly number[] = [DENIED, ICC_COMMAND, ICC_RESPONSE, CONDITIONS];

function finished({ n, said, held, emv }: Complete): Step {
  const clear = clearOf(emv.map((object) => ({ ...object, isSealed: false })));
  if (said === undefined) return ended(fault(n, "protocol", "the completion ended without the card's word"));
  const problem = said === "approved" ? approvalProblem(clear, held) : declineProblem(clear);
  const notice: Notice =
    problem === undefined ? { n, on: "finished", verdict: said, emv: clear } : fault(n, "protocol", problem);
  return ended(notice);
}
