import type { Language } from "./language.ts";

/** Hungarian. */
export const hu: Language = {
  tag: "hu",
  direction: "ltr",
  labels: {
    accountHolder: "Számlatulajdonos",
    accountIban: "IBAN",
    brand: "Kártyatípus",
    cardHolder: "Kártyabirtokos",
    cardNumber: "Kártyaszám",
    continueTo: "Tovább ide: {brand}",
    cvv: "Biztonsági kód (CVV)",
    cvvHint: "A kártya hátoldalán található három számjegy, American Express kártyánál az előlapon lévő négy számjegy.",
    expiryDate: "Lejárat dátuma",
    expiryPlaceholder: "HH / ÉÉ",
    processing: "Kérjük, várjon…",
    savedAccounts: "Mentett fizetési adatok",
    showOtherPaymentMethods: "Egyéb fizetési módok",
    store: "Mentés",
    storeDetails: "Adatok mentése a következő vásárláshoz",
    submit: "Fizetés",
  },
  errors: {
    accountHolderError: "Adja meg a számlatulajdonos nevét.",
    accountIbanError: "Ez az IBAN érvénytelen.",
    cardHolderError: "A nevet úgy adja meg, ahogy a kártyán szerepel.",
    cardNumberError: "Ez a kártyaszám érvénytelen.",
    cvvError: "Ez a biztonsági kód érvénytelen.",
    expiryMonthError: "Ez a lejárati dátum érvénytelen.",
    generalError: "Az űrlapot nem sikerült elküldeni. Próbálja újra.",
  },
};
