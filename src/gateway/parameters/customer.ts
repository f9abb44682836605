import { allOrNone, anyUnder, type Chapter, neededWhen, type Parameter, parameters, type Rule } from "./chapter.ts";
import { count, date, digits, flag, matching, oneOf, phone, text } from "./format.ts";

/** The fields that also stand under shipping.customer, for a different recipient. */
export function customerFields(prefix: "customer." | "shipping.customer."): readonly Parameter[] {
  return parameters([
    [`${prefix}merchantCustomerId`, text(1, 255)],
    [`${prefix}givenName`, text(1, 50), "conditional"],
    [`${prefix}middleName`, text(2, 50)],
    [`${prefix}surname`, text(1, 50), "conditional"],
    [`${prefix}sex`, oneOf("M", "F")],
    [`${prefix}birthDate`, date],
    [`${prefix}phone`, phone(1, 25)],
    [`${prefix}mobile`, phone(1, 25)],
    [`${prefix}workPhone`, text(1, 25)],
    [`${prefix}email`, text(6, 128)],
    [`${prefix}companyName`, text(1, 60)],
    [`${prefix}identificationDocType`, oneOf("IDCARD", "PASSPORT", "TAXSTATEMENT"), "conditional"],
    [`${prefix}identificationDocId`, text(8, 64), "conditional"],
    [`${prefix}ip`, text(1, 255)],
    [`${prefix}merchantReference`, text(1, 255)],
    [`${prefix}salutation`, oneOf("MR", "MRS", "MS", "MX")],
    [`${prefix}language`, matching("[A-Z]{2}", "be 2 uppercase letters")],
    [`${prefix}category`, oneOf("INDIVIDUAL", "COMPANY")],
    [`${prefix}status`, oneOf("NEW", "EXISTING")],
    [`${prefix}browser.acceptHeader`, text(1, 2048), "conditional"],
    [`${prefix}browser.language`, text(1, 8), "conditional"],
    [`${prefix}browser.screenHeight`, count("[0-9]{1,6}", "be 1-6 digits"), "conditional"],
    [`${prefix}browser.screenWidth`, count("[0-9]{1,6}", "be 1-6 digits"), "conditional"],
    [`${prefix}browser.timezone`, text(1, 5), "conditional"],
    [`${prefix}browser.userAgent`, text(1, 2048), "conditional"],
    [`${prefix}browser.javaEnabled`, flag, "conditional"],
    [`${prefix}browser.screenColorDepth`, digits(1, 2)],
    [`${prefix}browser.challengeWindow`, digits(1, 1)],
  ]);
}

/** Both names are required when any other field is sent; the kind of an identity document goes with its number. */
export function customerRules(prefix: "customer." | "shipping.customer."): readonly Rule[] {
  return [
    neededWhen(`${prefix}givenName`, (sent) => anyUnder(sent, prefix)),
    neededWhen(`${prefix}surname`, (sent) => anyUnder(sent, prefix)),
    allOrNone(`${prefix}identificationDocType`, `${prefix}identificationDocId`),
  ];
}

export const customer: Chapter = {
  title: "Customer",
  parameters: [
    ...customerFields("customer."),
    ...parameters([
      ["customer.browserFingerprint.id", text(1, 255)],
      ["customer.browserFingerprint.value", text(1, 4096)],
      ["customer.browser.deviceId", text(1, 32)],
      ["customer.app.deviceId", text(1, 40)],
    ]),
  ],
  rules: customerRules("customer."),
};
