import { authentication } from "../../../../src/gateway/parameters/authentication.ts";
import { testMode } from "../../../../src/gateway/parameters/basic.ts";
import {
  type Chapter,
  EMPTY_MESSAGE,
  type ParameterProblem,
  part,
  type Sent,
} from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { paging, query } from "../../../../src/gateway/parameters/query.ts";

/** Gateway facts, 2.4: a query by id may only select among linked transactions. */
const NARROWING: readonly string[] = ["includeLinkedTransactions", "paymentTypes", "paymentMethods", "limit"];

const queryOfOne: readonly Chapter[] = [authentication, testMode, part(query, (name) => NARROWING.includes(name))];
const pagedQueryOfOne: readonly Chapter[] = [...queryOfOne, paging];

const search: readonly Chapter[] = [...chaptersOf.query, testMode];
const pagedSearch: readonly Chapter[] = [...chaptersOf.pagedQuery, testMode];

/** GET /v1/payments/{id}. */
export const statusProblems = (sent: Sent): readonly ParameterProblem[] => ofAnEntity(sent, chaptersOf.read);

/** GET /v1/query/{id} and /v3/query/{id}. */
export const queryOfOneProblems = (sent: Sent): readonly ParameterProblem[] => ofAnEntity(sent, queryOfOne);
export const pagedQueryOfOneProblems = (sent: Sent): readonly ParameterProblem[] => ofAnEntity(sent, pagedQueryOfOne);

/** GET /v1/query and /v3/query. */
export const queryProblems = (sent: Sent): readonly ParameterProblem[] => searching(sent, search);
export const pagedQueryProblems = (sent: Sent): readonly ParameterProblem[] => searching(sent, pagedSearch);

/** A query without criteria would return the whole ledger. */
function searching(sent: Sent, chapters: readonly Chapter[]): readonly ParameterProblem[] {
  const says = ["merchantTransactionId", "date.from", "date.to", "shortId"].some((name) => sent.has(name));
  return [...ofAnEntity(sent, chapters), ...(says ? [] : [missing("merchantTransactionId")])];
}

/** Queries and readings cover one entity, so entityId is required. */
function ofAnEntity(sent: Sent, chapters: readonly Chapter[]): readonly ParameterProblem[] {
  return [...parameterProblems(sent, chapters), ...(sent.has("entityId") ? [] : [missing("entityId")])];
}

function missing(name: string): ParameterProblem {
  return { name, value: "", message: EMPTY_MESSAGE };
}
