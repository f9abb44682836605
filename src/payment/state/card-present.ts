import type { Accepted } from "../fact/fact.ts";

/** Follow-ups, stored cards and links use no terminal. */
export function isCardPresent({ of, registration, link }: Pick<Accepted, "of" | "registration" | "link">): boolean {
  return of === undefined && registration === undefined && link === undefined;
}

/** A real terminal's name has at least one character. */
export const NO_TERMINAL = "";
