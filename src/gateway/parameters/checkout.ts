import { type Chapter, chapter, needed, part } from "./chapter.ts";
import { lettersOrDigits, oneOf } from "./format.ts";

/**
 * The specification has only REGISTRATION_BASED; the gateway's public clients also send INITIAL and REPEATED
 * (inferred).
 */
const recurringTypes = oneOf("INITIAL", "REPEATED", "REGISTRATION_BASED");

const id = lettersOrDigits(32, 32);

/**
 * Parameters that only the specification's chapter "Endpoints" names, and the way to pass stored tokens (gateway-facts
 * 0).
 */
export const checkout = chapter(
  "Checkouts and tokens",
  [
    ["recurringType", recurringTypes],
    ["registrations[n].id", id],
    ["registrationId", id, "conditional"],
  ],
  [],
  [
    'Not a chapter of the specification: its "Endpoints" name `recurringType`, public clients send the rest (inferred).',
  ],
);

/** For creating and updating a checkout: the tokens that the shopper may choose from. */
export const checkoutWithTokens: Chapter = part(checkout, (name) => name !== "registrationId");

/**
 * "Payment parameters and one account structure, or token reference". The name is the response's (inferred). At POST
 * /v1/registrations/{id}/payments the address holds the token.
 */
export const tokenReference: Chapter = part(checkout, (name) => name !== "registrations[n].id");

/** A schedule pays by a token only. */
export const tokenOfSchedule: Chapter = part(
  checkout,
  (name) => name !== "registrations[n].id",
  needed("registrationId"),
);

export const recurring: Chapter = part(checkout, (name) => name === "recurringType");
