import type { Language } from "./language.ts";

/** Romanian. */
export const ro: Language = {
  tag: "ro",
  direction: "ltr",
  labels: {
    accountHolder: "Titularul contului",
    accountIban: "IBAN",
    brand: "Tipul cardului",
    cardHolder: "Titularul cardului",
    cardNumber: "Numărul cardului",
    continueTo: "Continuați către {brand}",
    cvv: "Cod de securitate (CVV)",
    cvvHint: "Cele trei cifre de pe spatele cardului sau cele patru cifre de pe fața unui card American Express.",
    expiryDate: "Data expirării",
    expiryPlaceholder: "LL / AA",
    processing: "Vă rugăm să așteptați…",
    savedAccounts: "Date de plată salvate",
    showOtherPaymentMethods: "Alte metode de plată",
    store: "Salvați",
    storeDetails: "Salvați aceste date pentru următoarea mea cumpărătură",
    submit: "Plătiți acum",
  },
  errors: {
    accountHolderError: "Introduceți numele titularului contului.",
    accountIbanError: "Acest IBAN nu este valid.",
    cardHolderError: "Introduceți numele așa cum apare pe card.",
    cardNumberError: "Acest număr de card nu este valid.",
    cvvError: "Acest cod de securitate nu este valid.",
    expiryMonthError: "Această dată de expirare nu este validă.",
    generalError: "Formularul nu a putut fi trimis. Încercați din nou.",
  },
};
