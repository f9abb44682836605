import type { Tlv } from "../../src/emv/tlv.ts";
import { ended, lost } from "../vipa/flow.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { leakIn, maskedTyped, readTyped } from "./card-answer.ts";
import { type Collect, type Device, framesOf, type Keying, prompted, type Step } from "./flow.ts";
import { secondsOf } from "./flow-start.ts";
import { startReset } from "./flow-stop.ts";
import { type Answer, tags } from "./message.ts";
import { statusText } from "./status-codes.ts";
import { QUERY_MS } from "./timing.ts";

/*
 * GET SECURE DATA (PROTOCOL.md 7.13): the device takes number and expiry on its keypad, encrypts them and shows us the
 * masked form.
 */

/** DFA210: the number, and the expiry as month and year. */
const NUMBER = 0x01;
const EXPIRY = 0x05;

/** P1 of each step, and the element to type. A step without an element is answered at once. */
const STEPS = [
  { p1: 0x00 },
  { p1: 0x01, element: NUMBER },
  { p1: 0x01, element: EXPIRY },
  { p1: 0x02 },
] as const satisfies readonly {
  readonly p1: number;
  readonly element?: number;
}[];

export function startKeyed(job: Collect): Step {
  const told = prompted(job, "ENTER_CARD_NUMBER");
  return { ...told, ...ask(told.job, { at: "keying", step: 0 }) };
}

function ask(job: Collect, phase: Keying): Step {
  const step: { readonly p1: number; readonly element?: number } | undefined = STEPS[phase.step];
  if (step === undefined) return { job };
  const { p1, element } = step;
  const objects: readonly Tlv[] =
    element === undefined
      ? []
      : [
          { tag: tags.secureElement, value: Uint8Array.of(element) },
          { tag: tags.seconds, value: secondsOf(job.request.cardMs) },
        ];
  return {
    job: { ...job, phase },
    write: framesOf("secure-data", { p1, ...(objects.length > 0 && { data: encodeTemplate("E0", objects) }) }),
    timers: { answer: element === undefined ? QUERY_MS : "clear" },
  };
}

export function keyedOverdue({ n }: Collect): Step {
  return lost([n], "no-answer", `no answer to GET SECURE DATA within ${QUERY_MS} ms`);
}

/** The last step's answer carries the encrypted number; earlier answers are empty or show the typed digits. */
export function keyed(job: Collect, phase: Keying, answer: Answer, device: Device): Step {
  switch (answer.is) {
    case "other":
      return { job };
    case "refused":
      return refused(job, answer.statusWord);
    case "ok":
      return phase.step === STEPS.length - 1 ? { job } : ask(job, { ...phase, step: phase.step + 1 });
    case "template":
      return answer.template === "E1" ? typed(job, phase, answer.objects, device) : { job };
  }
}

function typed(job: Collect, phase: Keying, objects: readonly Tlv[], device: Device): Step {
  const { n, request } = job;
  const leak = leakIn(objects);
  if (leak !== undefined) return startReset([{ n, on: "fault", code: "clear-card-data", detail: leak }]);
  const masked = maskedTyped(objects) ?? phase.masked;
  if (phase.step < STEPS.length - 1) return ask(job, { at: "keying", step: phase.step + 1, ...(masked && { masked }) });
  const card = readTyped(objects, masked);
  if (card === undefined) return { job };
  const step = ended({ n, on: "card", card });
  return request.transactionType === "20" ? step : { ...step, device: { ...device, held: { via: "nobody" } } };
}

function refused({ n }: Collect, statusWord: string): Step {
  switch (statusWord) {
    case "9F41":
      return ended({ n, on: "cancelled", by: "customer" });
    case "9F42":
      return ended({ n, on: "no-card", why: "timeout" });
    default:
      return startReset([
        { n, on: "fault", code: "device-error", detail: `GET SECURE DATA ended with ${statusText(statusWord)}` },
      ]);
  }
}
