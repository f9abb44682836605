import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Endpoint } from "../endpoint.ts";
import { requestProblems } from "../parameters.ts";
import { prepareTokenPayment } from "../registrations/stored-payments.ts";
import { preparePayment } from "./payments.ts";
import { prepareAnother, prepareReference } from "./references.ts";
import { anotherProblems, goesOnFromAnother, referenceProblems } from "./referencing-parameters.ts";

/** POST /v1/payments and follow-ups (specification, "Endpoints"). */
export const paymentEndpoints: readonly Endpoint[] = [
  {
    ...{ method: "POST", path: "/v1/payments", caller: "merchant" },
    problems: (sent) => (goesOnFromAnother(sent) ? anotherProblems(sent) : requestProblems("payment", sent)),
    prepare: (context, call) => prepareFirst(call.sent)(context, call),
  },
  {
    ...{ method: "POST", path: "/v1/payments/{id}", caller: "merchant" },
    problems: referenceProblems,
    prepare: prepareReference,
  },
];

/** "Payment parameters and one account structure, or token reference"; or a payment that continues another. */
function prepareFirst(sent: Sent): Endpoint["prepare"] {
  if (goesOnFromAnother(sent)) return prepareAnother;
  return sent.has("registrationId") ? prepareTokenPayment : preparePayment;
}
