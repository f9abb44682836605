import { USUAL_MASKING } from "../../src/card/dynapro-masked.ts";
import type { Notice } from "../../src/card/notice.ts";
import {
  ask,
  type Device,
  ended,
  fault,
  type Identify,
  isFor,
  type JobInput,
  lost,
  type Response,
  type Step,
} from "./flow.ts";
import {
  identityOf,
  keysOf,
  maskingIn,
  memberIn,
  type PropertyName,
  problemOf,
  properties,
  tellsSlot,
  warnsMs,
} from "./identity.ts";
import { capabilitiesOf } from "./members.ts";
import type { CommandName } from "./message.ts";
import { askFor, payloadFor, propertiesIn } from "./properties.ts";
import { details, isSuccess, statusText } from "./status-codes.ts";
import { ANSWER_MS, CANCEL_AGAIN_MS, CANCEL_TRIES, IDENTIFY_MS, TRIES } from "./timing.ts";

/** One question of the identification (PROTOCOL.md 7.1). */
type Question =
  | { readonly do: "cancel" | "subscribe" }
  | { readonly do: "get"; readonly property: PropertyName }
  /** Set only if the device reports another value. */
  | { readonly do: "set"; readonly property: PropertyName; readonly value: number };

const get = (property: PropertyName): Question => ({ do: "get", property });

/**
 * Questions in this order: running work ends first. `resetSeen` stops repeated restart notices before the subscription,
 * so a later notice is a new restart.
 */
const questions: readonly Question[] = [
  { do: "cancel" },
  ...(["serialNumber", "model", "firmware", "state", "problems", "tampered", "locked"] as const).map(get),
  ...(["dataKey", "pinKey", "pinKeyAes", "keys", "leading", "trailing", "arpcTimeout", "arpcTries"] as const).map(get),
  ...(["userEvents", "warning", "contactConfiguration", "entryPoint", "arqcTags", "fallback"] as const).map(get),
  { do: "set", property: "fallback", value: 0x00 },
  { do: "set", property: "resetSeen", value: 0x01 },
  { do: "subscribe" },
];

interface Inquiry {
  readonly question: Question;
  readonly name: CommandName;
  readonly payload: Uint8Array;
}

const inquiries = questions.map(withCommand);

function withCommand(question: Question): Inquiry {
  switch (question.do) {
    case "cancel":
    case "subscribe":
      return { question, name: question.do, payload: new Uint8Array(0) };
    case "get":
      return { question, name: "get-property", payload: askFor(properties[question.property]) };
    case "set":
      return {
        question,
        name: "set-property",
        payload: payloadFor(properties[question.property], Uint8Array.of(question.value)),
      };
  }
}

export function startIdentify(n: number, { ref, slot, owesBatch }: Device): Step {
  const device: Device = { ref, owesBatch, ...(slot !== undefined && { slot }), ...freshFacts };
  const first = askFrom(
    { is: "identify", n, step: 0, triesLeft: 0, refusalsLeft: CANCEL_TRIES, ref, found: {} },
    device,
  );
  return { ...first, timers: { ...first.timers, watchdog: IDENTIFY_MS } };
}

/** Defaults for facts that only identification reveals. */
const freshFacts = { member: memberIn({}), masking: USUAL_MASKING, tellsSlot: false, warnsMs: 180_000 };

function askFrom(job: Identify, device: Device): Step {
  const inquiry = inquiries[job.step];
  if (inquiry === undefined) return identified(job, device);
  const { question } = inquiry;
  if (question.do === "set" && isSoAlready(job, question)) return askFrom({ ...job, step: job.step + 1 }, device);
  return send({ ...job, triesLeft: TRIES }, inquiry, device);
}

/** A property is written only if it differs, because its memory wears out (PROTOCOL.md 7.1). */
function isSoAlready({ found }: Identify, { property, value }: Extract<Question, { do: "set" }>): boolean {
  if (property === "resetSeen") return false;
  return found[property] === undefined || found[property][0] === value;
}

function send(job: Identify, { name, payload }: Inquiry, device: Device): Step {
  const asking = ask(device, name, payload);
  return {
    job: { ...job, triesLeft: job.triesLeft - 1, ref: asking.ref },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

export function identify(job: Identify, input: JobInput, device: Device): Step {
  const inquiry = inquiries[job.step];
  if (inquiry === undefined) return identified(job, device);
  const { question, name } = inquiry;
  switch (input.on) {
    case "timer":
      if (input.name === "watchdog")
        return lost(job, "no-answer", `it was not identified within ${IDENTIFY_MS} ms (${nameOf(question)})`);
      return job.triesLeft > 0
        ? send(job, inquiry, device)
        : lost(job, "no-answer", `no answer to ${nameOf(question)} within ${ANSWER_MS} ms`);
    case "heard": {
      const { heard } = input;
      if (heard.is === "too-long") return lost(job, "device-error", "the device holds no message as long as ours");
      return heard.is === "response" && isFor(heard, name, job.ref) ? answered(job, question, heard, device) : { job };
    }
  }
}

function nameOf(question: Question): string {
  return question.do === "get" || question.do === "set"
    ? `${question.do} ${properties[question.property]}`
    : question.do;
}

function answered(job: Identify, question: Question, response: Response, device: Device): Step {
  const next = (found = job.found): Step => askFrom({ ...job, step: job.step + 1, found }, device);
  if (question.do === "cancel" && response.detail === details.cannotCancel && job.refusalsLeft > 0) {
    return {
      job: { ...job, refusalsLeft: job.refusalsLeft - 1, triesLeft: TRIES },
      timers: { answer: CANCEL_AGAIN_MS },
    };
  }
  if (question.do !== "get") return next();
  const told = isSuccess(response)
    ? propertiesIn(response.payload).find(({ path }) => path === properties[question.property])
    : undefined;
  if (told !== undefined) return next({ ...job.found, [question.property]: told.value });
  if (question.property !== "serialNumber") return next();
  return ended(fault(job.n, "device-error", `it does not tell its serial number: ${statusText(response)}`));
}

function identified({ n, found }: Identify, device: Device): Step {
  const [problem, keys, member] = [problemOf(found), keysOf(found), memberIn(found)];
  const known = {
    ...device,
    member,
    keys,
    masking: maskingIn(found, USUAL_MASKING),
    tellsSlot: tellsSlot(found),
    warnsMs: warnsMs(found, device.warnsMs),
  };
  if (problem !== undefined) return { ...ended(fault(n, problem.code, problem.detail)), device: known };
  return {
    ...ended(
      { n, on: "ready", identity: identityOf(found), keys, capabilities: capabilitiesOf(member) },
      ...slotOf(known),
    ),
    device: known,
  };
}

/** The slot state. A device reports only changes, so it is unknown until the first one (PROTOCOL.md 5.3). */
function slotOf({ tellsSlot, slot }: Device): readonly Notice[] {
  if (!tellsSlot) return [{ n: 0, on: "slot-untold" }];
  return slot === undefined ? [] : [{ n: 0, on: "slot", card: slot }];
}
