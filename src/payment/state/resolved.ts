import type { Fact } from "../fact/fact.ts";

export type Resolved = Extract<Fact, { fact: "resolved" }>;

/** Only `approved` makes the booking that the operator named the payment's own. */
export function idByOperator({ resolved }: { readonly resolved: Resolved | undefined }): string | undefined {
  return resolved?.as === "approved" ? resolved.gatewayId : undefined;
}

/** After an approval, `reversed` and `declined` concern later bookings only. */
export function resolvedAgain(before: Resolved | undefined, word: Resolved): Resolved {
  if (before?.as !== "approved" || word.as === "approved") return word;
  return { ...word, as: "approved", ...(before.gatewayId !== undefined && { gatewayId: before.gatewayId }) };
}
