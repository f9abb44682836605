import type { Language } from "./language.ts";

/** Finnish. */
export const fi: Language = {
  tag: "fi",
  direction: "ltr",
  labels: {
    accountHolder: "Tilinomistaja",
    accountIban: "IBAN",
    brand: "Kortin tyyppi",
    cardHolder: "Kortinhaltija",
    cardNumber: "Kortin numero",
    continueTo: "Jatka palveluun {brand}",
    cvv: "Turvakoodi (CVV)",
    cvvHint: "Kolme numeroa kortin kääntöpuolella tai American Express -kortissa neljä numeroa etupuolella.",
    expiryDate: "Voimassa asti",
    expiryPlaceholder: "KK / VV",
    processing: "Odota hetki…",
    savedAccounts: "Tallennetut maksutiedot",
    showOtherPaymentMethods: "Muut maksutavat",
    store: "Tallenna",
    storeDetails: "Tallenna tiedot seuraavaa ostosta varten",
    submit: "Maksa nyt",
  },
  errors: {
    accountHolderError: "Anna tilinomistajan nimi.",
    accountIbanError: "IBAN ei kelpaa.",
    cardHolderError: "Anna nimi sellaisena kuin se on kortissa.",
    cardNumberError: "Kortin numero ei kelpaa.",
    cvvError: "Turvakoodi ei kelpaa.",
    expiryMonthError: "Voimassaoloaika ei kelpaa.",
    generalError: "Lomaketta ei voitu lähettää. Yritä uudelleen.",
  },
};
