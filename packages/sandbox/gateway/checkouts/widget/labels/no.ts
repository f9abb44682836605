import type { Language } from "./language.ts";

/** Norwegian. */
export const no: Language = {
  tag: "no",
  direction: "ltr",
  labels: {
    accountHolder: "Kontoinnehaver",
    accountIban: "IBAN",
    brand: "Korttype",
    cardHolder: "Kortinnehaver",
    cardNumber: "Kortnummer",
    continueTo: "Fortsett til {brand}",
    cvv: "Sikkerhetskode (CVV)",
    cvvHint: "De tre sifrene på baksiden av kortet, eller de fire sifrene på forsiden av et American Express-kort.",
    expiryDate: "Utløpsdato",
    expiryPlaceholder: "MM / ÅÅ",
    processing: "Vent litt …",
    savedAccounts: "Lagrede betalingsopplysninger",
    showOtherPaymentMethods: "Andre betalingsmåter",
    store: "Lagre",
    storeDetails: "Lagre opplysningene til neste kjøp",
    submit: "Betal nå",
  },
  errors: {
    accountHolderError: "Skriv inn navnet på kontoinnehaveren.",
    accountIbanError: "Dette IBAN-nummeret er ikke gyldig.",
    cardHolderError: "Skriv inn navnet slik det står på kortet.",
    cardNumberError: "Dette kortnummeret er ikke gyldig.",
    cvvError: "Denne sikkerhetskoden er ikke gyldig.",
    expiryMonthError: "Denne utløpsdatoen er ikke gyldig.",
    generalError: "Skjemaet kunne ikke sendes. Prøv igjen.",
  },
};
