import type { FaultCode } from "../../src/card/notice.ts";

/** Completion states that count as success (PROTOCOL.md 3.4): done or started, with or without warnings. */
const SUCCESSES: readonly number[] = [0x00, 0x01, 0x40, 0x41];

export function isSuccess({ summary }: { readonly summary: number }): boolean {
  return SUCCESSES.includes(summary);
}

/** Details that the driver distinguishes (PROTOCOL.md 3.4). */
export const details = {
  offline: "010109",
  noPinKey: "010110",
  noFeature: "010113",
  noKey: "020119",
  locked: "02011C",
  noTransaction: "020304",
  cannotCancel: "020305",
  inProgress: "020308",
  wrongState: "02030D",
} as const;

/** Meaning of each detail. A code outside this table means only that the command failed. */
const meanings: Readonly<Record<string, string>> = {
  "000002": "the operation failed",
  "000016": "the device has been tampered with",
  "010101": "failure",
  "010102": "a message that it does not understand",
  "010109": "it is offline: no keys, or tampered with",
  "010110": "no PIN key is assigned",
  "010113": "it has no such feature",
  "020101": "failure",
  "020102": "a parameter that it does not take",
  "020107": "its firmware failed",
  "020119": "the key does not exist",
  "02011A": "it wants a secured command",
  "02011C": "it is locked",
  "020304": "no transaction runs",
  "020305": "the transaction cannot be cancelled now",
  "020308": "a transaction runs already",
  "02030D": "not in this state of the transaction",
  "02030F": "a PIN is being typed",
  "020314": "its screen is being set",
  "020316": "its battery is almost empty: charge it",
};

/** One line for an error or a log: the detail with its meaning. */
export function statusText({ detail }: { readonly detail: string }): string {
  const meaning = Object.hasOwn(meanings, detail) ? meanings[detail] : undefined;
  return `${detail} (${meaning ?? "not documented"})`;
}

/** The fault for a refusal. */
export function faultOf({ detail }: { readonly detail: string }): FaultCode {
  switch (detail) {
    case "000016":
      return "tampered";
    case details.noPinKey:
    case details.noKey:
      return "keys-missing";
    case details.locked:
      return "misconfigured";
    default:
      return "device-error";
  }
}
