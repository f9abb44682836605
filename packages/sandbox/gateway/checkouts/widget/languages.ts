import { z } from "zod";
import texts from "./languages.json" with { type: "json" };

/** The gateway's codes (specification, "Endpoints"), in its order. Some are country codes: dk, se, cz, cn, gr. */
export const languageCodeSchema = z.enum([
  "en",
  "de",
  "fr",
  "es",
  "it",
  "nl",
  "dk",
  "fi",
  "se",
  "tr",
  "ja",
  "sl",
  "pt",
  "pl",
  "cz",
  "hu",
  "bg",
  "ro",
  "ru",
  "cn",
  "gr",
  "no",
  "sk",
  "ar",
  "ko",
]);
export type LanguageCode = z.infer<typeof languageCodeSchema>;

const text = z.string().min(1);

/**
 * All texts of the hosted form in one language. A page may replace each by wpwlOptions.labels and .errorMessages under
 * the same names.
 */
const languageSchema = z.strictObject({
  /** BCP 47, the form's `lang`; screen readers use it. */
  tag: text,
  direction: z.enum(["ltr", "rtl"]),
  labels: z.strictObject({
    accountHolder: text,
    accountIban: text,
    brand: text,
    cardHolder: text,
    cardNumber: text,
    /** {brand} is the brand's own name. */
    continueTo: text,
    cvv: text,
    /** Says where to find the security code. */
    cvvHint: text,
    expiryDate: text,
    /** Month and year in the language's letters. */
    expiryPlaceholder: text,
    processing: text,
    savedAccounts: text,
    showOtherPaymentMethods: text,
    /** Button of a form that only stores an account. */
    store: text,
    storeDetails: text,
    /** Button of a form that pays. */
    submit: text,
  }),
  errors: z.strictObject({
    accountHolderError: text,
    accountIbanError: text,
    cardHolderError: text,
    cardNumberError: text,
    cvvError: text,
    /** One text for month and year. */
    expiryMonthError: text,
    generalError: text,
  }),
});
export type Language = z.infer<typeof languageSchema>;

/** The hosted form's languages. One that is missing, or lacks a text, ends the program at its start. */
export const languages: Readonly<Record<LanguageCode, Language>> = z
  .record(languageCodeSchema, languageSchema)
  .parse(texts);

/** ISO 639 codes for languages that the gateway names otherwise. */
export const otherCodes: Readonly<Record<string, string>> = {
  da: "dk",
  sv: "se",
  cs: "cz",
  zh: "cn",
  el: "gr",
  nb: "no",
  nn: "no",
};

/** The gateway's code for a locale: "de", "de-AT" and "de_AT" are the same; unknown locales are English. */
export function codeOf(locale = "en"): LanguageCode {
  const [code = ""] = locale.toLowerCase().split(/[-_]/);
  const own = Object.hasOwn(otherCodes, code) ? otherCodes[code] : code;
  return languageCodeSchema.safeParse(own).data ?? "en";
}
