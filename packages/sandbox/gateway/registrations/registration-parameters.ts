import type { ParameterProblem, Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { distinct, missing, requestProblems, typeProblems } from "../parameters.ts";

/** POST /v1/registrations/{id}/payments: the address names the account. */
export function storedPaymentProblems(sent: Sent): readonly ParameterProblem[] {
  return distinct([
    ...parameterProblems(sent, chaptersOf.registrationPayment),
    ...missing(sent, "entityId"),
    ...typeProblems(sent, ["PA", "DB", "CD"]),
  ]);
}

/** POST /v1/registrations/{id}: same account fields as a new registration; paymentType, if sent, is RR. */
export function updateProblems(sent: Sent): readonly ParameterProblem[] {
  const account = new Map([...sent].filter(([name]) => name !== "paymentType"));
  return [...requestProblems("registration", account), ...typeProblems(sent, ["RR"])];
}
