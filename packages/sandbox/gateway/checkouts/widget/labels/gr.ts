import type { Language } from "./language.ts";

/** Greek. */
export const gr: Language = {
  tag: "el",
  direction: "ltr",
  labels: {
    accountHolder: "Κάτοχος λογαριασμού",
    accountIban: "IBAN",
    brand: "Τύπος κάρτας",
    cardHolder: "Κάτοχος κάρτας",
    cardNumber: "Αριθμός κάρτας",
    continueTo: "Συνέχεια στο {brand}",
    cvv: "Κωδικός ασφαλείας (CVV)",
    cvvHint:
      "Τα τρία ψηφία στο πίσω μέρος της κάρτας ή τα τέσσερα ψηφία στην μπροστινή όψη μιας κάρτας American Express.",
    expiryDate: "Ημερομηνία λήξης",
    expiryPlaceholder: "ΜΜ / ΕΕ",
    processing: "Παρακαλώ περιμένετε…",
    savedAccounts: "Αποθηκευμένα στοιχεία πληρωμής",
    showOtherPaymentMethods: "Άλλοι τρόποι πληρωμής",
    store: "Αποθήκευση",
    storeDetails: "Αποθήκευση των στοιχείων για την επόμενη αγορά μου",
    submit: "Πληρωμή",
  },
  errors: {
    accountHolderError: "Εισαγάγετε το όνομα του κατόχου του λογαριασμού.",
    accountIbanError: "Αυτό το IBAN δεν είναι έγκυρο.",
    cardHolderError: "Εισαγάγετε το όνομα όπως αναγράφεται στην κάρτα.",
    cardNumberError: "Αυτός ο αριθμός κάρτας δεν είναι έγκυρος.",
    cvvError: "Αυτός ο κωδικός ασφαλείας δεν είναι έγκυρος.",
    expiryMonthError: "Αυτή η ημερομηνία λήξης δεν είναι έγκυρη.",
    generalError: "Η φόρμα δεν στάλθηκε. Δοκιμάστε ξανά.",
  },
};
