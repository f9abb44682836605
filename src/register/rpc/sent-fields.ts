import { z } from "zod";
import type { Ran } from "./call-result.ts";
import { findCardNumber } from "./card-number.ts";
import { refuse } from "./method.ts";

/** The parameters exactly as sent; the fingerprint is computed over these. */
export const sentSchema = z.record(z.string(), z.json());

/** Refuses text that looks like a card number, before it is stored, logged or passed on; undefined: none found. */
export function cardNumberIn(given: object): Ran<never> | undefined {
  const path = findCardNumber(given);
  if (path === undefined) return undefined;
  return refuse(
    "card-number-in-text",
    `${path} holds what looks like a card number: the bridge takes none from a register`,
    "fix-request",
    path,
  );
}
