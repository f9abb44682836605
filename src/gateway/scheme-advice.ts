import type { SchemeAdvice } from "../payment/exchange.ts";
import type { Reply } from "./reply.ts";

/**
 * Mastercard's advice codes, as its processors publish them. The others (04 tokens, 22 products, 40 and 41 kinds of
 * card) need no action at a register.
 */
const MEANINGS: Readonly<Record<string, SchemeAdvice>> = {
  "01": { is: "new-card-data" },
  "02": { is: "later" },
  "03": { is: "never-again" },
  "21": { is: "agreement-ended" },
  "24": { is: "later", hours: 1 },
  "25": { is: "later", hours: 24 },
  "26": { is: "later", hours: 2 * 24 },
  "27": { is: "later", hours: 4 * 24 },
  "28": { is: "later", hours: 6 * 24 },
  "29": { is: "later", hours: 8 * 24 },
  "30": { is: "later", hours: 10 * 24 },
};

/** Specification, "Response body": resultDetails.MerchantAdviceCode, which some acquirers send with a decline. */
export function schemeAdviceOf({ resultDetails }: Reply): SchemeAdvice | undefined {
  return MEANINGS[resultDetails?.MerchantAdviceCode ?? ""];
}
