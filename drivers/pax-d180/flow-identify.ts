import type { Notice } from "../../src/card/notice.ts";
import { type Ask, ask, type Device, ended, fault, type Identify, type JobInput, lost, type Step } from "./flow.ts";
import { clockIn, type Found, identityOf, memberIn, nothingFound, textIn, withVersions } from "./identity.ts";
import { answers, type CommandName } from "./message.ts";
import { LOOK_AT_SLOT, slotIn } from "./slot.ts";
import { deviceFault, OK, PED_NEXT_KSN, PED_NO_GROUP, plainCode, statusText } from "./status-codes.ts";
import { IDENTIFY_MS } from "./timing.ts";

/** Questions in this order (PROTOCOL.md 6.1). */
const QUESTIONS: readonly CommandName[] = [
  "ping",
  "serial",
  "terminal",
  "versions",
  "emv-version",
  "ped-version",
  "clock",
  "ksn",
  "slot",
];

/** Runs once the device is idle. */
export function startIdentify(n: number, device: Device): Step {
  const asks = QUESTIONS.map((name): Ask => {
    if (name === "slot") return LOOK_AT_SLOT;
    return name === "ksn" ? { name, data: Uint8Array.of(device.options.keyGroup) } : { name };
  });
  const step = next({ is: "identify", n, left: asks, found: nothingFound }, device);
  return { ...step, timers: { ...step.timers, watchdog: IDENTIFY_MS } };
}

function next(job: Identify, device: Device): Step {
  const [first, ...left] = job.left;
  return first === undefined ? identified(job, device) : ask({ ...job, left }, first);
}

function identified({ n, found }: Identify, device: Device): Step {
  const { serialNumber, member, keys } = found;
  if (serialNumber === undefined || serialNumber === "") {
    return ended(fault(n, "device-error", "it tells no serial number: have its supplier set it"));
  }
  const { card } = device;
  const slot: readonly Notice[] = card === undefined ? [] : [{ n: 0, on: "slot", card }];
  return {
    ...ended({ n, on: "ready", identity: identityOf(found), keys, capabilities: member.capabilities }, ...slot),
    device: { ...device, member, keys },
  };
}

export function identify(job: Identify, input: JobInput, device: Device): Step {
  const { n, asked, found } = job;
  if (asked === undefined) return { job };
  if (input.on === "timer")
    return input.name === "answer" || input.name === "watchdog"
      ? lost([n], "no-answer", `no answer to ${asked.name}`)
      : { job };
  const { heard } = input;
  if (!answers(asked.name, heard)) return { job };
  if (asked.name === "slot") return next(job, slotKnown(device, slotIn(heard)));
  if (heard.rc === OK) return next({ ...job, found: learned(found, asked.name, heard.data) }, device);
  return refused(job, asked.name, heard.rc, device);
}

/** The slot state is reported with the identity. If the device does not answer now, a later collect asks again. */
function slotKnown({ card: _before, ...rest }: Device, card: boolean | undefined): Device {
  return { ...rest, ...(card !== undefined && { card }) };
}

function learned(found: Found, name: CommandName, data: Uint8Array): Found {
  const item = (name: string): Found => ({
    ...found,
    configuration: [...found.configuration, { name, version: textIn(data) }],
  });
  switch (name) {
    case "serial":
      return { ...found, serialNumber: textIn(data) };
    case "terminal":
      return { ...found, member: memberIn(data) };
    case "versions":
      return withVersions(found, data);
    case "emv-version":
      return item("EMV kernel");
    case "ped-version":
      return item("PED");
    case "clock": {
      const clock = clockIn(data);
      return { ...found, ...(clock && { clock }) };
    }
    case "ksn":
      return { ...found, keys: { ...found.keys, sred: data.length > 0 } };
    default:
      return found;
  }
}

/** A refused question is skipped, unless the code shows that the device is unusable. */
function refused(job: Identify, name: CommandName, rc: number, device: Device): Step {
  const { n, found } = job;
  const problem = deviceFault(rc);
  if (problem?.code === "tampered")
    return next({ ...job, found: { ...found, keys: { ...found.keys, tampered: true } } }, device);
  const sred = name === "ksn" ? keyBy(rc) : undefined;
  if (sred !== undefined) return next({ ...job, found: { ...found, keys: { ...found.keys, sred } } }, device);
  if (name === "serial")
    return ended(fault(n, "device-error", `it does not tell its serial number: ${statusText(rc)}`));
  return next(job, device);
}

/** Whether a card data key exists, judged by the refusal of its KSN; undefined if the code does not say. */
function keyBy(rc: number): boolean | undefined {
  if (plainCode(rc) === PED_NEXT_KSN) return true;
  return deviceFault(rc)?.code === "keys-missing" || plainCode(rc) === PED_NO_GROUP ? false : undefined;
}
