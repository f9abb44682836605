import type { Accepted } from "../fact/fact.ts";

export function isCardPresent({ of, registration, link }: Pick<Accepted, "of" | "registration" | "link">): boolean {
  return of === undefined && registration === undefined && link === undefined;
}

export const NO_TERMINAL = "";
