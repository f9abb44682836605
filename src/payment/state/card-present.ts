import type { Accepted } from "../fact/fact.ts";

/**
 * Whether a card is presented at a terminal for it. A capture, void, refund or increment needs none, and neither does
 * what a stored card pays or the customer by a link: such
 * a payment has no terminal (NO_TERMINAL), leaves its terminal's side where it began, and waits for the gateway alone.
 */
export function isCardPresent({ of, registration, link }: Pick<Accepted, "of" | "registration" | "link">): boolean {
  return of === undefined && registration === undefined && link === undefined;
}

/** In place of a terminal's name, which has at least one character. */
export const NO_TERMINAL = "";
