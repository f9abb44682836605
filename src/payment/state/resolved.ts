import type { Fact } from "../fact/fact.ts";

export type Resolved = Extract<Fact, { fact: "resolved" }>;

export function idByOperator({ resolved }: { readonly resolved: Resolved | undefined }): string | undefined {
  return resolved?.as === "approved" ? resolved.gatewayId : undefined;
}

/**
 * A later `reversed` or `declined` concerns a booking seen since: the approval stays, because the register was told it.
 */
export function resolvedAgain(before: Resolved | undefined, word: Resolved): Resolved {
  if (before?.as !== "approved" || word.as === "approved") return word;
  return { ...word, as: "approved", ...(before.gatewayId !== undefined && { gatewayId: before.gatewayId }) };
}
