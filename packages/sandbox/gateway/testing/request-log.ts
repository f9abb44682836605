import { z } from "zod";
import type { Handled, Json } from "../exchange.ts";
import { textOf } from "../ledger/result-texts.ts";
import type { Faults, FaultTarget } from "./faults.ts";

/** One request of the gateway's API with faults and reply. Only these parameters are logged. */
export interface LoggedRequest {
  readonly n: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly paymentType: string | undefined;
  readonly merchantTransactionId: string | undefined;
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  /** Names of applied faults: `drop-after`, `hide-from-query`, `result`. */
  readonly faults: readonly string[];
  /** Status of the reply; undefined: the connection was cut before a complete reply. */
  readonly status: number | undefined;
  readonly resultCode: string | undefined;
}

/** The latest requests, in memory only. */
export interface RequestLog {
  add(request: Omit<LoggedRequest, "n">): void;
  /** Oldest first. */
  list(): readonly LoggedRequest[];
}

const MOST_REQUESTS = 200;

export function createRequestLog(): RequestLog {
  const requests: LoggedRequest[] = [];
  let last = 0;
  return {
    add: (request) => {
      last += 1;
      requests.push({ ...request, n: last });
      if (requests.length > MOST_REQUESTS) requests.shift();
    },
    list: () => [...requests],
  };
}

/** The fault names as faults are ordered. */
function faultNames({ wire, result, hideMs }: Faults): readonly string[] {
  return [
    ...(wire === undefined ? [] : [wire.deed]),
    ...(result === undefined ? [] : ["result"]),
    ...(hideMs === undefined ? [] : ["hide-from-query"]),
  ];
}

const bodySchema = z.object({ result: z.object({ code: z.string() }) });

/** The logged part of the reply. */
export function toldBy(handled: Handled): Pick<LoggedRequest, "status" | "resultCode"> {
  if (handled.is === "cut") return { status: undefined, resultCode: undefined };
  const body = bodySchema.safeParse(jsonOf(handled.body));
  return { status: handled.status, resultCode: body.data?.result.code };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The logged part of the request. */
export function logged(
  at: number,
  method: string,
  { path, paymentType, merchantTransactionId }: FaultTarget,
  sent: ReadonlyMap<string, string>,
  faults: Faults,
): Omit<LoggedRequest, "n" | "status" | "resultCode"> {
  const names = faultNames(faults);
  return {
    at,
    method,
    path,
    paymentType,
    merchantTransactionId,
    amount: sent.get("amount"),
    currency: sent.get("currency"),
    faults: names,
  };
}

export function requestRow({ at: _, ...request }: LoggedRequest, at: string): Json {
  const { resultCode } = request;
  return { ...request, at, ...(resultCode !== undefined && { resultText: textOf(resultCode) }) };
}
