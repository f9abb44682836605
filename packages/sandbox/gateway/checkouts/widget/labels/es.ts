import type { Language } from "./language.ts";

/** Spanish. */
export const es: Language = {
  tag: "es",
  direction: "ltr",
  labels: {
    accountHolder: "Titular de la cuenta",
    accountIban: "IBAN",
    brand: "Tipo de tarjeta",
    cardHolder: "Titular de la tarjeta",
    cardNumber: "Número de tarjeta",
    continueTo: "Continuar a {brand}",
    cvv: "Código de seguridad (CVV)",
    cvvHint:
      "Los tres dígitos del reverso de la tarjeta, o los cuatro dígitos del anverso de una tarjeta American Express.",
    expiryDate: "Fecha de caducidad",
    expiryPlaceholder: "MM / AA",
    processing: "Espere, por favor…",
    savedAccounts: "Datos de pago guardados",
    showOtherPaymentMethods: "Otros métodos de pago",
    store: "Guardar",
    storeDetails: "Guardar estos datos para mi próxima compra",
    submit: "Pagar ahora",
  },
  errors: {
    accountHolderError: "Introduzca el nombre del titular de la cuenta.",
    accountIbanError: "Este IBAN no es válido.",
    cardHolderError: "Introduzca el nombre tal como aparece en la tarjeta.",
    cardNumberError: "Este número de tarjeta no es válido.",
    cvvError: "Este código de seguridad no es válido.",
    expiryMonthError: "Esta fecha de caducidad no es válida.",
    generalError: "No se ha podido enviar el formulario. Inténtelo de nuevo.",
  },
};
