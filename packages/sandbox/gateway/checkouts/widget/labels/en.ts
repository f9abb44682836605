import type { Language } from "./language.ts";

/** English. */
export const en: Language = {
  tag: "en",
  direction: "ltr",
  labels: {
    accountHolder: "Account holder",
    accountIban: "IBAN",
    brand: "Card type",
    cardHolder: "Card holder",
    cardNumber: "Card number",
    continueTo: "Continue to {brand}",
    cvv: "Security code (CVV)",
    cvvHint: "The three digits on the back of the card, or the four digits on the front of an American Express card.",
    expiryDate: "Expiry date",
    expiryPlaceholder: "MM / YY",
    processing: "Please wait …",
    savedAccounts: "Saved payment details",
    showOtherPaymentMethods: "Other payment methods",
    store: "Save",
    storeDetails: "Save these details for my next purchase",
    submit: "Pay now",
  },
  errors: {
    accountHolderError: "Please enter the name of the account holder.",
    accountIbanError: "This IBAN is not valid.",
    cardHolderError: "Please enter the name as it is printed on the card.",
    cardNumberError: "This card number is not valid.",
    cvvError: "This security code is not valid.",
    expiryMonthError: "This expiry date is not valid.",
    generalError: "The form could not be sent. Please try again.",
  },
};
