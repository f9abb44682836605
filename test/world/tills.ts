/** The tills of a world: which card the customers of each have, and which channel its money takes. */
export interface Till {
  /** A card of packages/sandbox/testbed/deck.ts. */
  readonly card: string;
  readonly settlement: "dual" | "single";
  /** The issuer answers every other card with a soft decline: it wants more than a tap. */
  readonly softDeclines?: true;
}

export const TILLS: readonly Till[] = [
  { card: "visa-contact", settlement: "dual" },
  { card: "visa-contact-cvn18", settlement: "single" },
  { card: "mastercard-contact", settlement: "dual" },
  { card: "contact-declines-after-approval", settlement: "dual" },
  { card: "visa-contactless", settlement: "dual" },
  { card: "magstripe", settlement: "single" },
  { card: "fallback", settlement: "dual" },
  { card: "wrong-pin-once", settlement: "dual" },
  { card: "signature", settlement: "dual" },
  { card: "visa-contactless", settlement: "dual", softDeclines: true },
];
