import type { Language } from "./language.ts";

/** Polish. */
export const pl: Language = {
  tag: "pl",
  direction: "ltr",
  labels: {
    accountHolder: "Właściciel rachunku",
    accountIban: "IBAN",
    brand: "Rodzaj karty",
    cardHolder: "Posiadacz karty",
    cardNumber: "Numer karty",
    continueTo: "Przejdź do {brand}",
    cvv: "Kod zabezpieczający (CVV)",
    cvvHint: "Trzy cyfry na odwrocie karty lub cztery cyfry na przedniej stronie karty American Express.",
    expiryDate: "Data ważności",
    expiryPlaceholder: "MM / RR",
    processing: "Proszę czekać…",
    savedAccounts: "Zapisane dane płatnicze",
    showOtherPaymentMethods: "Inne metody płatności",
    store: "Zapisz",
    storeDetails: "Zapisz te dane na potrzeby kolejnych zakupów",
    submit: "Zapłać teraz",
  },
  errors: {
    accountHolderError: "Podaj imię i nazwisko właściciela rachunku.",
    accountIbanError: "Ten numer IBAN jest nieprawidłowy.",
    cardHolderError: "Podaj imię i nazwisko tak, jak na karcie.",
    cardNumberError: "Ten numer karty jest nieprawidłowy.",
    cvvError: "Ten kod zabezpieczający jest nieprawidłowy.",
    expiryMonthError: "Ta data ważności jest nieprawidłowa.",
    generalError: "Nie udało się wysłać formularza. Spróbuj ponownie.",
  },
};
