import type { Language } from "./language.ts";

/** Arabic. */
export const ar: Language = {
  tag: "ar",
  direction: "rtl",
  labels: {
    accountHolder: "اسم صاحب الحساب",
    accountIban: "رقم الآيبان (IBAN)",
    brand: "نوع البطاقة",
    cardHolder: "اسم حامل البطاقة",
    cardNumber: "رقم البطاقة",
    continueTo: "المتابعة إلى {brand}",
    cvv: "رمز الأمان (CVV)",
    cvvHint: "الأرقام الثلاثة على ظهر البطاقة، أو الأرقام الأربعة على وجه بطاقة أمريكان إكسبريس.",
    expiryDate: "تاريخ انتهاء الصلاحية",
    expiryPlaceholder: "شهر / سنة",
    processing: "يُرجى الانتظار…",
    savedAccounts: "بيانات الدفع المحفوظة",
    showOtherPaymentMethods: "طرق دفع أخرى",
    store: "حفظ",
    storeDetails: "حفظ هذه البيانات لعملية الشراء التالية",
    submit: "ادفع الآن",
  },
  errors: {
    accountHolderError: "يُرجى إدخال اسم صاحب الحساب.",
    accountIbanError: "رقم الآيبان هذا غير صالح.",
    cardHolderError: "يُرجى إدخال الاسم كما هو مكتوب على البطاقة.",
    cardNumberError: "رقم البطاقة هذا غير صالح.",
    cvvError: "رمز الأمان هذا غير صالح.",
    expiryMonthError: "تاريخ انتهاء الصلاحية هذا غير صالح.",
    generalError: "تعذّر إرسال النموذج. يُرجى المحاولة مرة أخرى.",
  },
};
