import type { Language } from "./language.ts";

/** Italian. */
export const it: Language = {
  tag: "it",
  direction: "ltr",
  labels: {
    accountHolder: "Intestatario del conto",
    accountIban: "IBAN",
    brand: "Tipo di carta",
    cardHolder: "Titolare della carta",
    cardNumber: "Numero di carta",
    continueTo: "Continua su {brand}",
    cvv: "Codice di sicurezza (CVV)",
    cvvHint: "Le tre cifre sul retro della carta o, per American Express, le quattro cifre sul fronte.",
    expiryDate: "Data di scadenza",
    expiryPlaceholder: "MM / AA",
    processing: "Attendere…",
    savedAccounts: "Dati di pagamento salvati",
    showOtherPaymentMethods: "Altri metodi di pagamento",
    store: "Salva",
    storeDetails: "Salva questi dati per il mio prossimo acquisto",
    submit: "Paga ora",
  },
  errors: {
    accountHolderError: "Inserisca il nome dell’intestatario del conto.",
    accountIbanError: "Questo IBAN non è valido.",
    cardHolderError: "Inserisca il nome come riportato sulla carta.",
    cardNumberError: "Questo numero di carta non è valido.",
    cvvError: "Questo codice di sicurezza non è valido.",
    expiryMonthError: "Questa data di scadenza non è valida.",
    generalError: "Non è stato possibile inviare il modulo. Riprovi.",
  },
};
