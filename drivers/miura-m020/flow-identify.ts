import { ended, lost } from "../vipa/flow.ts";
import type { CommandName } from "./apdu.ts";
import { type Device, framesOf, type Job, type JobInput, type Step } from "./flow.ts";
import {
  type Found,
  identityOf,
  nothingFound,
  readClock,
  readConfiguration,
  readInfo,
  readKeys,
  readSoftware,
} from "./identity.ts";
import { capabilitiesOf } from "./members.ts";
import type { Answer } from "./message.ts";
import { statusText } from "./status-codes.ts";
import { CONFIGURATION_MS, QUERY_MS, RESET_MS, RESET_TRIES, TRIES } from "./timing.ts";

interface Question {
  readonly ask: CommandName;
  readonly limitMs: number;
  readonly tries: number;
  readonly read: (found: Found, answer: Answer) => Found | undefined;
}

/** Questions in this order (PROTOCOL.md 7.1): RESET comes first, because it ends any running work. */
const questions: readonly Question[] = [
  { ask: "reset", limitMs: RESET_MS, tries: RESET_TRIES, read: readSoftware },
  { ask: "p2pe-status", limitMs: QUERY_MS, tries: TRIES, read: readKeys },
  { ask: "clock", limitMs: QUERY_MS, tries: TRIES, read: readClock },
  { ask: "configuration", limitMs: CONFIGURATION_MS, tries: TRIES, read: readConfiguration },
  { ask: "device-info", limitMs: QUERY_MS, tries: TRIES, read: readInfo },
];

type Identify = Extract<Job, { is: "identify" }>;

export function startIdentify(n: number, device: Device): Step {
  const { capabilities, slot } = device;
  return askFrom(
    { is: "identify", n, step: 0, triesLeft: 0, found: nothingFound },
    { capabilities, extended: false, ...(slot && { slot }) },
  );
}

/** Sends the current question, or ends with the identity after the last one. */
function askFrom(job: Identify, device: Device): Step {
  const question = questions[job.step];
  if (question === undefined) return identified(job, device);
  return {
    job: { ...job, triesLeft: question.tries - 1 },
    device,
    write: framesOf(question.ask),
    timers: { answer: question.limitMs },
  };
}

function identified({ n, found }: Identify, device: Device): Step {
  const keys = found.keys ?? { pin: false, sred: false, tampered: false };
  const identity = identityOf(found);
  const capabilities = capabilitiesOf(identity.model);
  return {
    ...ended({ n, on: "ready", identity, keys, capabilities }),
    device: { ...device, capabilities, extended: found.extended, keys },
  };
}

export function identify(job: Identify, input: JobInput, device: Device): Step {
  const question = questions[job.step];
  if (question === undefined) return identified(job, device);
  if (input.on === "heard")
    return input.heard.is === "answer" ? answered(job, question, input.heard.answer, device) : { job };
  return job.triesLeft > 0
    ? askAgain(job, question)
    : lost([job.n], "no-answer", `no answer to ${question.ask} within ${question.limitMs} ms`);
}

function answered(job: Identify, question: Question, answer: Answer, device: Device): Step {
  if (answer.is === "refused") return refused(job, question, answer.statusWord, device);
  const found = question.read(job.found, answer);
  return found === undefined ? { job } : askFrom({ ...job, step: job.step + 1, found }, device);
}

function askAgain(job: Identify, question: Question): Step {
  return {
    job: { ...job, triesLeft: job.triesLeft - 1 },
    write: framesOf(question.ask),
    timers: { answer: question.limitMs },
  };
}

/**
 * RESET must succeed, but its error may be a late answer of the previous session. Other refused questions are skipped.
 */
function refused(job: Identify, question: Question, statusWord: string, device: Device): Step {
  if (question.ask !== "reset") return askFrom({ ...job, step: job.step + 1 }, device);
  if (job.triesLeft > 0) return askAgain(job, question);
  return ended({ n: job.n, on: "fault", code: "device-error", detail: `RESET was refused: ${statusText(statusWord)}` });
}
