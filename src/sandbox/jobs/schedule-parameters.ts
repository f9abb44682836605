import type { ParameterProblem, Sent } from "../../gateway/parameters/chapter.ts";
import { chaptersOf } from "../../gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../gateway/parameters/problems.ts";
import { distinct, missing, typeProblems } from "../parameters.ts";

/** What a schedule's payments may be; SD says that it is one, and they are debits then. */
const TYPES = ["DB", "PA", "CD", "SD"];

/** A new schedule: a payment, the token that pays it, and when. */
export function scheduleProblems(sent: Sent): readonly ParameterProblem[] {
  return distinct([...parameterProblems(sent, chaptersOf.schedule), ...missing(sent, "entityId"), ...typeProblems(sent, TYPES)]);
}

/** A change says only what changes; an amount needs its currency, and a currency its amount. */
export function rescheduleProblems(sent: Sent): readonly ParameterProblem[] {
  const money = sent.has("amount") || sent.has("currency") ? ["amount", "currency"] : [];
  return distinct([...known(sent), ...missing(sent, "entityId", ...money), ...typeProblems(sent, ["RS", ...TYPES])]);
}

/** An end says nothing more. */
export function descheduleProblems(sent: Sent): readonly ParameterProblem[] {
  return distinct([...known(sent), ...missing(sent, "entityId"), ...typeProblems(sent, ["DS"])]);
}

/** What is wrong with what was sent; what was not is not missed. */
function known(sent: Sent): readonly ParameterProblem[] {
  return parameterProblems(sent, chaptersOf.schedule).filter(({ name }) => sent.has(name));
}
