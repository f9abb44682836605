import { chapter } from "./chapter.ts";
import { date, letters, oneOf, plainText, text, twoDigitCode } from "./format.ts";

export const sender = chapter("Sender", [
  ["sender.name", plainText(0, 100)],
  ["sender.givenName", plainText(0, 50)],
  ["sender.middleName", plainText(0, 50)],
  ["sender.surname", plainText(0, 50)],
  ["sender.birthDate", date],
  ["sender.accountNumber", text(0, 32)],
  ["sender.street", text(0, 100)],
  ["sender.city", plainText(0, 50)],
  ["sender.state", plainText(0, 50)],
  ["sender.country", letters(0, 3)],
  ["sender.postcode", text(1, 30)],
  ["sender.accountNumberType", oneOf("OTHER", "RTN_AND_BANK_ACCOUNT", "IBAN", "IBAN_AND_BIC", "CARD_ACCOUNT")],
  ["sender.sourceOfFunds", twoDigitCode(1, 9)],
]);
