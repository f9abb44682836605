import type { Language } from "./language.ts";

/** Slovenian. */
export const sl: Language = {
  tag: "sl",
  direction: "ltr",
  labels: {
    accountHolder: "Imetnik računa",
    accountIban: "IBAN",
    brand: "Vrsta kartice",
    cardHolder: "Imetnik kartice",
    cardNumber: "Številka kartice",
    continueTo: "Nadaljuj na {brand}",
    cvv: "Varnostna koda (CVV)",
    cvvHint: "Tri števke na hrbtni strani kartice oziroma štiri števke na sprednji strani kartice American Express.",
    expiryDate: "Veljavna do",
    expiryPlaceholder: "MM / LL",
    processing: "Prosimo, počakajte …",
    savedAccounts: "Shranjeni plačilni podatki",
    showOtherPaymentMethods: "Drugi načini plačila",
    store: "Shrani",
    storeDetails: "Shrani te podatke za moj naslednji nakup",
    submit: "Plačaj zdaj",
  },
  errors: {
    accountHolderError: "Vnesite ime imetnika računa.",
    accountIbanError: "Ta IBAN ni veljaven.",
    cardHolderError: "Vnesite ime, kot je zapisano na kartici.",
    cardNumberError: "Ta številka kartice ni veljavna.",
    cvvError: "Ta varnostna koda ni veljavna.",
    expiryMonthError: "Ta datum veljavnosti ni pravilen.",
    generalError: "Obrazca ni bilo mogoče poslati. Poskusite znova.",
  },
};
