import type { Language } from "./language.ts";

/** Turkish. */
export const tr: Language = {
  tag: "tr",
  direction: "ltr",
  labels: {
    accountHolder: "Hesap sahibi",
    accountIban: "IBAN",
    brand: "Kart türü",
    cardHolder: "Kart sahibi",
    cardNumber: "Kart numarası",
    continueTo: "{brand} ile devam et",
    cvv: "Güvenlik kodu (CVV)",
    cvvHint: "Kartın arka yüzündeki üç rakam ya da American Express kartının ön yüzündeki dört rakam.",
    expiryDate: "Son kullanma tarihi",
    expiryPlaceholder: "AA / YY",
    processing: "Lütfen bekleyin…",
    savedAccounts: "Kayıtlı ödeme bilgileri",
    showOtherPaymentMethods: "Diğer ödeme yöntemleri",
    store: "Kaydet",
    storeDetails: "Bu bilgileri bir sonraki alışverişim için kaydet",
    submit: "Şimdi öde",
  },
  errors: {
    accountHolderError: "Lütfen hesap sahibinin adını girin.",
    accountIbanError: "Bu IBAN geçerli değil.",
    cardHolderError: "Lütfen adı kartın üzerinde yazdığı gibi girin.",
    cardNumberError: "Bu kart numarası geçerli değil.",
    cvvError: "Bu güvenlik kodu geçerli değil.",
    expiryMonthError: "Bu son kullanma tarihi geçerli değil.",
    generalError: "Form gönderilemedi. Lütfen yeniden deneyin.",
  },
};
