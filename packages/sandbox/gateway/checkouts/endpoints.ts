import type { Endpoint } from "../endpoint.ts";
import type { CheckoutKind } from "./checkout.ts";
import { creationProblems, prepareCreation, prepareUpdate, updateProblems } from "./creation.ts";
import { prepareResultPage } from "./shopper-replies.ts";
import { prepareStatus, statusProblems } from "./status.ts";
import { prepareSubmission, submissionProblems } from "./submission.ts";
import { prepareField, prepareFile, prepareScript, scriptProblems } from "./widget-replies.ts";

/** The hosted checkout (specification, "Resources" and "Endpoints"; gateway facts, 0 and 2.6). */
export const checkoutEndpoints: readonly Endpoint[] = [
  {
    ...{ method: "POST", path: "/v1/checkouts", caller: "merchant" },
    problems: creationProblems,
    prepare: prepareCreation,
  },
  {
    ...{ method: "POST", path: "/v1/checkouts/{id}", caller: "merchant" },
    problems: updateProblems,
    prepare: prepareUpdate,
  },
  ...ofKind("payment"),
  ...ofKind("registration"),
  {
    ...{ method: "GET", path: "/v1/checkouts/{id}/result", caller: "shopper" },
    problems: () => [],
    prepare: prepareResultPage,
  },
  {
    ...{ method: "GET", path: "/v1/paymentWidgets.js", caller: "shopper" },
    problems: scriptProblems,
    prepare: prepareScript,
  },
  {
    ...{ method: "GET", path: "/v1/paymentWidgets/{file}", caller: "shopper" },
    problems: () => [],
    prepare: prepareFile,
  },
  {
    ...{ method: "GET", path: "/v1/checkouts/{id}/fields/{field}", caller: "shopper" },
    problems: () => [],
    prepare: prepareField,
  },
];

/** The hosted form's submission and the status request of the merchant's server. */
function ofKind(kind: CheckoutKind): readonly Endpoint[] {
  const path = `/v1/checkouts/{id}/${kind}`;
  const paymentType = kind === "registration" ? { paymentType: "RG" } : {};
  return [
    {
      ...{ method: "POST", path, caller: "shopper", ...paymentType },
      problems: submissionProblems,
      prepare: (context, call) => prepareSubmission(context, call, kind),
    },
    {
      ...{ method: "GET", path, caller: "merchant" },
      problems: statusProblems,
      prepare: (context, call) => prepareStatus(context, call, kind),
    },
  ];
}
