import { accountsOf } from "../../../../src/gateway/parameters/accounts.ts";
import type { ParameterProblem, Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { distinct, iccProblems, missing, typeProblems } from "../parameters.ts";

/** Types of POST /v1/payments/{id} (gateway facts, 2.1). */
const KINDS = ["CP", "RV", "RF", "RB", "CB", "CR", "RC"] as const;

export const PRACTICE = "standingInstruction.industryPractice";

/**
 * Specification, "Basic payment parameters", referenceUuid: its purposes and their types. An increment is a PA; a
 * renewed sale may be a DB.
 */
const PRACTICES: ReadonlyMap<string, readonly string[]> = new Map([
  ["INCREMENTAL_AUTH", ["PA"]],
  ["REAUTHORIZATION", ["PA", "DB"]],
]);

/** A payment linked to another without a practice stands alone. */
const WITHOUT_PRACTICE = ["PA", "DB"];

/**
 * Whether the payment uses an earlier payment's account: by referenceUuid, or as an incremental authorization without
 * an account of its own.
 */
export function goesOnFromAnother(sent: Sent): boolean {
  return (
    sent.has("referenceUuid") ||
    (sent.get(PRACTICE) === "INCREMENTAL_AUTH" && accountsOf(sent).size === 0 && ![...sent.keys()].some(isSealed))
  );
}

/** POST /v1/payments with referenceUuid. */
export function anotherProblems(sent: Sent): readonly ParameterProblem[] {
  return distinct([
    ...parameterProblems(sent, chaptersOf.payment),
    ...missing(sent, "entityId", "referenceUuid"),
    ...practiceProblems(sent),
    ...sealedProblems(sent),
    ...iccProblems(sent),
  ]);
}

/**
 * POST /v1/payments/{id}. PA or DB with a practice is allowed too: referenceUuid is used "instead of
 * /v1/payments/{id}".
 */
export function referenceProblems(sent: Sent): readonly ParameterProblem[] {
  const practised = ["PA", "DB"].includes(sent.get("paymentType") ?? "") && PRACTICES.has(sent.get(PRACTICE) ?? "");
  return distinct([
    ...parameterProblems(sent, chaptersOf.reference),
    ...missing(sent, "entityId"),
    ...(practised ? practiceProblems(sent) : typeProblems(sent, KINDS)),
    ...iccProblems(sent),
  ]);
}

/** Only the merchant initiates either practice ("Card on file"). */
function practiceProblems(sent: Sent): readonly ParameterProblem[] {
  const practice = sent.get(PRACTICE);
  const types = practice === undefined ? undefined : PRACTICES.get(practice);
  const known = [...PRACTICES.keys()].join(" or ");
  if (practice !== undefined && types === undefined)
    return [{ name: PRACTICE, value: practice, message: `must be ${known} here` }];
  return [
    ...typeProblems(sent, types ?? WITHOUT_PRACTICE),
    ...onlyAs(sent, "standingInstruction.mode", "REPEATED"),
    ...onlyAs(sent, "standingInstruction.source", "MIT"),
  ];
}

function onlyAs(sent: Sent, name: string, wanted: string): readonly ParameterProblem[] {
  const value = sent.get(name);
  return value === undefined || value === wanted ? [] : [{ name, value, message: `must be ${wanted} here` }];
}

/** No card is presented for a follow-up, so sealed fields are refused. */
function sealedProblems(sent: Sent): readonly ParameterProblem[] {
  return [...sent].flatMap(([name, value]) =>
    isSealed(name) ? [{ name, value, message: "is not an allowed parameter here" }] : [],
  );
}

function isSealed(name: string): boolean {
  return name.startsWith("pos.encrypted");
}
