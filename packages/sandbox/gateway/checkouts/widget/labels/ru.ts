import type { Language } from "./language.ts";

/** Russian. */
export const ru: Language = {
  tag: "ru",
  direction: "ltr",
  labels: {
    accountHolder: "Владелец счёта",
    accountIban: "IBAN",
    brand: "Тип карты",
    cardHolder: "Владелец карты",
    cardNumber: "Номер карты",
    continueTo: "Перейти к {brand}",
    cvv: "Код безопасности (CVV)",
    cvvHint: "Три цифры на обратной стороне карты или четыре цифры на лицевой стороне карты American Express.",
    expiryDate: "Срок действия",
    expiryPlaceholder: "ММ / ГГ",
    processing: "Подождите…",
    savedAccounts: "Сохранённые платёжные данные",
    showOtherPaymentMethods: "Другие способы оплаты",
    store: "Сохранить",
    storeDetails: "Сохранить эти данные для следующей покупки",
    submit: "Оплатить",
  },
  errors: {
    accountHolderError: "Введите имя владельца счёта.",
    accountIbanError: "Этот IBAN недействителен.",
    cardHolderError: "Введите имя так, как оно указано на карте.",
    cardNumberError: "Этот номер карты недействителен.",
    cvvError: "Этот код безопасности недействителен.",
    expiryMonthError: "Этот срок действия неверен.",
    generalError: "Не удалось отправить форму. Попробуйте ещё раз.",
  },
};
