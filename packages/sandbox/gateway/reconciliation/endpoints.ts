import {
  type Chapter,
  EMPTY_MESSAGE,
  type ParameterProblem,
  type Sent,
} from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { paging } from "../../../../src/gateway/parameters/query.ts";
import type { Context } from "../context.ts";
import type { Call, Endpoint } from "../endpoint.ts";
import { type Json, jsonReply, type Reply } from "../exchange.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, closingFields, resultOf, type Stamp, stampOf } from "../replies.ts";
import { type Aggregation, aggregationsOf } from "./aggregation.ts";
import { dummyAggregation } from "./dummy.ts";
import { aggregationJson, csvOf, recordJson } from "./forms.ts";
import { settlements } from "./settlement.ts";
import type { SettlementRecord } from "./settlement-record.ts";

const DONE = "000.000.100";
const NOTHING_FOUND = "700.400.580";
/** Gateway facts, 0: records on a page. */
const PAGE = 100;

/** Only the second version has pages (gateway facts, 0). */
const summary: readonly Chapter[] = chaptersOf.aggregations.filter((chapter) => chapter !== paging);
const detail: readonly Chapter[] = chaptersOf.aggregation.filter((chapter) => chapter !== paging);

/**
 * Settlement reports (specification, "Reporting parameters"; gateway facts, 0), at the addresses of public clients.
 * `Accept: text/csv` is this sandbox's own: the file's real delivery is unknown.
 */
export const reconciliationEndpoints: readonly Endpoint[] = [
  {
    ...{ method: "GET", path: "/reports/v1/reconciliations/aggregations", caller: "merchant" },
    problems: problemsIn(summary),
    prepare: (context, call) => reporting(context, call, (stamp) => summaryOf(context, call, stamp)),
  },
  {
    ...{ method: "GET", path: "/reports/v1/reconciliations/aggregations/{id}", caller: "merchant" },
    problems: problemsIn(detail),
    prepare: (context, call) => reporting(context, call, (stamp) => detailOf(context, call, stamp)),
  },
  {
    ...{ method: "GET", path: "/reports/v2/reconciliations/aggregations/{id}", caller: "merchant" },
    problems: problemsIn(chaptersOf.aggregation),
    prepare: (context, call) => reporting(context, call, (stamp) => pageOf(context, call, stamp)),
  },
];

function problemsIn(chapters: readonly Chapter[]): Endpoint["problems"] {
  const noEntity: readonly ParameterProblem[] = [{ name: "entityId", value: "", message: EMPTY_MESSAGE }];
  return (sent) => [...parameterProblems(sent, chapters), ...(sent.has("entityId") ? [] : noEntity)];
}

function reporting(context: Context, { sent }: Call, answer: (stamp: Stamp) => Reply): Prepared {
  const run = (bend: Bend): Reply => {
    const stamp = stampOf(context, sent);
    return bend.result ? bareReply(context.rules.declineStatus, bend.result.code, stamp) : answer(stamp);
  };
  return { is: "prepared", outcome: {}, run };
}

/** Payouts with a settlement date in the requested days, both included. */
function summaryOf(context: Context, { request, sent }: Call, stamp: Stamp): Reply {
  const [from = "", to = "", currency] = ["date.from", "date.to", "currency"].map((name) => sent.get(name));
  const found = known(context, sent, stamp).filter(
    (one) =>
      (isDummy(sent) || (one.settlementDate >= from && one.settlementDate <= to)) &&
      (currency === undefined || one.currency.code === currency),
  );
  if (found.length === 0) return bareReply(404, NOTHING_FOUND, stamp);
  const all = found.flatMap(({ records }) => records);
  return wantsCsv(request.headers)
    ? csvReply(all)
    : jsonReply(200, { ...envelope(stamp), aggregations: found.map(aggregationJson) });
}

function detailOf(context: Context, call: Call, stamp: Stamp): Reply {
  const records = recordsOf(context, call, stamp);
  if (records === undefined) return bareReply(404, NOTHING_FOUND, stamp);
  return wantsCsv(call.request.headers)
    ? csvReply(records)
    : jsonReply(200, { ...envelope(stamp), records: records.map(recordJson) });
}

/** A page beyond the last has no records. */
function pageOf(context: Context, call: Call, stamp: Stamp): Reply {
  const records = recordsOf(context, call, stamp);
  if (records === undefined) return bareReply(404, NOTHING_FOUND, stamp);
  const first = (Number(call.sent.get("pageNo") ?? 1) - 1) * PAGE;
  const page = records.slice(first, first + PAGE).map(recordJson);
  return jsonReply(200, { ...envelope(stamp), records: page, pages: Math.ceil(records.length / PAGE) });
}

/** In ledger order, or sorted by payment time (specification: sortValue SettlementTxDate). */
function recordsOf(context: Context, { sent, id }: Call, stamp: Stamp): readonly SettlementRecord[] | undefined {
  const found = known(context, sent, stamp).find((one) => isDummy(sent) || one.id === id());
  if (found === undefined || !sent.has("sortValue")) return found?.records;
  const direction = sent.get("sortOrder")?.toUpperCase() === "DESC" ? -1 : 1;
  return found.records.toSorted((a, b) => direction * (a.requestedAt - b.requestedAt));
}

/**
 * testMode=INTERNAL returns dummy data, like the gateway. Without it, or with EXTERNAL, the answer covers the whole
 * ledger in both modes.
 */
function known({ store }: Context, sent: Sent, { entityId = "", now }: Stamp): readonly Aggregation[] {
  if (!isDummy(sent)) return aggregationsOf(settlements(store.all(), entityId, now));
  const dummy = dummyAggregation(entityId, sent.get("currency") ?? "EUR", sent.get("date.to"));
  return dummy === undefined ? [] : [dummy];
}

function isDummy(sent: Sent): boolean {
  return sent.get("testMode") === "INTERNAL";
}

function envelope(stamp: Stamp): { readonly [key: string]: Json } {
  return { result: resultOf(DONE), ...closingFields(stamp) };
}

function wantsCsv({ accept = "" }: Readonly<Record<string, string>>): boolean {
  return accept.split(",").some((type) => type.split(";")[0]?.trim().toLowerCase() === "text/csv");
}

function csvReply(records: readonly SettlementRecord[]): Reply {
  return { is: "reply", status: 200, headers: { "content-type": "text/csv;charset=UTF-8" }, body: csvOf(records) };
}
