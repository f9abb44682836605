import { accountsOf } from "../../gateway/parameters/accounts.ts";
import type { ParameterProblem, Sent } from "../../gateway/parameters/chapter.ts";
import { chaptersOf } from "../../gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../gateway/parameters/problems.ts";
import { distinct, iccProblems, missing, typeProblems } from "../parameters.ts";

/** What POST /v1/payments/{id} carries out (gateway facts, 2.1). */
const KINDS = ["CP", "RV", "RF", "RB", "CB", "CR", "RC"] as const;

export const PRACTICE = "standingInstruction.industryPractice";

/** Specification, "Basic payment parameters", referenceUuid: what it is used for, and with which types. An incremental authorization is one; a renewed sale may be a debit. */
const PRACTICES: ReadonlyMap<string, readonly string[]> = new Map([
  ["INCREMENTAL_AUTH", ["PA"]],
  ["REAUTHORIZATION", ["PA", "DB"]],
]);

/** What is linked to another payment and says nothing more of it stands by itself. */
const WITHOUT_PRACTICE = ["PA", "DB"];

/** Whether a payment takes its account from one before: it says so by referenceUuid, or there is no other way to take an incremental authorization. */
export function goesOnFromAnother(sent: Sent): boolean {
  return sent.has("referenceUuid") || (sent.get(PRACTICE) === "INCREMENTAL_AUTH" && accountsOf(sent).size === 0 && ![...sent.keys()].some(isSealed));
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

/** POST /v1/payments/{id}. In place of a kind it may be what referenceUuid is for: that parameter stands "instead of /v1/payments/{id}". */
export function referenceProblems(sent: Sent): readonly ParameterProblem[] {
  const practised = ["PA", "DB"].includes(sent.get("paymentType") ?? "") && PRACTICES.has(sent.get(PRACTICE) ?? "");
  return distinct([
    ...parameterProblems(sent, chaptersOf.reference),
    ...missing(sent, "entityId"),
    ...(practised ? practiceProblems(sent) : typeProblems(sent, KINDS)),
    ...iccProblems(sent),
  ]);
}

/** The merchant alone begins either ("Card on file"): whoever says otherwise means something else. */
function practiceProblems(sent: Sent): readonly ParameterProblem[] {
  const practice = sent.get(PRACTICE);
  const types = practice === undefined ? undefined : PRACTICES.get(practice);
  const known = [...PRACTICES.keys()].join(" or ");
  if (practice !== undefined && types === undefined) return [{ name: PRACTICE, value: practice, message: `must be ${known} here` }];
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

/** There is no card when something goes on from another payment: nothing sealed has a place there. */
function sealedProblems(sent: Sent): readonly ParameterProblem[] {
  return [...sent].flatMap(([name, value]) => (isSealed(name) ? [{ name, value, message: "is not an allowed parameter here" }] : []));
}

function isSealed(name: string): boolean {
  return name.startsWith("pos.encrypted");
}
