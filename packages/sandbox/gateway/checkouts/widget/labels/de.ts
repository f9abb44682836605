import type { Language } from "./language.ts";

/** German. */
export const de: Language = {
  tag: "de",
  direction: "ltr",
  labels: {
    accountHolder: "Kontoinhaber",
    accountIban: "IBAN",
    brand: "Kartenart",
    cardHolder: "Karteninhaber",
    cardNumber: "Kartennummer",
    continueTo: "Weiter zu {brand}",
    cvv: "Prüfnummer (CVV)",
    cvvHint: "Die drei Ziffern auf der Rückseite der Karte, bei American Express die vier Ziffern auf der Vorderseite.",
    expiryDate: "Gültig bis",
    expiryPlaceholder: "MM / JJ",
    processing: "Bitte warten …",
    savedAccounts: "Gespeicherte Zahlungsdaten",
    showOtherPaymentMethods: "Andere Zahlungsarten",
    store: "Speichern",
    storeDetails: "Diese Daten für meinen nächsten Einkauf speichern",
    submit: "Jetzt bezahlen",
  },
  errors: {
    accountHolderError: "Bitte geben Sie den Namen des Kontoinhabers ein.",
    accountIbanError: "Diese IBAN ist ungültig.",
    cardHolderError: "Bitte geben Sie den Namen ein, wie er auf der Karte steht.",
    cardNumberError: "Diese Kartennummer ist ungültig.",
    cvvError: "Diese Prüfnummer ist ungültig.",
    expiryMonthError: "Dieses Ablaufdatum ist ungültig.",
    generalError: "Das Formular konnte nicht gesendet werden. Bitte versuchen Sie es noch einmal.",
  },
};
