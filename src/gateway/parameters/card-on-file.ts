import { chapter } from "./chapter.ts";
import { count, date, oneOf, string, textUpTo } from "./format.ts";

export const cardOnFile = chapter("Card on file (standing instruction)", [
  ["standingInstruction.type", oneOf("UNSCHEDULED", "INSTALLMENT", "RECURRING"), "conditional"],
  ["standingInstruction.recurringType", oneOf("STANDING_ORDER", "SUBSCRIPTION"), "conditional"],
  ["standingInstruction.mode", oneOf("INITIAL", "REPEATED"), "conditional"],
  ["standingInstruction.source", oneOf("CIT", "MIT"), "conditional"],
  ["standingInstruction.initialTransactionId", string, "conditional"],
  [
    "standingInstruction.industryPractice",
    oneOf("INCREMENTAL_AUTH", "RESUBMISSION", "REAUTHORIZATION", "DELAYED_CHARGES", "NO_SHOW"),
    "conditional",
  ],
  ["standingInstruction.expiry", date, "conditional"],
  ["standingInstruction.frequency", count("N..4", "[0-9]{1,4}", "be 1-4 digits"), "conditional"],
  ["standingInstruction.numberOfInstallments", count("N..3", "[0-9]{1,3}", "be 1-3 digits"), "conditional"],
  ["standingInstruction.agreementId", textUpTo(35)],
]);
