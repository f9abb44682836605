import type { Language } from "./language.ts";

/** Slovak. */
export const sk: Language = {
  tag: "sk",
  direction: "ltr",
  labels: {
    accountHolder: "Majiteľ účtu",
    accountIban: "IBAN",
    brand: "Typ karty",
    cardHolder: "Držiteľ karty",
    cardNumber: "Číslo karty",
    continueTo: "Pokračovať na {brand}",
    cvv: "Bezpečnostný kód (CVV)",
    cvvHint: "Tri číslice na zadnej strane karty, pri karte American Express štyri číslice na prednej strane.",
    expiryDate: "Platnosť do",
    expiryPlaceholder: "MM / RR",
    processing: "Čakajte, prosím…",
    savedAccounts: "Uložené platobné údaje",
    showOtherPaymentMethods: "Iné spôsoby platby",
    store: "Uložiť",
    storeDetails: "Uložiť tieto údaje pre môj ďalší nákup",
    submit: "Zaplatiť",
  },
  errors: {
    accountHolderError: "Zadajte meno majiteľa účtu.",
    accountIbanError: "Tento IBAN nie je platný.",
    cardHolderError: "Zadajte meno tak, ako je uvedené na karte.",
    cardNumberError: "Toto číslo karty nie je platné.",
    cvvError: "Tento bezpečnostný kód nie je platný.",
    expiryMonthError: "Tento dátum platnosti nie je správny.",
    generalError: "Formulár sa nepodarilo odoslať. Skúste to znova.",
  },
};
