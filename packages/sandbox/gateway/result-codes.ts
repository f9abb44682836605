import type { Endpoint } from "./endpoint.ts";
import { jsonReply } from "./exchange.ts";
import { resultTexts } from "./ledger/result-texts.ts";
import { requestProblems } from "./parameters.ts";

/** Gateway facts, 1.4: the catalogue without classes. */
export const resultCodes: Endpoint = {
  method: "GET",
  path: "/v1/resultcodes",
  caller: "merchant",
  problems: (sent) => (sent.size === 0 ? [] : requestProblems("read", sent)),
  prepare: () =>
    jsonReply(200, { resultCodes: [...resultTexts].map(([code, description]) => ({ code, description })) }),
};
