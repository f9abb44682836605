import { chapter } from "./chapter.ts";
import { flag, matching, oneOf, text, webAddress } from "./format.ts";

const FIELDS = [
  "street1",
  "street2",
  "houseNumber1",
  "houseNumber2",
  "city",
  "state",
  "postcode",
  "country",
  "all",
].join("|");
const fields = matching(
  `list of =${FIELDS}`,
  `(?:${FIELDS})(?:,(?:${FIELDS}))*`,
  "be fields of the billing address separated by commas, or all",
);

const colour = matching("#hex", "#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})", "be a colour such as #0dcaf0");
const size = matching("N1-4 px?", "[0-9]{1,4}(?:px)?", "be 1-4 digits, with px behind or not");
/** Public clients send an empty string if they have no picture. */
const picture = text(0, 2048);

/**
 * Not in the specification. Names are from gateway-facts 5; formats of layout.* and of the two lists are read from
 * published requests (inferred).
 */
export const payByLink = chapter(
  "Pay by link",
  [
    ["validUntil", matching("1 to 9999", "[1-9][0-9]{0,3}", "be a whole number from 1 to 9999")],
    ["validUntilUnit", oneOf("HOUR", "DAY")],
    ["createQRCode", flag],
    ["termsAndConditionsUrl", webAddress],
    ["privacyPolicyUrl", webAddress],
    ["collectBilling", fields],
    ["mandatoryBilling", fields],
    ["wpwlOptions", text(2, 4096)],
    ["layout.logo", picture],
    ["layout.logoWidth", size],
    ["layout.logoHeight", size],
    ["layout.backgroundImage", picture],
    ["layout.merchantNameColor", colour],
    ["layout.amountColor", colour],
    ["layout.payButtonColor", colour],
    ["layout.payButtonTextColor", colour],
  ],
  [],
  [
    "Not in the specification: names from public documentation, formats of `layout.*` and of the lists from published requests (inferred).",
  ],
);
