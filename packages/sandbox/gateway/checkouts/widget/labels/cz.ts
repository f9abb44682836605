import type { Language } from "./language.ts";

/** Czech. */
export const cz: Language = {
  tag: "cs",
  direction: "ltr",
  labels: {
    accountHolder: "Majitel účtu",
    accountIban: "IBAN",
    brand: "Typ karty",
    cardHolder: "Držitel karty",
    cardNumber: "Číslo karty",
    continueTo: "Pokračovat na {brand}",
    cvv: "Bezpečnostní kód (CVV)",
    cvvHint: "Tři číslice na zadní straně karty, u karty American Express čtyři číslice na přední straně.",
    expiryDate: "Platnost do",
    expiryPlaceholder: "MM / RR",
    processing: "Čekejte prosím…",
    savedAccounts: "Uložené platební údaje",
    showOtherPaymentMethods: "Jiné způsoby platby",
    store: "Uložit",
    storeDetails: "Uložit tyto údaje pro můj příští nákup",
    submit: "Zaplatit",
  },
  errors: {
    accountHolderError: "Zadejte jméno majitele účtu.",
    accountIbanError: "Tento IBAN není platný.",
    cardHolderError: "Zadejte jméno tak, jak je uvedeno na kartě.",
    cardNumberError: "Toto číslo karty není platné.",
    cvvError: "Tento bezpečnostní kód není platný.",
    expiryMonthError: "Toto datum platnosti není správné.",
    generalError: "Formulář se nepodařilo odeslat. Zkuste to prosím znovu.",
  },
};
