import type { Endpoint } from "../endpoint.ts";
import { isAnswer, prepareVisit } from "./shopper-visit.ts";

/**
 * The pages that `redirect.url` leads to (specification, "Asynchronous payments"); shops send the shopper there by GET
 * or POST.
 */
export const asynchronousEndpoints: readonly Endpoint[] = (["GET", "POST"] as const).flatMap((method) =>
  (["bank", "challenge"] as const).map(
    (is): Endpoint => ({
      ...{ method, path: `/shopper/${is}/{id}`, caller: "shopper" },
      hasOutcome: (sent) => method === "POST" && isAnswer(sent),
      problems: () => [],
      prepare: prepareVisit,
    }),
  ),
);
