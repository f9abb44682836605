import { chapter, needsOther, rows } from "./chapter.ts";
import { customerRows, customerRules } from "./customer.ts";
import { cost, date, letters, lettersOrDigits, nameLetters, oneOf, phone, state, string, text } from "./format.ts";

/** "5-30 uppercase letters and underscores" excludes PUDO, which is listed; the list decides. */
const METHODS = [
  "CARRIER_DESIGNATED_BY_CUSTOMER",
  "ELECTRONIC_DELIVERY",
  "EXPEDITED",
  "GROUND",
  "INTERNATIONAL",
  "LOWEST_COST",
  "MILITARY",
  "NEXT_DAY_OVERNIGHT",
  "OTHER",
  "POINT_PICKUP",
  "PUDO",
  "SAME_DAY_SERVICE",
  "STORE_PICKUP",
  "THREE_DAY_SERVICE",
  "TWO_DAY_SERVICE",
];

/** The merchant's own are "optional". */
const addressRows = <const P extends "shipping." | "merchant.shipping.">(prefix: P) => {
  const conditional = prefix === "shipping." ? "conditional" : "optional";
  return rows([
    [`${prefix}street1`, text(1, 100), conditional],
    [`${prefix}street2`, text(1, 100), conditional],
    [`${prefix}houseNumber1`, text(1, 100)],
    [`${prefix}houseNumber2`, text(1, 100)],
    [`${prefix}city`, nameLetters(1, 80), conditional],
    [`${prefix}state`, state, conditional],
    [`${prefix}postcode`, lettersOrDigits(1, 16), conditional],
    [`${prefix}country`, letters(2, 2), conditional],
    [`${prefix}method`, oneOf(...METHODS), conditional],
    [`${prefix}cost`, cost, conditional],
    [`${prefix}comment`, text(1, 160), conditional],
    [`${prefix}expectedDate`, date],
    [`${prefix}logisticsProvider`, text(1, 255)],
    [`${prefix}trackingNumber`, text(1, 255)],
    [`${prefix}returnTrackingNumber`, text(1, 255)],
    [`${prefix}normalized`, text(1, 255)],
    [`${prefix}validationStatus`, text(1, 255)],
    [`${prefix}warehouse`, text(1, 100)],
    [`${prefix}preference`, oneOf("GET_FROM_FILE", "NO_SHIPPING", "SET_PROVIDED_ADDRESS")],
    [`${prefix}middleName`, string],
    [`${prefix}companyName`, text(1, 60)],
    [`${prefix}phone`, phone(6, 26)],
    [`${prefix}mobile`, phone(6, 26)],
    [`${prefix}workPhone`, text(1, 25)],
    [`${prefix}email`, text(6, 128)],
    [`${prefix}type`, oneOf("RETURN", "SHIPMENT")],
  ]);
};

const NOTES = [
  "`houseNumber2` needs `houseNumber1`.",
  "The letters of `city` are those of any script, with blanks and the punctuation that names have.",
];

export const shipping = chapter(
  "Shipping address",
  addressRows("shipping."),
  [needsOther("shipping.houseNumber2", "shipping.houseNumber1")],
  NOTES,
);

/**
 * "shipping.customer.* holds the same fields for a different recipient, except browserFingerprint.*, browser.deviceId
 * and app.deviceId."
 */
export const shippingCustomer = chapter(
  "Customer of the shipping address",
  customerRows("shipping.customer."),
  customerRules("shipping.customer."),
  ["The same rules as for the customer."],
);

export const merchantShipping = chapter(
  "Shipping address of the merchant",
  addressRows("merchant.shipping."),
  [needsOther("merchant.shipping.houseNumber2", "merchant.shipping.houseNumber1")],
  NOTES,
);
