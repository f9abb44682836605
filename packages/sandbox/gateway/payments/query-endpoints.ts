import type { Endpoint } from "../endpoint.ts";
import { preparePagedQueryOfOne, prepareQuery, prepareQueryOfOne, prepareReading } from "./queries.ts";
import {
  pagedQueryOfOneProblems,
  pagedQueryProblems,
  queryOfOneProblems,
  queryProblems,
  statusProblems,
} from "./query-parameters.ts";

const reading = { method: "GET", caller: "merchant" } as const;

/** Reading a payment by id, and queries in both versions (gateway facts, 0 and 2.4). */
export const queryEndpoints: readonly Endpoint[] = [
  { ...reading, path: "/v1/payments/{id}", problems: statusProblems, prepare: prepareReading },
  { ...reading, path: "/v1/query/{id}", problems: queryOfOneProblems, prepare: prepareQueryOfOne },
  {
    ...reading,
    path: "/v1/query",
    problems: queryProblems,
    prepare: (context, call) => prepareQuery(context, call, "v1"),
  },
  { ...reading, path: "/v3/query/{id}", problems: pagedQueryOfOneProblems, prepare: preparePagedQueryOfOne },
  {
    ...reading,
    path: "/v3/query",
    problems: pagedQueryProblems,
    prepare: (context, call) => prepareQuery(context, call, "v3"),
  },
];
