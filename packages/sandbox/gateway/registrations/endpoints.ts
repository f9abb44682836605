import type { Endpoint } from "../endpoint.ts";
import { requestProblems } from "../parameters.ts";
import { storedPaymentProblems, updateProblems } from "./registration-parameters.ts";
import { prepareDeletion, prepareRegistration, prepareRegistrationReading, prepareUpdate } from "./registrations.ts";
import { prepareStoredPayment } from "./stored-payments.ts";

/** Stored accounts, and payments with them (gateway facts, 0). */
export const registrationEndpoints: readonly Endpoint[] = [
  {
    ...{ method: "POST", path: "/v1/registrations", caller: "merchant", paymentType: "RG" },
    problems: (sent) => requestProblems("registration", sent),
    prepare: prepareRegistration,
  },
  {
    ...{ method: "GET", path: "/v1/registrations/{id}", caller: "merchant" },
    problems: (sent) => requestProblems("read", sent),
    prepare: prepareRegistrationReading,
  },
  {
    ...{ method: "POST", path: "/v1/registrations/{id}", caller: "merchant", paymentType: "RR" },
    problems: updateProblems,
    prepare: prepareUpdate,
  },
  {
    ...{ method: "POST", path: "/v1/registrations/{id}/payments", caller: "merchant" },
    problems: storedPaymentProblems,
    prepare: (context, call) => prepareStoredPayment(context, call, call.id()),
  },
  {
    ...{ method: "DELETE", path: "/v1/registrations/{id}", caller: "merchant", paymentType: "DR" },
    problems: (sent) => requestProblems("deletion", sent),
    prepare: prepareDeletion,
  },
];
