import type { Language } from "./language.ts";

/** Dutch. */
export const nl: Language = {
  tag: "nl",
  direction: "ltr",
  labels: {
    accountHolder: "Rekeninghouder",
    accountIban: "IBAN",
    brand: "Soort kaart",
    cardHolder: "Kaarthouder",
    cardNumber: "Kaartnummer",
    continueTo: "Verder naar {brand}",
    cvv: "Beveiligingscode (CVV)",
    cvvHint:
      "De drie cijfers op de achterkant van de kaart, of de vier cijfers op de voorkant van een American Express-kaart.",
    expiryDate: "Vervaldatum",
    expiryPlaceholder: "MM / JJ",
    processing: "Even geduld…",
    savedAccounts: "Opgeslagen betaalgegevens",
    showOtherPaymentMethods: "Andere betaalmethoden",
    store: "Opslaan",
    storeDetails: "Deze gegevens bewaren voor mijn volgende aankoop",
    submit: "Nu betalen",
  },
  errors: {
    accountHolderError: "Vul de naam van de rekeninghouder in.",
    accountIbanError: "Dit IBAN is niet geldig.",
    cardHolderError: "Vul de naam in zoals die op de kaart staat.",
    cardNumberError: "Dit kaartnummer is niet geldig.",
    cvvError: "Deze beveiligingscode is niet geldig.",
    expiryMonthError: "Deze vervaldatum is niet geldig.",
    generalError: "Het formulier kon niet worden verzonden. Probeer het opnieuw.",
  },
};
