import type { Language } from "./language.ts";

/** Portuguese. */
export const pt: Language = {
  tag: "pt",
  direction: "ltr",
  labels: {
    accountHolder: "Titular da conta",
    accountIban: "IBAN",
    brand: "Tipo de cartão",
    cardHolder: "Titular do cartão",
    cardNumber: "Número do cartão",
    continueTo: "Continuar para {brand}",
    cvv: "Código de segurança (CVV)",
    cvvHint: "Os três dígitos no verso do cartão ou os quatro dígitos na frente de um cartão American Express.",
    expiryDate: "Data de validade",
    expiryPlaceholder: "MM / AA",
    processing: "Aguarde…",
    savedAccounts: "Dados de pagamento guardados",
    showOtherPaymentMethods: "Outros métodos de pagamento",
    store: "Guardar",
    storeDetails: "Guardar estes dados para a minha próxima compra",
    submit: "Pagar agora",
  },
  errors: {
    accountHolderError: "Introduza o nome do titular da conta.",
    accountIbanError: "Este IBAN não é válido.",
    cardHolderError: "Introduza o nome tal como aparece no cartão.",
    cardNumberError: "Este número de cartão não é válido.",
    cvvError: "Este código de segurança não é válido.",
    expiryMonthError: "Esta data de validade não é válida.",
    generalError: "Não foi possível enviar o formulário. Tente novamente.",
  },
};
