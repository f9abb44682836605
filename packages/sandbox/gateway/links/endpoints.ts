import type { Endpoint } from "../endpoint.ts";
import { linkPath } from "./link.ts";
import { prepareLinkPage, prepareLinkPayment } from "./link-payment.ts";
import {
  linkProblems,
  linkReadProblems,
  prepareLink,
  prepareLinkPaymentReading,
  prepareLinkReading,
} from "./link-requests.ts";

/** Pay by link (gateway facts, 5). No call cancels a link: public sources show none. */
export const linkEndpoints: readonly Endpoint[] = [
  { ...{ method: "POST", path: "/paybylink/v1", caller: "merchant" }, problems: linkProblems, prepare: prepareLink },
  {
    ...{ method: "GET", path: "/paybylink/v1/{id}", caller: "merchant" },
    problems: linkReadProblems,
    prepare: prepareLinkReading,
  },
  {
    ...{ method: "GET", path: "/paybylink/v1/{id}/checkouts/{checkoutId}/payment", caller: "merchant" },
    ...{ problems: linkReadProblems, prepare: prepareLinkPaymentReading },
  },
  {
    ...{ method: "GET", path: linkPath("{id}"), caller: "shopper" },
    hasOutcome: () => false,
    problems: () => [],
    prepare: prepareLinkPage,
  },
  { ...{ method: "POST", path: linkPath("{id}"), caller: "shopper" }, problems: () => [], prepare: prepareLinkPayment },
];
