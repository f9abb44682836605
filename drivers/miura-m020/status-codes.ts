import { statusTextBy } from "../vipa/status-codes.ts";

/** Meaning of each status word (PROTOCOL.md 5). A word outside this table means only that the command failed. */
const meanings: Readonly<Record<string, string>> = {
  "9000": "done",
  "9F0D": "internal error",
  "9F0F": "invalid parameter",
  "9F14": "invalid input or format",
  "9F15": "invalid configuration file",
  "9F21": "invalid data in START or CONTINUE TRANSACTION",
  "9F22": "not ready for this command",
  "9F23": "no card in the slot",
  "9F25": "invalid card",
  "9F26": "command not allowed in this state",
  "9F27": "mandatory data missing",
  "9F28": "card not supported by the configuration",
  "9F2A": "file missing",
  "9F30": "card read error",
  "9F40": "bad issuer public key",
  "9F41": "cancelled by the customer or aborted",
  "9F42": "timeout",
  "9F43": "contactless ended: card inserted",
  "9F44": "contactless ended: card swiped",
  "9F88": "mandatory parameter missing",
  "9FC1": "insert or swipe",
  "9FC2": "insert, swipe or take another card",
  "9FC3": "insert",
  "9FCE": "buzzer hardware error",
  "9FCF": "contactless hardware error",
  "9FE0": "no PIN key",
  "9FFF": "unknown error",
};

export const statusText = statusTextBy(meanings);
