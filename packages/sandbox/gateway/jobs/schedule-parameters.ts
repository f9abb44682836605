import type { ParameterProblem, Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { distinct, missing, typeProblems } from "../parameters.ts";

/** Payment types of a schedule's payments; SD means debits. */
const TYPES = ["DB", "PA", "CD", "SD"];

/** A new schedule: payment, token and times. */
export function scheduleProblems(sent: Sent): readonly ParameterProblem[] {
  return distinct([
    ...parameterProblems(sent, chaptersOf.schedule),
    ...missing(sent, "entityId"),
    ...typeProblems(sent, TYPES),
  ]);
}

/** A change names only changed fields; amount and currency come together. */
export function rescheduleProblems(sent: Sent): readonly ParameterProblem[] {
  const money = sent.has("amount") || sent.has("currency") ? ["amount", "currency"] : [];
  return distinct([...known(sent), ...missing(sent, "entityId", ...money), ...typeProblems(sent, ["RS", ...TYPES])]);
}

/** DS has no other parameters. */
export function descheduleProblems(sent: Sent): readonly ParameterProblem[] {
  return distinct([...known(sent), ...missing(sent, "entityId"), ...typeProblems(sent, ["DS"])]);
}

/** Problems of the parameters sent; missing ones are accepted. */
function known(sent: Sent): readonly ParameterProblem[] {
  return parameterProblems(sent, chaptersOf.schedule).filter(({ name }) => sent.has(name));
}
