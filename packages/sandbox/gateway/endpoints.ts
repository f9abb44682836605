import { asynchronousEndpoints } from "./asynchronous/endpoints.ts";
import { checkoutEndpoints } from "./checkouts/endpoints.ts";
import type { Endpoint } from "./endpoint.ts";
import { scheduleEndpoints } from "./jobs/endpoints.ts";
import { linkEndpoints } from "./links/endpoints.ts";
import { paymentEndpoints } from "./payments/endpoints.ts";
import { queryEndpoints } from "./payments/query-endpoints.ts";
import { reconciliationEndpoints } from "./reconciliation/endpoints.ts";
import { registrationEndpoints } from "./registrations/endpoints.ts";
import { resultCodes } from "./result-codes.ts";

/**
 * All endpoints of this gateway (specification, "Endpoints"; gateway facts, 0, for the omissions). Add new resources
 * here.
 */
export const endpoints: readonly Endpoint[] = [
  ...paymentEndpoints,
  ...registrationEndpoints,
  ...scheduleEndpoints,
  ...queryEndpoints,
  ...reconciliationEndpoints,
  ...linkEndpoints,
  ...asynchronousEndpoints,
  ...checkoutEndpoints,
  resultCodes,
];
