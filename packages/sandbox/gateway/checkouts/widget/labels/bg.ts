import type { Language } from "./language.ts";

/** Bulgarian. */
export const bg: Language = {
  tag: "bg",
  direction: "ltr",
  labels: {
    accountHolder: "Титуляр на сметката",
    accountIban: "IBAN",
    brand: "Вид карта",
    cardHolder: "Картодържател",
    cardNumber: "Номер на картата",
    continueTo: "Към {brand}",
    cvv: "Код за сигурност (CVV)",
    cvvHint: "Трите цифри на гърба на картата или четирите цифри на лицевата страна на карта American Express.",
    expiryDate: "Валидна до",
    expiryPlaceholder: "ММ / ГГ",
    processing: "Моля, изчакайте…",
    savedAccounts: "Запазени данни за плащане",
    showOtherPaymentMethods: "Други начини на плащане",
    store: "Запазване",
    storeDetails: "Запазване на данните за следващата ми покупка",
    submit: "Плащане",
  },
  errors: {
    accountHolderError: "Въведете името на титуляря на сметката.",
    accountIbanError: "Този IBAN не е валиден.",
    cardHolderError: "Въведете името, както е изписано на картата.",
    cardNumberError: "Този номер на карта не е валиден.",
    cvvError: "Този код за сигурност не е валиден.",
    expiryMonthError: "Тази дата на валидност не е правилна.",
    generalError: "Формулярът не можа да бъде изпратен. Опитайте отново.",
  },
};
