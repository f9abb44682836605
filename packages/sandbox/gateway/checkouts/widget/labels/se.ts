import type { Language } from "./language.ts";

/** Swedish. */
export const se: Language = {
  tag: "sv",
  direction: "ltr",
  labels: {
    accountHolder: "Kontoinnehavare",
    accountIban: "IBAN",
    brand: "Korttyp",
    cardHolder: "Kortinnehavare",
    cardNumber: "Kortnummer",
    continueTo: "Fortsätt till {brand}",
    cvv: "Säkerhetskod (CVV)",
    cvvHint: "De tre siffrorna på kortets baksida, eller de fyra siffrorna på framsidan av ett American Express-kort.",
    expiryDate: "Giltigt till",
    expiryPlaceholder: "MM / ÅÅ",
    processing: "Vänta …",
    savedAccounts: "Sparade betalningsuppgifter",
    showOtherPaymentMethods: "Andra betalningssätt",
    store: "Spara",
    storeDetails: "Spara uppgifterna till mitt nästa köp",
    submit: "Betala nu",
  },
  errors: {
    accountHolderError: "Ange kontoinnehavarens namn.",
    accountIbanError: "Detta IBAN är inte giltigt.",
    cardHolderError: "Ange namnet så som det står på kortet.",
    cardNumberError: "Kortnumret är inte giltigt.",
    cvvError: "Säkerhetskoden är inte giltig.",
    expiryMonthError: "Giltighetstiden är inte giltig.",
    generalError: "Formuläret kunde inte skickas. Försök igen.",
  },
};
