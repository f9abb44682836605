import type { Notice } from "../../src/card/notice.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import {
  type Answer,
  ask,
  type Device,
  ended,
  fault,
  type Identify,
  isFor,
  type JobInput,
  lost,
  type Step,
} from "./flow.ts";
import {
  clockIn,
  type Found,
  type FoundName,
  identityOf,
  keysOf,
  maskingIn,
  NOT_SET,
  printable,
  problemOf,
  properties,
} from "./identity.ts";
import { refusal } from "./issuer-answer.ts";
import { capabilitiesOf } from "./members.ts";
import { extendedCommand, plainCommand } from "./message.ts";
import { faultOf, isDone, results, statusText } from "./status-codes.ts";
import { ANSWER_MS, CANCEL_AGAIN_MS, CANCEL_TRIES, IDENTIFY_MS } from "./timing.ts";

/** One question of the identification (PROTOCOL.md 7.1). */
interface Question {
  readonly name: string;
  readonly packets: readonly Uint8Array[];
  readonly read: (answer: Answer) => Partial<Found>;
  /** Asked over USB only. */
  readonly usbOnly?: true;
}

const nothing = (): Partial<Found> => ({});

function told(name: FoundName): Question["read"] {
  return (answer) => (isDone(answer) ? { [name]: answer.data } : {});
}

const property = (name: keyof typeof properties): Question => ({
  name: `property ${name}`,
  packets: [plainCommand("get-property", Uint8Array.of(properties[name]))],
  read: told(name),
});

const SERIAL_NUMBER = property("serialNumber");
const CANCEL: Question = { name: "cancel", packets: extendedCommand("cancel"), read: nothing };
const USB = 0x00;

/**
 * Questions in this order: the required serial number first, also needed to refuse an earlier card. Then the running
 * work is ended.
 */
const questions: readonly Question[] = [
  SERIAL_NUMBER,
  CANCEL,
  ...(["firmware", "mask", "variant", "format"] as const).map(property),
  { name: "security level", packets: [plainCommand("get-level")], read: told("level") },
  {
    name: "key serial number",
    packets: [plainCommand("get-ksn")],
    read: (answer) =>
      isDone(answer) ? { ksn: answer.data } : faultOf(answer) === "keys-missing" ? { lacksKeys: true } : {},
  },
  { name: "output", packets: [plainCommand("set-output", Uint8Array.of(USB))], read: nothing, usbOnly: true },
  { name: "clock", packets: extendedCommand("read-clock"), read: readClock },
];

function readClock(answer: Answer): Partial<Found> {
  if (answer.result === results.clockNotSet) return { clock: NOT_SET };
  const clock = isDone(answer) ? clockIn(answer.data) : undefined;
  return clock === undefined ? {} : { clock };
}

export function startIdentify(n: number, before: Device): Step {
  const { hasKeys: _asked, ...device } = forgetting(before);
  const job: Identify = {
    is: "identify",
    n,
    step: 0,
    at: "asking",
    refusalsLeft: CANCEL_TRIES,
    sending: { ref: 0, rest: [] },
    found: {},
  };
  const first = askFrom(job, device);
  return { ...first, timers: { ...first.timers, watchdog: IDENTIFY_MS } };
}

function askFrom(job: Identify, device: Device): Step {
  const question = questions[job.step];
  if (question === undefined) return identified(job, device);
  if (question.usbOnly && !device.isUsb) return askFrom({ ...job, step: job.step + 1 }, device);
  return send({ ...job, at: "asking" }, question.packets, device);
}

function send(job: Identify, packets: readonly Uint8Array[], device: Device): Step {
  const asking = ask(device, ...packets);
  return {
    job: { ...job, sending: asking.sending },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

export function identify(job: Identify, input: JobInput, device: Device): Step {
  const question = questions[job.step];
  if (question === undefined) return identified(job, device);
  if (input.on === "timer") {
    if (input.name === "watchdog")
      return lost(job, "no-answer", `it was not identified within ${IDENTIFY_MS} ms (${question.name})`);
    return job.at === "pausing"
      ? send({ ...job, at: "asking" }, CANCEL.packets, device)
      : lost(job, "no-answer", `no answer to ${question.name}`);
  }
  const { heard } = input;
  if ((heard.is !== "answer" && heard.is !== "pending") || job.at === "pausing" || !isFor(device, job.sending.ref))
    return { job };
  if (heard.is === "pending") return job.sending.rest.length > 0 ? send(job, job.sending.rest, device) : { job };
  return job.at === "refusing"
    ? { job: { ...job, at: "pausing" }, timers: { answer: CANCEL_AGAIN_MS } }
    : answered(job, question, heard, device);
}

function answered(job: Identify, question: Question, answer: Answer, device: Device): Step {
  const { n, found, refusalsLeft } = job;
  if (question === CANCEL && answer.result === results.inProgress && refusalsLeft > 0) {
    const frame = { serialNumber: found.serialNumber ?? new Uint8Array(0), macKsn: new Uint8Array(0) };
    return send({ ...job, at: "refusing", refusalsLeft: refusalsLeft - 1 }, refusal(frame), device);
  }
  const next = { ...found, ...question.read(answer) };
  if (question === SERIAL_NUMBER && printable(next.serialNumber) === "")
    return ended(fault(n, "device-error", `it does not tell its serial number: ${statusText(answer)}`));
  return askFrom({ ...job, step: job.step + 1, found: next }, device);
}

function identified({ n, found }: Identify, device: Device): Step {
  const [problem, keys] = [problemOf(found), keysOf(found)];
  const known: Device = {
    ...device,
    masking: maskingIn(found),
    ...(keys.sred !== undefined && { hasKeys: keys.sred }),
  };
  if (problem !== undefined) return { ...ended(fault(n, problem.code, problem.detail)), device: known };
  const { member } = device;
  return {
    ...ended(
      { n, on: "ready", identity: identityOf(found, member), keys, capabilities: capabilitiesOf(member) },
      ...slotOf(known),
    ),
    device: known,
  };
}

/** The slot state. The device reports only changes (PROTOCOL.md 5.1). */
function slotOf({ member, slot }: Device): readonly Notice[] {
  if (!member.interfaces.includes("chip")) return [{ n: 0, on: "slot-untold" }];
  return slot === undefined ? [] : [{ n: 0, on: "slot", card: slot }];
}
