import { chapter } from "./chapter.ts";
import { date, letters, oneOf, phone, plainText, text } from "./format.ts";

/** The specification spells BAN_AND_BIC this way. */
const NUMBER_TYPES = [
  "OTHER",
  "RTN_AND_BANK_ACCOUNT",
  "IBAN",
  "PHONE_NUMBER",
  "BAN_AND_BIC",
  "WALLET_ID",
  "SOCIAL_NETWORK_ID",
];

export const recipient = chapter("Recipient", [
  ["recipient.givenName", plainText(0, 48)],
  ["recipient.middleName", plainText(0, 48)],
  ["recipient.surname", plainText(0, 48)],
  ["recipient.birthDate", date],
  ["recipient.phone", phone(8, 26)],
  ["recipient.accountNumber", text(0, 32)],
  ["recipient.street", text(0, 100)],
  ["recipient.city", text(0, 50)],
  ["recipient.state", text(0, 50)],
  ["recipient.country", letters(0, 3)],
  ["recipient.postcode", text(1, 30)],
  ["recipient.accountNumberType", oneOf(...NUMBER_TYPES)],
]);
