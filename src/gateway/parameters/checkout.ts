import { type Chapter, chapter, needed, part } from "./chapter.ts";
import { lettersOrDigits, oneOf } from "./format.ts";

/** Of the three only REGISTRATION_BASED stands in the specification; INITIAL and REPEATED are what the gateway's public clients send beside it (inferred). */
const recurringTypes = oneOf("INITIAL", "REPEATED", "REGISTRATION_BASED");

const id = lettersOrDigits(32, 32);

/** What only the specification's chapter "Endpoints" names, and how stored tokens are passed (gateway-facts 0). */
export const checkout = chapter(
  "Checkouts and tokens",
  [
    ["recurringType", recurringTypes],
    ["registrations[n].id", id],
    ["registrationId", id, "conditional"],
  ],
  [],
  ['Not a chapter of the specification: its "Endpoints" name `recurringType`, public clients send the rest (inferred).'],
);

/** At the creation of a checkout and at its update: the tokens that the shopper may choose from. */
export const checkoutWithTokens: Chapter = part(checkout, (name) => name !== "registrationId");

/**
 * "Payment parameters and one account structure, or token reference": the reference is called as the response calls it (inferred). In the address of
 * POST /v1/registrations/{id}/payments it needs no name.
 */
export const tokenReference: Chapter = part(checkout, (name) => name !== "registrations[n].id");

/** A schedule runs on a token and nothing else. */
export const tokenOfSchedule: Chapter = part(checkout, (name) => name !== "registrations[n].id", needed("registrationId"));

export const recurring: Chapter = part(checkout, (name) => name === "recurringType");
