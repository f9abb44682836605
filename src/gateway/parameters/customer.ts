import { allOrNone, chapter, neededUnder, type Rule, rows } from "./chapter.ts";
import { count, date, digits, flag, matching, oneOf, phoneUpTo, text, textUpTo, uppercase } from "./format.ts";

/** Pixels, and minutes with an optional sign. */
const pixels = count("pixels1-6", "[0-9]{1,6}", "be 1-6 digits");
const minutes = matching("minutes1-5", "(?=.{1,5}$)[+-]?[0-9]+", "be minutes of 1-5 characters");

/** shipping.customer has the same fields, for a different recipient. */
export const customerRows = <const P extends "customer." | "shipping.customer.">(prefix: P) =>
  rows([
    [`${prefix}merchantCustomerId`, text(1, 255)],
    [`${prefix}givenName`, textUpTo(50), "conditional"],
    [`${prefix}middleName`, text(2, 50)],
    [`${prefix}surname`, textUpTo(50), "conditional"],
    [`${prefix}sex`, oneOf("M", "F")],
    [`${prefix}birthDate`, date],
    [`${prefix}phone`, phoneUpTo(25)],
    [`${prefix}mobile`, phoneUpTo(25)],
    [`${prefix}workPhone`, text(1, 25)],
    [`${prefix}email`, text(6, 128)],
    [`${prefix}companyName`, text(1, 60)],
    [`${prefix}identificationDocType`, oneOf("IDCARD", "PASSPORT", "TAXSTATEMENT"), "conditional"],
    [`${prefix}identificationDocId`, text(8, 64), "conditional"],
    [`${prefix}ip`, text(1, 255)],
    [`${prefix}merchantReference`, textUpTo(255)],
    [`${prefix}salutation`, oneOf("MR", "MRS", "MS", "MX")],
    [`${prefix}language`, uppercase(2)],
    [`${prefix}category`, oneOf("INDIVIDUAL", "COMPANY")],
    [`${prefix}status`, oneOf("NEW", "EXISTING")],
    [`${prefix}browser.acceptHeader`, text(1, 2048), "conditional"],
    [`${prefix}browser.language`, text(1, 8), "conditional"],
    [`${prefix}browser.screenHeight`, pixels, "conditional"],
    [`${prefix}browser.screenWidth`, pixels, "conditional"],
    [`${prefix}browser.timezone`, minutes, "conditional"],
    [`${prefix}browser.userAgent`, text(1, 2048), "conditional"],
    [`${prefix}browser.javaEnabled`, flag, "conditional"],
    [`${prefix}browser.screenColorDepth`, digits(1, 2)],
    [`${prefix}browser.challengeWindow`, digits(1, 1)],
  ]);

/** Any other field requires both names; type and number of an identity document need each other. */
export function customerRules(prefix: "customer." | "shipping.customer."): readonly Rule[] {
  return [
    ...neededUnder(prefix, `${prefix}givenName`, `${prefix}surname`),
    allOrNone(`${prefix}identificationDocType`, `${prefix}identificationDocId`),
  ];
}

export const customer = chapter(
  "Customer",
  [
    ...customerRows("customer."),
    ["customer.browserFingerprint.id", text(1, 255)],
    ["customer.browserFingerprint.value", text(1, 4096)],
    ["customer.browser.deviceId", text(1, 32)],
    ["customer.app.deviceId", text(1, 40)],
  ],
  customerRules("customer."),
  [
    "`givenName` and `surname` are required when any other field is sent.",
    "`identificationDocType` and `identificationDocId` are sent together.",
  ],
);
