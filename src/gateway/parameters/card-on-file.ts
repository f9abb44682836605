import { type Chapter, parameters } from "./chapter.ts";
import { count, date, oneOf, text } from "./format.ts";

export const cardOnFile: Chapter = {
  title: "Card on file (standing instruction)",
  parameters: parameters([
    ["standingInstruction.type", oneOf("UNSCHEDULED", "INSTALLMENT", "RECURRING"), "conditional"],
    ["standingInstruction.recurringType", oneOf("STANDING_ORDER", "SUBSCRIPTION"), "conditional"],
    ["standingInstruction.mode", oneOf("INITIAL", "REPEATED"), "conditional"],
    ["standingInstruction.source", oneOf("CIT", "MIT"), "conditional"],
    ["standingInstruction.initialTransactionId", text(1, 255), "conditional"],
    ["standingInstruction.industryPractice", oneOf("INCREMENTAL_AUTH", "RESUBMISSION", "REAUTHORIZATION", "DELAYED_CHARGES", "NO_SHOW"), "conditional"],
    ["standingInstruction.expiry", date, "conditional"],
    ["standingInstruction.frequency", count("[0-9]{1,4}", "be 1-4 digits"), "conditional"],
    ["standingInstruction.numberOfInstallments", count("[0-9]{1,3}", "be 1-3 digits"), "conditional"],
    ["standingInstruction.agreementId", text(1, 35)],
  ]),
  rules: [],
};
