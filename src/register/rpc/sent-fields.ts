import { z } from "zod";
import type { Ran } from "./call-result.ts";
import { findCardNumber } from "./card-number.ts";
import { refuse } from "./method.ts";

/** As sent: the schemas of parameters change nothing, so that what they hand on is what a fingerprint stands for. */
export const sentSchema = z.record(z.string(), z.json());

/** Refuses text that looks like a card number, before anything is kept, logged or passed on; undefined where there is none. */
export function cardNumberIn(given: object): Ran<never> | undefined {
  const path = findCardNumber(given);
  if (path === undefined) return undefined;
  return refuse("card-number-in-text", `${path} holds what looks like a card number: the bridge takes none from a register`, "fix-request", path);
}
