import type { Notice } from "../../src/card/notice.ts";
import { printable } from "../../src/kit/printable.ts";
import { type Device, ended, fault, type Job, type JobInput, lost, type Step } from "./flow.ts";
import { type Found, identityOf, isKeyValid, modulesIn, nothingFound, serialIn } from "./identity.ts";
import { memberOf, modelIn } from "./members.ts";
import { answers, type CommandName, frameOf } from "./message.ts";
import { KEY_MISSING, KEY_USED_UP, OK, statusText, TAMPER } from "./status-codes.ts";
import { QUERY_MS, TRIES } from "./timing.ts";

type Identify = Extract<Job, { is: "identify" }>;

interface Question {
  readonly ask: CommandName;
  readonly data?: Uint8Array;
  /** Identification fails without this answer. */
  readonly isNeeded?: true;
  readonly read: (found: Found, data: Uint8Array) => Found;
}

/** 81-0B: key number, then slot 0 (PROTOCOL.md 3.4). */
const PIN_KEY = Uint8Array.of(0x01, 0x00, 0x00);
const DATA_KEY = Uint8Array.of(0x02, 0x00, 0x00);
const ON_DEMAND = Uint8Array.of(0x01);
const CARD_SEATED = Uint8Array.of(0x01);

const firmware: Question = {
  ask: "firmware",
  isNeeded: true,
  read: (found, data) => ({ ...found, firmware: printable(data).trim() }),
};
const pinKey: Question = {
  ask: "key-state",
  data: PIN_KEY,
  read: (found, data) => ({ ...found, keys: { ...found.keys, pin: isKeyValid(data) } }),
};
const serial: Question = {
  ask: "serial",
  isNeeded: true,
  read: (found, data) => ({ ...found, serialNumber: serialIn(data) }),
};
const poll: Question = { ask: "poll-on-demand", data: ON_DEMAND, read: (found) => found };
const dataKey: Question = {
  ask: "key-state",
  data: DATA_KEY,
  read: (found, data) => ({ ...found, keys: { ...found.keys, sred: isKeyValid(data) } }),
};
const modules: Question = { ask: "modules", read: (found, data) => ({ ...found, modules: modulesIn(data) }) };
const switches: Question = {
  ask: "switch-notices",
  data: CARD_SEATED,
  read: (found) => ({ ...found, tellsSlot: true }),
};

/**
 * Questions in this order (PROTOCOL.md 6.1). Answers carry no sub command: two neighbouring questions of one command
 * could not be told apart.
 */
function questionsFor({ firmware: text = "" }: Found): readonly Question[] {
  const { onlinePin, interfaces } = memberOf(modelIn(text)).capabilities;
  return [
    firmware,
    ...(onlinePin ? [pinKey] : []),
    serial,
    poll,
    dataKey,
    modules,
    ...(interfaces.includes("chip") ? [switches] : []),
  ];
}

/** Runs after the device was cancelled and has answered a ping. */
export function startIdentify(n: number, device: Device): Step {
  return askFrom({ is: "identify", n, step: 0, triesLeft: 0, found: nothingFound }, device);
}

/** Sends the current question, or ends with the identity after the last one. */
function askFrom(job: Identify, device: Device): Step {
  const question = questionsFor(job.found)[job.step];
  if (question === undefined) return identified(job, device);
  return {
    job: { ...job, triesLeft: TRIES - 1 },
    write: [frameOf(question.ask, question.data)],
    timers: { answer: QUERY_MS },
  };
}

function identified({ n, found }: Identify, device: Device): Step {
  const { keys, tellsSlot, serialNumber } = found;
  if (serialNumber === undefined || serialNumber === "") {
    return ended(fault(n, "device-error", "its serial number was never set: have its supplier set it"));
  }
  const identity = identityOf(found);
  const member = memberOf(identity.model);
  const { card, ...rest } = device;
  const known: Device = { ...rest, member, keys, tellsSlot, ...(tellsSlot && card !== undefined && { card }) };
  const ready: Notice = { n, on: "ready", identity, keys, capabilities: member.capabilities };
  return { ...ended(ready, ...slotOf(known)), device: known };
}

/** The slot state. A reader reports only changes, so the state is unknown until the first one (PROTOCOL.md 5.2). */
function slotOf({ tellsSlot, card }: Device): readonly Notice[] {
  if (!tellsSlot) return [{ n: 0, on: "slot-untold" }];
  return card === undefined ? [] : [{ n: 0, on: "slot", card }];
}

export function identify(job: Identify, input: JobInput, device: Device): Step {
  const question = questionsFor(job.found)[job.step];
  if (question === undefined) return identified(job, device);
  if (input.on === "timer") {
    if (job.triesLeft <= 0) return lost([job.n], "no-answer", `no answer to ${question.ask} within ${QUERY_MS} ms`);
    return {
      job: { ...job, triesLeft: job.triesLeft - 1 },
      write: [frameOf(question.ask, question.data)],
      timers: { answer: QUERY_MS },
    };
  }
  const { heard } = input;
  if (heard.is === "restart")
    return lost([job.n], "device-error", `the device restarted while it was identified: ${heard.text}`);
  if (heard.is !== "answer" || !answers(question.ask, heard)) return { job };
  const next = { ...job, step: job.step + 1 };
  if (heard.status === OK) return askFrom({ ...next, found: question.read(job.found, heard.data) }, device);
  return refused(next, question, heard.status, device);
}

/** A refused question is skipped, unless the identity needs it or the status shows that the device is unusable. */
function refused(next: Identify, question: Question, status: number, device: Device): Step {
  const { n, found } = next;
  if (status === TAMPER)
    return askFrom({ ...next, found: { ...found, keys: { ...found.keys, tampered: true } } }, device);
  if (question.ask === "key-state" && (status === KEY_MISSING || status === KEY_USED_UP)) {
    return askFrom({ ...next, found: question.read(found, new Uint8Array(0)) }, device);
  }
  if (question.ask === "serial") return askFrom({ ...next, found: { ...found, serialNumber: "" } }, device);
  if (question.isNeeded) return ended(fault(n, "device-error", `${question.ask} was refused: ${statusText(status)}`));
  return askFrom(next, device);
}
