import type { Fact } from "../fact/fact.ts";

export type Resolved = Extract<Fact, { fact: "resolved" }>;

/** With another word than `approved`, an id is only a note. */
export function idByOperator({ resolved }: { readonly resolved: Resolved | undefined }): string | undefined {
  return resolved?.as === "approved" ? resolved.gatewayId : undefined;
}

/** A payment that stays approved keeps the id that the operator named: the capture made by hand refers to it. */
export function resolvedAgain(before: Resolved | undefined, word: Resolved): Resolved {
  if (before?.as !== "approved" || word.as === "approved") return word;
  return { ...word, as: "approved", ...(before.gatewayId !== undefined && { gatewayId: before.gatewayId }) };
}
