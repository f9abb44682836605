import type { Command, LocalTime } from "../card/command.ts";
import type { FaultCode, Notice } from "../card/notice.ts";
import { secondsAhead } from "./device-clock.ts";

/** The device's clock is set if it is further off. */
const SET_CLOCK_SECONDS = 10;
/**
 * A device whose clock stays further off gets no payments: cards and acquirers check the date and time in 9A and 9F21.
 */
const REFUSE_CLOCK_SECONDS = 120;

/** Requirements for service. */
export interface Expected {
  /** The required serial number, if known. */
  readonly serialNumber: string | undefined;
  /** The model's; the device may report less. */
  readonly onlinePin: boolean;
  readonly now: LocalTime;
}

/** The device's report of itself. */
export type SelfPortrait = Pick<Extract<Notice, { on: "ready" }>, "identity" | "keys" | "capabilities">;

/** Steps before service: identify, set the clock if needed and identify again, then idle. */
export type AdmissionStep = "identify" | "set-clock" | "identify-again" | "idle";

export type AdmissionMove =
  | { readonly move: "send"; readonly step: AdmissionStep; readonly command: Command }
  | { readonly move: "admit" }
  /** Retrying does not help: `reason` is one line with the fix. */
  | { readonly move: "refuse"; readonly reason: string }
  /** This link is useless; a new one may work. */
  | { readonly move: "retry"; readonly reason: string };

/** The next move after the notice that ended the step's command. */
export function admissionMove(step: AdmissionStep, ending: Notice, expected: Expected): AdmissionMove {
  const fatal = ending.on === "fault" ? faultReason(ending.code, ending.detail) : undefined;
  if (fatal !== undefined) return { move: "refuse", reason: fatal };
  switch (step) {
    case "identify":
    case "identify-again":
      return ending.on === "ready" ? identified(step, ending, expected) : unexpected("identify", ending);
    case "set-clock":
      return ending.on === "fault" && ending.code === "no-answer"
        ? unexpected("set-clock", ending)
        : { move: "send", step: "identify-again", command: { do: "identify" } };
    case "idle":
      return ending.on === "fault" ? unexpected("idle", ending) : { move: "admit" };
  }
}

function identified(step: AdmissionStep, told: SelfPortrait, expected: Expected): AdmissionMove {
  const reason = identityProblem(told, expected);
  if (reason !== undefined) return { move: "refuse", reason };
  const { clock } = told.identity;
  const off = clock === undefined ? 0 : Math.abs(secondsAhead(clock, expected.now) ?? Number.POSITIVE_INFINITY);
  if (step === "identify" && off > SET_CLOCK_SECONDS)
    return { move: "send", step: "set-clock", command: { do: "set-clock", now: expected.now } };
  if (off > REFUSE_CLOCK_SECONDS) {
    const by = Number.isFinite(off) ? `${off} s off` : "not set";
    return {
      move: "refuse",
      reason: `its clock is ${by} and could not be set; set it at the device or have its battery checked`,
    };
  }
  return { move: "send", step: "idle", command: { do: "idle" } };
}

function unexpected(asked: string, ending: Notice): AdmissionMove {
  return {
    move: "retry",
    reason:
      ending.on === "fault"
        ? `${asked}: ${ending.code}, ${ending.detail}`
        : `${asked} was answered with "${ending.on}"`,
  };
}

/** Why an identified device gets no payments, in one line with the fix; undefined: it may. */
export function identityProblem(
  { identity, keys, capabilities }: SelfPortrait,
  expected: Expected,
): string | undefined {
  if (expected.serialNumber !== undefined && identity.serialNumber !== expected.serialNumber) {
    return `another device answers: serial number ${identity.serialNumber} instead of ${expected.serialNumber}; connect the right one, or take this one in its place: posbridge terminals replace`;
  }
  if (identity.serialNumber.trim() === "")
    return "it tells no serial number, so that nobody knows which device it is; have its supplier set it";
  if (keys.tampered === true) return faultReason("tampered", "it says so itself");
  if (keys.sred === false) return faultReason("keys-missing", "it has no key for card data (SRED)");
  if ((capabilities?.onlinePin ?? expected.onlinePin) && keys.pin === false)
    return faultReason("keys-missing", "it has no PIN key");
  return undefined;
}

/**
 * The reason line of a fault that puts a terminal out of service, with the fix; undefined: the terminal may be tried
 * again.
 */
export function faultReason(code: FaultCode, detail: string): string | undefined {
  switch (code) {
    case "keys-missing":
      return `keys missing: ${detail}; have its keys injected, then plug it in again`;
    case "tampered":
      return `tampered: ${detail}; take it out of use and ask its supplier for another`;
    case "clear-card-data":
      return `card data in clear: ${detail}; have its encryption (SRED) configured, then plug it in again`;
    case "ksn-not-rising":
      return `key serial number: ${detail}; check that nobody put anything between it and this machine, then plug it in again`;
    case "misconfigured":
      return `set up wrongly: ${detail}; have it changed at the device, then plug it in again`;
    case "protocol":
    case "device-error":
    case "no-answer":
    case "refused":
      return undefined;
  }
}
