import { type Chapter, needsOther, parameters, streetNotDigitsOnly } from "./chapter.ts";
import { country, lettersOrDigits, matching, text } from "./format.ts";

export const billing: Chapter = {
  title: "Billing address",
  parameters: parameters([
    ["billing.street1", text(1, 100), "conditional"],
    ["billing.street2", text(1, 100), "conditional"],
    ["billing.houseNumber1", text(1, 100)],
    ["billing.houseNumber2", text(1, 100)],
    ["billing.city", text(1, 80), "conditional"],
    ["billing.state", matching("[A-Za-z0-9.]{1,50}", "be 1-50 letters, digits or dots"), "conditional"],
    ["billing.postcode", lettersOrDigits(1, 16), "conditional"],
    ["billing.country", country, "conditional"],
    ["billing.normalized", text(1, 255)],
    ["billing.validationStatus", text(1, 255)],
  ]),
  rules: [needsOther("billing.houseNumber2", "billing.houseNumber1"), streetNotDigitsOnly("billing.")],
};
