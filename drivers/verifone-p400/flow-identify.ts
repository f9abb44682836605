import type { Notice } from "../../src/card/notice.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import type { Apdu } from "../vipa/apdu.ts";
import { ended, lost } from "../vipa/flow.ts";
import { type CommandName, commandApdu } from "./apdu.ts";
import { type Device, type Identify, type JobInput, packetsOf, type Step } from "./flow.ts";
import {
  capabilitiesIn,
  type Found,
  identityOf,
  keysOf,
  nothingFound,
  readClock,
  readConfiguration,
  readPinKey,
  readReader,
  readReset,
  readSredKey,
  secondsToRestart,
  takesChains,
} from "./identity.ts";
import type { Answer } from "./message.ts";
import type { Options } from "./options.ts";
import { statusText } from "./status-codes.ts";
import { ABORT_MS, GREETING_MS, QUERY_MS, RESET_MS, RESET_TRIES, RESTART_NOTICE_MS, TRIES } from "./timing.ts";

interface Question {
  readonly name: CommandName;
  readonly ask: (options: Options) => Apdu;
  readonly limitMs: number;
  readonly tries: number;
  readonly read: (found: Found, answer: Answer) => Found | undefined;
  /** The fact that a refusal shows; without it a refusal shows nothing. */
  readonly refused?: (found: Found, statusWord: string) => Found;
  /** A refusal may be a late answer of the previous session, so the question is repeated. */
  readonly isFirst?: true;
  /** Identification fails without this answer; other questions may be skipped. */
  readonly isNeeded?: true;
  /** Asked only under this condition. */
  readonly when?: (found: Found) => boolean;
}

const plain = (name: CommandName): Pick<Question, "name" | "ask"> => ({ name, ask: () => commandApdu(name) });
const keyOf = (slot: (options: Options) => number): Pick<Question, "name" | "ask"> => ({
  name: "key-status",
  ask: (options) => commandApdu("key-status", { p1: options.pinHost, p2: slot(options) }),
});

const NO_KEYS = "9F19";
const done = (found: Found, answer: Answer): Found | undefined => (answer.is === "ok" ? found : undefined);

/**
 * Questions in this order (PROTOCOL.md 7.1). ABORT and RESET end any running work. Their refusal may be a late answer
 * of the previous session.
 */
const questions: readonly Question[] = [
  { ...plain("abort"), limitMs: ABORT_MS, tries: TRIES, read: done, isFirst: true },
  { ...plain("reset"), limitMs: RESET_MS, tries: RESET_TRIES, read: readReset, isFirst: true, isNeeded: true },
  { ...plain("contactless-status"), limitMs: QUERY_MS, tries: TRIES, read: readReader },
  { ...plain("open-reader"), limitMs: QUERY_MS, tries: TRIES, read: done, when: ({ hasReader }) => hasReader },
  {
    ...keyOf(({ pinSlot }) => pinSlot),
    limitMs: QUERY_MS,
    tries: TRIES,
    read: readPinKey,
    refused: (found, statusWord) => (statusWord === NO_KEYS ? { ...found, pinKey: false } : found),
  },
  { ...keyOf(({ sredSlot }) => sredSlot), limitMs: QUERY_MS, tries: TRIES, read: readSredKey },
  { ...plain("clock"), limitMs: QUERY_MS, tries: TRIES, read: readClock },
  { ...plain("configuration"), limitMs: QUERY_MS, tries: TRIES, read: readConfiguration },
];

export function startIdentify(n: number, device: Device): Step {
  const job: Identify = { is: "identify", n, step: 0, triesLeft: 0, isHeard: false, found: nothingFound };
  const step = askFrom(job, { ...forgetting(device), isReaderOpen: false, mayGreet: true });
  return { ...step, timers: { ...step.timers, greeting: GREETING_MS } };
}

/** Sends the current question, or the next applicable one, or ends with the identity after the last one. */
function askFrom(job: Identify, device: Device): Step {
  const question = questions[job.step];
  if (question === undefined) return identified(job, device);
  if (question.when?.(job.found) === false) return askFrom({ ...job, step: job.step + 1 }, device);
  return { ...ask({ ...job, triesLeft: question.tries, isHeard: false }, question, device), device };
}

function ask(job: Identify, { ask: apduOf, limitMs }: Question, { options }: Device): Step {
  return {
    job: { ...job, triesLeft: job.triesLeft - 1 },
    write: packetsOf(apduOf(options)),
    timers: { answer: limitMs },
  };
}

function identified({ n, found }: Identify, device: Device): Step {
  const keys = keysOf(found);
  const capabilities = capabilitiesIn(found);
  const { notices, daily } = restartTold(secondsToRestart(found));
  const step = ended({ n, on: "ready", identity: identityOf(found), keys, capabilities }, ...notices);
  return {
    ...step,
    device: {
      ...device,
      isIdentified: true,
      takesChains: takesChains(found),
      capabilities,
      keys,
      isReaderOpen: found.hasReader,
    },
    timers: { ...step.timers, daily },
  };
}

const DAY_MS = 86_400_000;
const restartSoon = (inMs: number): Notice => ({ n: 0, on: "restart-soon", inMs });

/** The restart notice to send now, and the time of the next one. */
function restartTold(seconds: number | undefined): {
  readonly notices: readonly Notice[];
  readonly daily: number | "clear";
} {
  if (seconds === undefined) return { notices: [], daily: "clear" };
  const leftMs = seconds * 1000 - RESTART_NOTICE_MS;
  return leftMs > 0
    ? { notices: [], daily: leftMs }
    : { notices: [restartSoon(seconds * 1000)], daily: leftMs + DAY_MS };
}

/** PROTOCOL.md 7.17: the daily restart is near. The timer runs again for tomorrow, in case the device skipped it. */
export const dailyRestart: Pick<Step, "notices" | "timers"> = {
  notices: [restartSoon(RESTART_NOTICE_MS)],
  timers: { daily: DAY_MS },
};

export function identify(job: Identify, input: JobInput, device: Device): Step {
  const question = questions[job.step];
  if (question === undefined) return identified(job, device);
  if (input.on === "timer") return input.name === "answer" ? overdue(job, question, device) : { job };
  if (input.heard.is !== "answer") return { job };
  const { answer } = input.heard;
  if (answer.is === "refused") return refused(job, question, answer.statusWord, device);
  const found = question.read(job.found, answer);
  return found === undefined
    ? { job: { ...job, isHeard: true } }
    : askFrom({ ...job, step: job.step + 1, found }, device);
}

/** A silent device is gone. A device with an unreadable answer only skips the question. */
function overdue(job: Identify, question: Question, device: Device): Step {
  if (job.triesLeft > 0) return ask(job, question, device);
  if (!job.isHeard) return lost([job.n], "no-answer", `no answer to ${question.name} within ${question.limitMs} ms`);
  return leftOut(job, question, "was answered without what is needed", device);
}

function refused(job: Identify, question: Question, statusWord: string, device: Device): Step {
  if (question.isFirst && job.triesLeft > 0) return ask(job, question, device);
  const found = question.refused?.(job.found, statusWord) ?? job.found;
  return leftOut({ ...job, found }, question, `was refused: ${statusText(statusWord)}`, device);
}

function leftOut(job: Identify, { name, isNeeded }: Question, why: string, device: Device): Step {
  if (isNeeded) return ended({ n: job.n, on: "fault", code: "device-error", detail: `${name} ${why}` });
  return askFrom({ ...job, step: job.step + 1 }, device);
}
