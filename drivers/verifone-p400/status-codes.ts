import type { FaultCode } from "../../src/card/notice.ts";
import { statusTextBy } from "../vipa/status-codes.ts";

/** Meaning of each status word (PROTOCOL.md 5). A word outside this table means only that the command failed. */
const meanings: Readonly<Record<string, string>> = {
  "9000": "done",
  "9015": "PIN bypassed",
  "9F01": "link error: LRC",
  "9F0D": "internal module error",
  "9F0E": "internal module error",
  "9F0F": "unknown instruction",
  "9F10": "wrong P1",
  "9F11": "not supported",
  "9F13": "file not found",
  "9F14": "bad format",
  "9F15": "read error",
  "9F17": "module did not attach",
  "9F19": "no DUKPT keys",
  "9F21": "invalid data",
  "9F22": "not ready",
  "9F23": "no card, or card removed",
  "9F24": "command out of order",
  "9F25": "bad card",
  "9F26": "logic error",
  "9F27": "data missing",
  "9F28": "card not supported",
  "9F29": "candidate list",
  "9F2A": "file iccdata.dat missing",
  "9F2B": "terminal action codes missing",
  "9F2C": "application selection failed",
  "9F2D": "invalid card",
  "9F2E": "no parameters for this card",
  "9F2F": "DOL file missing",
  "9F31": "more than one contactless card",
  "9F32": "contactless: amount is zero",
  "9F33": "contactless: use another interface",
  "9F34": "contactless: use the chip",
  "9F35": "contactless: see phone",
  "9F36": "contactless: card still in the field",
  "9F37": "contactless: tap again",
  "9F40": "key hash failure",
  "9F41": "cancelled by the customer, or aborted",
  "9F42": "cashback not allowed",
  "9F43": "entry or selection cancelled",
  "9F44": "battery critical",
  "9F50": "application blocked",
  "9F51": "entry in clear not allowed",
  "9F53": "encryption not set up",
  "9F54": "encryption not set up",
  "9F55": "encryption not set up",
  "9FFF": "not available now",
};

/** The fault for a status word. Key and configuration errors need a technician, not a retry (PROTOCOL.md 5). */
export function faultOf(statusWord: string): FaultCode {
  switch (statusWord) {
    case "9F19":
      return "keys-missing";
    case "9F53":
    case "9F54":
    case "9F55":
      return "misconfigured";
    default:
      return "device-error";
  }
}

export const statusText = statusTextBy(meanings);
