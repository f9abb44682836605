/** A brand that the hosted form offers. */
export interface WidgetBrand {
  readonly title: string;
  /** Kind of form, named as in the form's CSS classes. */
  readonly is: "card" | "directDebit" | "virtualAccount" | "onlineTransfer" | "invoice" | "prepayment";
  /** Regular expression source for complete card numbers of the brand. */
  readonly numbers?: string;
  /** Leading digits that identify the brand while the number is typed. */
  readonly begins?: string;
  /** Allowed lengths of the security code; 0: optional. */
  readonly cvv?: readonly number[];
}

/**
 * Card names and the schemes' published leading digits (ISO/IEC 7812). Maestro has the rest of 5 and 6 and comes last.
 */
export const cardSigns: Readonly<Record<string, Pick<WidgetBrand, "title" | "begins">>> = {
  VISA: { title: "Visa", begins: "4" },
  MASTER: { title: "Mastercard", begins: "5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720" },
  AMEX: { title: "American Express", begins: "3[47]" },
  DINERS: { title: "Diners Club", begins: "30[0-5]|309|3[689]" },
  DISCOVER: { title: "Discover", begins: "6011|64[4-9]|65" },
  JCB: { title: "JCB", begins: "352[89]|35[3-8]" },
  MAESTRO: { title: "Maestro", begins: "50|5[6-9]|6[0-37-9]" },
  VISADEBIT: { title: "Visa Debit" },
  VISAELECTRON: { title: "Visa Electron" },
  MASTERDEBIT: { title: "Mastercard Debit" },
  CARTEBANCAIRE: { title: "Carte Bancaire" },
  CHINAUNIONPAY: { title: "UnionPay" },
  MADA: { title: "mada" },
  DANKORT: { title: "Dankort" },
  BCMC: { title: "Bancontact" },
};

export const directDebitBrands: Readonly<Record<string, WidgetBrand>> = {
  DIRECTDEBIT_SEPA: { title: "SEPA", is: "directDebit" },
};
