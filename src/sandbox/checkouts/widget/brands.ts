/** A brand that the hosted form offers. */
export interface WidgetBrand {
  readonly title: string;
  /** Which form it gets; the names are those of the form's CSS classes. */
  readonly is: "card" | "directDebit" | "virtualAccount" | "onlineTransfer" | "invoice" | "prepayment";
  /** The whole numbers of a card of that brand, as the source of a regular expression. */
  readonly numbers?: string;
  /** How they begin where that tells the brand already, while it is being typed. */
  readonly begins?: string;
  /** Digits that a security code may have; 0 where there need not be one. */
  readonly cvv?: readonly number[];
}

/** The names of cards, and the leading digits that the schemes publish (ISO/IEC 7812). Maestro, which is what is left of 5 and 6, comes last. */
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
