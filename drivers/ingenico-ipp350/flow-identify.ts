import type { FaultCode, Notice } from "../../src/card/notice.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import { toldText } from "../../src/kit/printable.ts";
import { type Device, ended, fault, JOB_OVER, type Job, type JobInput, lost, type Step } from "./flow.ts";
import { capabilitiesIn, type Found, identityOf, nothingFound, serialOf, unitFields } from "./identity.ts";
import { say, settingIn, variableIn, variables } from "./message.ts";
import { IDENTIFY_MS, QUERY_MS, RESTART_WARNING_MS, TRIES } from "./timing.ts";

type Identify = Extract<Job, { is: "identify" }>;

/** Result of an answer: a new fact, the answer to another question, or a reason not to use the device. */
type Reading =
  | { readonly is: "found"; readonly found: Found }
  | { readonly is: "other" }
  | { readonly is: "bad"; readonly code: FaultCode; readonly detail: string };

interface Question {
  readonly id: string;
  readonly ask: Uint8Array;
  readonly read: (found: Found, text: string) => Reading;
}

const found = (known: Found): Reading => ({ is: "found", found: known });

/** Asks with 61.; a missing or withheld entry is skipped. */
function setting(group: string, index: string, read: (known: Found, value: string) => Reading): Question {
  return {
    id: "61",
    ask: say.configuration(group, index),
    read: (known, text) => {
      const told = settingIn(text, group, index);
      if (told === "other") return { is: "other" };
      return told === "refused" ? found(known) : read(known, told.value.trim());
    },
  };
}

function variable(id: string, read: (known: Found, value: string) => Found): Question {
  return {
    id: "29",
    ask: say.getVariable(id),
    read: (known, text) => {
      if (/^.{2}[0-9]{6}/.test(text) && text.slice(2, 8) !== id) return { is: "other" };
      const value = variableIn(text, id);
      return found(value === undefined ? known : read(known, value.trim()));
    },
  };
}

/** An entry is a small number. Other content may be card data, so it is hidden. */
const entryShown = (value: string): string => (/^[0-9]{1,3}$/.test(value) ? value : "no such number");

/** An entry that must have one value. Another value is reported with its remedy (PROTOCOL.md 8.1). */
function must(group: string, index: string, right: string, what: string): Question {
  return setting(group, index, (known, value) =>
    value === right
      ? found(known)
      : {
          is: "bad",
          code: "misconfigured",
          detail: `${what} (${group}_${index} is ${entryShown(value)}, and ${right} is needed)`,
        },
  );
}

const version = (group: string, index: string, name: string): Question =>
  setting(group, index, (known, value) =>
    found({ ...known, settings: [...known.settings, { name, version: toldText(fromAscii(value)) }] }),
  );

/** 91_1: without encryption tracks come in clear. The acquirer can decrypt only this one method. */
const encryption = setting("91", "1", (known, value) => {
  if (value === "19") return found({ ...known, settings: [...known.settings, { name: "encryption", version: value }] });
  if (value === "0")
    return { is: "bad", code: "clear-card-data", detail: "its encryption is off (91_1 is 0, and 19 is needed)" };
  return {
    is: "bad",
    code: "misconfigured",
    detail: `it encrypts in mode ${entryShown(value)} (91_1), and 19, On-Guard SDE, is needed`,
  };
});

/** Any other clock value means that the clock is not set. */
const sixDigits = (value: string): string => (/^[0-9]{6}$/.test(value) ? value : "");

/** Questions in this order (PROTOCOL.md 6.1). */
const QUESTIONS: readonly Question[] = [
  { id: "07", ask: say.unitData, read: (known, text) => found({ ...known, unit: unitFields(text) }) },
  encryption,
  must("6", "7", "1", "its PIN key is not a DUKPT key"),
  must("19", "1", "1", "contact chips are off"),
  must("19", "21", "0", "quick chip is on, which lets a card go before its issuer has answered"),
  setting("8", "1", (known, value) => found({ ...known, switches: { ...known.switches, contactless: value !== "0" } })),
  setting("7", "29", (known, value) => found({ ...known, switches: { ...known.switches, keyed: value !== "0" } })),
  version("14", "1", "package"),
  version("14", "10", "file update"),
  variable(variables.date, (known, value) => ({ ...known, date: sixDigits(value) })),
  variable(variables.time, (known, value) => ({ ...known, time: sixDigits(value) })),
  variable(variables.restart, (known, value) =>
    /^[0-9]{1,6}$/.test(value) ? { ...known, restartS: Number(value) } : known,
  ),
];

/** Runs after the device has stopped its work. */
export function startIdentify(n: number): Step {
  return ask({ is: "identify", n, step: 0, triesLeft: TRIES, found: nothingFound });
}

function ask(job: Identify): Step {
  const question = QUESTIONS[job.step];
  if (question === undefined) return { job };
  return { job: { ...job, triesLeft: job.triesLeft - 1 }, write: [question.ask], timers: { answer: QUERY_MS } };
}

export function identify(job: Identify, input: JobInput, device: Device): Step {
  const question = QUESTIONS[job.step];
  if (question === undefined) return { job };
  if (input.on === "timer") {
    if (input.name === "watchdog") return lost([job.n], `not identified within ${IDENTIFY_MS} ms`);
    return job.triesLeft > 0 ? ask(job) : lost([job.n], `no answer to ${question.id}. within ${QUERY_MS} ms`);
  }
  const { heard } = input;
  if (heard.is !== "reply" || heard.id !== question.id) return { job };
  const reading = question.read(job.found, heard.text);
  switch (reading.is) {
    case "other":
      return { job };
    case "bad":
      return ended(fault(job.n, reading.code, reading.detail));
    case "found": {
      const next: Identify = { ...job, step: job.step + 1, triesLeft: TRIES, found: reading.found };
      if (QUESTIONS[next.step] !== undefined) return ask(next);
      return identified(next, device);
    }
  }
}

function identified({ n, found: all }: Identify, device: Device): Step {
  if (serialOf(all) === "") return ended(fault(n, "device-error", "it tells no serial number (07.)"));
  const capabilities = capabilitiesIn(all);
  const { notices, timers } = restartOf(all);
  // The last reported slot state; no message asks for it (PROTOCOL.md 5.1).
  const slot: readonly Notice[] = device.card === undefined ? [] : [{ n: 0, on: "slot", card: device.card }];
  return {
    ...ended({ n, on: "ready", identity: identityOf(all), keys: {}, capabilities }, ...slot, ...notices),
    timers: { ...JOB_OVER, ...timers },
    device: { ...device, capabilities },
  };
}

/** The daily restart is announced about three minutes before (PROTOCOL.md 8.4). */
function restartOf({ restartS }: Found): {
  readonly notices: readonly Notice[];
  readonly timers: Readonly<Record<string, number | "clear">>;
} {
  if (restartS === undefined) return { notices: [], timers: { restart: "clear" } };
  const inMs = restartS * 1000;
  if (inMs <= RESTART_WARNING_MS)
    return { notices: [{ n: 0, on: "restart-soon", inMs }], timers: { restart: "clear" } };
  return { notices: [], timers: { restart: inMs - RESTART_WARNING_MS } };
}
