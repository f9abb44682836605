import type { Language } from "./language.ts";

/** French. */
export const fr: Language = {
  tag: "fr",
  direction: "ltr",
  labels: {
    accountHolder: "Titulaire du compte",
    accountIban: "IBAN",
    brand: "Type de carte",
    cardHolder: "Titulaire de la carte",
    cardNumber: "Numéro de carte",
    continueTo: "Continuer vers {brand}",
    cvv: "Code de sécurité (CVV)",
    cvvHint: "Les trois chiffres au dos de la carte, ou les quatre chiffres au recto d’une carte American Express.",
    expiryDate: "Date d’expiration",
    expiryPlaceholder: "MM / AA",
    processing: "Veuillez patienter…",
    savedAccounts: "Moyens de paiement enregistrés",
    showOtherPaymentMethods: "Autres moyens de paiement",
    store: "Enregistrer",
    storeDetails: "Enregistrer ces données pour mon prochain achat",
    submit: "Payer maintenant",
  },
  errors: {
    accountHolderError: "Veuillez saisir le nom du titulaire du compte.",
    accountIbanError: "Cet IBAN n’est pas valide.",
    cardHolderError: "Veuillez saisir le nom tel qu’il figure sur la carte.",
    cardNumberError: "Ce numéro de carte n’est pas valide.",
    cvvError: "Ce code de sécurité n’est pas valide.",
    expiryMonthError: "Cette date d’expiration n’est pas valide.",
    generalError: "Le formulaire n’a pas pu être envoyé. Veuillez réessayer.",
  },
};
