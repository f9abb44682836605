import type { FaultCode } from "../../src/card/notice.ts";
import type { Answer } from "./flow.ts";
import { DONE } from "./message.ts";

/* Results of commands (PROTOCOL.md 3.2 and 3.3). */

/** Results of extended commands that the driver distinguishes. */
export const results = {
  done: "0000",
  keysMissing: "0381",
  keysUsedUp: "0382",
  securityLevel: "0383",
  cardType: "0385",
  noTransaction: "038D",
  inProgress: "038F",
  noKeys: "0390",
  clockNotSet: "0396",
} as const;

const NO_KEYS = 0x06;

const meanings: Readonly<Record<string, string>> = {
  "01": "it failed",
  "02": "a parameter that it does not take",
  "05": "it delays requests after wrong ones",
  "06": "it has no keys",
  "07": "not in this state",
  "09": "its battery is almost empty: charge it",
  "0D": "it has no such command",
  "0381": "it has no DUKPT key",
  "0382": "its DUKPT keys are used up",
  "0383": "its security level is neither 3 nor 4",
  "0384": "a time that it does not take",
  "0385": "it cannot read such cards: is option reader the right one?",
  "0386": "options that it does not take",
  "0387": "an amount that it does not take",
  "0388": "a transaction type that it does not take",
  "038A": "a currency that it does not take",
  "038D": "no transaction runs",
  "038F": "a transaction runs already",
  "0390": "it has no keys",
  "0391": "another serial number than its own",
  "0396": "its clock is not set",
};

/** Two digits for a refused packet, four for an extended command. */
export function statusOf({ code, result }: Answer): string {
  return result ?? code.toString(16).toUpperCase().padStart(2, "0");
}

export function isDone({ code, result }: Answer): boolean {
  return result === undefined ? code === DONE : result === results.done;
}

/** One line for an error or a log: the status with its meaning. */
export function statusText(answer: Answer): string {
  const status = statusOf(answer);
  const meaning = Object.hasOwn(meanings, status) ? meanings[status] : undefined;
  return `${status} (${meaning ?? "not documented"})`;
}

/** The fault for a refusal. */
export function faultOf({ code, result }: Answer): FaultCode {
  switch (result) {
    case undefined:
      return code === NO_KEYS ? "keys-missing" : "device-error";
    case results.keysMissing:
    case results.keysUsedUp:
    case results.securityLevel:
    case results.noKeys:
      return "keys-missing";
    case results.cardType:
      return "misconfigured";
    default:
      return "device-error";
  }
}
