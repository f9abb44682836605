import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import { jsonReply, type Reply } from "../exchange.ts";
import type { Booking } from "../ledger/booking.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, closingFields, resultOf, type Stamp, stampOf, throttledReply } from "../replies.ts";
import type { ThrottledOperation } from "../throttle.ts";
import { queryEntry, readingOf } from "./payment-bodies.ts";
import { searched, shown, visibleById } from "./reads.ts";

const NOTHING_FOUND = "700.400.580";
const QUERY_DONE = "000.000.100";
/** Specification, "Query parameters", limit; also the default page size of the third version. */
const DEFAULT_LIMIT = 100;

type Version = "v1" | "v3";

/** GET /v1/payments/{id}. */
export function prepareReading(context: Context, { sent, id }: Call): Prepared {
  return answering(context, sent, { operation: "payment-status", of: id() }, (stamp) =>
    readingOrList(context, id(), sent, stamp),
  );
}

/** GET /v1/query/{id}: same as reading a payment, but counted by entity instead of payment. */
export function prepareQueryOfOne(context: Context, { sent, id }: Call): Prepared {
  return answering(context, sent, { operation: "query-of-one" }, (stamp) => readingOrList(context, id(), sent, stamp));
}

/** GET /v3/query/{id}: a list even for one payment. */
export function preparePagedQueryOfOne(context: Context, { sent, id }: Call): Prepared {
  return answering(context, sent, { operation: "query-of-one" }, (stamp) =>
    list(shown(context, visibleById(context, id(), stamp), sent, stamp), sent, stamp, "v3"),
  );
}

/** GET /v1/query and /v3/query. They cover only the asking entity, without age limit. */
export function prepareQuery(context: Context, { sent }: Call, version: Version): Prepared {
  return answering(context, sent, { operation: "query" }, (stamp) =>
    list(shown(context, searched(context, sent, stamp), sent, stamp), sent, stamp, version),
  );
}

interface Counted {
  readonly operation: ThrottledOperation;
  /** Key counted separately; absent: the entity as a whole. */
  readonly of?: string;
}

function answering(
  context: Context,
  sent: Sent,
  { operation, of = "" }: Counted,
  answer: (stamp: Stamp) => Reply,
): Prepared {
  const run = (bend: Bend): Reply => {
    const stamp = stampOf(context, sent);
    if (!context.throttle.admit(operation, `${stamp.entityId} ${of}`, stamp.now)) return throttledReply(stamp);
    return bend.result ? bareReply(context.rules.declineStatus, bend.result.code, stamp) : answer(stamp);
  };
  return { is: "prepared", outcome: {}, run };
}

/** The payment itself, or a query's envelope with its linked transactions. */
function readingOrList(context: Context, id: string, sent: Sent, stamp: Stamp): Reply {
  const [booking] = visibleById(context, id, stamp);
  if (booking === undefined) return bareReply(404, NOTHING_FOUND, stamp);
  if (sent.get("includeLinkedTransactions") === "true")
    return list(shown(context, [booking], sent, stamp), sent, stamp, "v1");
  return shown(context, [booking], sent, stamp).length === 0
    ? bareReply(404, NOTHING_FOUND, stamp)
    : readingOf(booking, stamp, context.rules);
}

/**
 * Gateway facts, 0: version 1 has `payments`, cut off at the limit; version 3 has `records` and `pages`, counted from
 * 1; pages beyond are empty.
 */
function list(found: readonly Booking[], sent: Sent, stamp: Stamp, version: Version): Reply {
  if (found.length === 0) return bareReply(404, NOTHING_FOUND, stamp);
  const size = Number(sent.get("limit") ?? DEFAULT_LIMIT);
  const first = version === "v1" ? 0 : (Number(sent.get("pageNo") ?? 1) - 1) * size;
  const entries = found.slice(first, first + size).map((booking) => queryEntry(booking, stamp));
  const body = version === "v1" ? { payments: entries } : { records: entries, pages: Math.ceil(found.length / size) };
  return jsonReply(200, { result: resultOf(QUERY_DONE), ...closingFields(stamp), ...body });
}
