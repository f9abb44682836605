import type { Fact } from "../fact/fact.ts";

/** What a person has said of a payment. */
export type Resolved = Extract<Fact, { fact: "resolved" }>;

/** The gateway's id of what he says was booked; an id that he names with another word is a note for people. */
export function idByOperator({ resolved }: { readonly resolved: Resolved | undefined }): string | undefined {
  return resolved?.as === "approved" ? resolved.gatewayId : undefined;
}

/**
 * What he says later of a payment that stays approved is said of something else: what was captured by hand under the id
 * that he named stays so.
 */
export function resolvedAgain(before: Resolved | undefined, word: Resolved): Resolved {
  if (before?.as !== "approved" || word.as === "approved") return word;
  return { ...word, as: "approved", ...(before.gatewayId !== undefined && { gatewayId: before.gatewayId }) };
}
