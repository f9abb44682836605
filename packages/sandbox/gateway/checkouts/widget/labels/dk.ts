import type { Language } from "./language.ts";

/** Danish. */
export const dk: Language = {
  tag: "da",
  direction: "ltr",
  labels: {
    accountHolder: "Kontohaver",
    accountIban: "IBAN",
    brand: "Korttype",
    cardHolder: "Kortholder",
    cardNumber: "Kortnummer",
    continueTo: "Fortsæt til {brand}",
    cvv: "Sikkerhedskode (CVV)",
    cvvHint: "De tre cifre på bagsiden af kortet, eller de fire cifre på forsiden af et American Express-kort.",
    expiryDate: "Udløbsdato",
    expiryPlaceholder: "MM / ÅÅ",
    processing: "Vent venligst …",
    savedAccounts: "Gemte betalingsoplysninger",
    showOtherPaymentMethods: "Andre betalingsmetoder",
    store: "Gem",
    storeDetails: "Gem disse oplysninger til mit næste køb",
    submit: "Betal nu",
  },
  errors: {
    accountHolderError: "Indtast kontohaverens navn.",
    accountIbanError: "Dette IBAN er ikke gyldigt.",
    cardHolderError: "Indtast navnet, som det står på kortet.",
    cardNumberError: "Dette kortnummer er ikke gyldigt.",
    cvvError: "Denne sikkerhedskode er ikke gyldig.",
    expiryMonthError: "Denne udløbsdato er ikke gyldig.",
    generalError: "Formularen kunne ikke sendes. Prøv igen.",
  },
};
