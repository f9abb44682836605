import { type Chapter, needsOther, parameters } from "./chapter.ts";
import { customerFields, customerRules } from "./customer.ts";
import { country, date, lettersOrDigits, matching, oneOf, phone, text, twoDecimals } from "./format.ts";

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

/** The city's "letters" are read as anything but digits: towns have spaces, hyphens and dots in their names. */
export const shipping: Chapter = {
  title: "Shipping address",
  parameters: [
    ...parameters([
      ["shipping.street1", text(1, 100), "conditional"],
      ["shipping.street2", text(1, 100), "conditional"],
      ["shipping.houseNumber1", text(1, 100)],
      ["shipping.houseNumber2", text(1, 100)],
      ["shipping.city", matching("[^0-9]{1,80}", "be 1-80 characters without digits"), "conditional"],
      ["shipping.state", matching("[A-Za-z0-9.]{1,50}", "be 1-50 letters, digits or dots"), "conditional"],
      ["shipping.postcode", lettersOrDigits(1, 16), "conditional"],
      ["shipping.country", country, "conditional"],
      ["shipping.method", oneOf(...METHODS), "conditional"],
      ["shipping.cost", twoDecimals, "conditional"],
      ["shipping.comment", text(1, 160), "conditional"],
      ["shipping.expectedDate", date],
      ["shipping.logisticsProvider", text(1, 255)],
      ["shipping.trackingNumber", text(1, 255)],
      ["shipping.returnTrackingNumber", text(1, 255)],
      ["shipping.normalized", text(1, 255)],
      ["shipping.validationStatus", text(1, 255)],
      ["shipping.warehouse", text(1, 100)],
      ["shipping.preference", oneOf("GET_FROM_FILE", "NO_SHIPPING", "SET_PROVIDED_ADDRESS")],
      ["shipping.middleName", text(1, 255)],
      ["shipping.companyName", text(1, 60)],
      ["shipping.phone", phone(6, 26)],
      ["shipping.mobile", phone(6, 26)],
      ["shipping.workPhone", text(1, 25)],
      ["shipping.email", text(6, 128)],
      ["shipping.type", oneOf("RETURN", "SHIPMENT")],
    ]),
    ...customerFields("shipping.customer."),
  ],
  rules: [needsOther("shipping.houseNumber2", "shipping.houseNumber1"), ...customerRules("shipping.customer.")],
};
