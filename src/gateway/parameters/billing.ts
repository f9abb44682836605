import { chapter, needsOther, type Rule, rows } from "./chapter.ts";
import { country, lettersOrDigits, phoneSigns, state, string, text } from "./format.ts";

type Prefix = "billing." | "merchant.billing.";

/** The merchant's own are "all optional". */
const addressRows = <const P extends Prefix>(prefix: P) => {
  const conditional = prefix === "billing." ? "conditional" : "optional";
  return rows([
    [`${prefix}street1`, text(1, 100), conditional],
    [`${prefix}street2`, text(1, 100), conditional],
    [`${prefix}houseNumber1`, text(1, 100)],
    [`${prefix}houseNumber2`, text(1, 100)],
    [`${prefix}city`, text(1, 80), conditional],
    [`${prefix}state`, state, conditional],
    [`${prefix}postcode`, lettersOrDigits(1, 16), conditional],
    [`${prefix}country`, country, conditional],
    [`${prefix}normalized`, text(1, 255)],
    [`${prefix}validationStatus`, text(1, 255)],
  ]);
};

function streetNotDigitsOnly(prefix: Prefix): Rule {
  return (sent) => {
    const name = `${prefix}street1`;
    const street = `${sent.get(name) ?? ""}${sent.get(`${prefix}street2`) ?? ""}`;
    if (!/^[0-9]+$/.test(street)) return [];
    const named = sent.has(name) ? name : `${prefix}street2`;
    return [{ name: named, value: sent.get(named) ?? "", message: "may not be digits only" }];
  };
}

const addressRules = (prefix: Prefix): readonly Rule[] => [
  needsOther(`${prefix}houseNumber2`, `${prefix}houseNumber1`),
  streetNotDigitsOnly(prefix),
];

const NOTES = ["`street1` and `street2` together may not be digits only.", "`houseNumber2` needs `houseNumber1`."];

export const billing = chapter("Billing address", addressRows("billing."), addressRules("billing."), NOTES);

export const merchantBilling = chapter(
  "Billing address of the merchant",
  [
    ...addressRows("merchant.billing."),
    ["merchant.billing.givenName", string],
    ["merchant.billing.surname", string],
    ["merchant.billing.middleName", string],
    ["merchant.billing.companyName", text(1, 60)],
    ["merchant.billing.phone", text(1, 25)],
    ["merchant.billing.workPhone", text(1, 25)],
    ["merchant.billing.mobile", phoneSigns(6, 26)],
    ["merchant.billing.email", text(6, 128)],
  ],
  addressRules("merchant.billing."),
  NOTES,
);
