/** Everything that is written on the hosted form in one language. A page may say each of these otherwise, by wpwlOptions.labels and .errorMessages under the same names. */
export interface Language {
  /** BCP 47: what the page's `lang` says, for those who have it read out. */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  readonly labels: {
    readonly accountHolder: string;
    readonly accountIban: string;
    readonly brand: string;
    readonly cardHolder: string;
    readonly cardNumber: string;
    /** {brand} is the brand's own name. */
    readonly continueTo: string;
    readonly cvv: string;
    /** Where the security code is to be found. */
    readonly cvvHint: string;
    readonly expiryDate: string;
    /** Month and year in the letters of the language. */
    readonly expiryPlaceholder: string;
    readonly processing: string;
    readonly savedAccounts: string;
    readonly showOtherPaymentMethods: string;
    /** The button of a form that only stores an account. */
    readonly store: string;
    readonly storeDetails: string;
    /** The button of a form that pays. */
    readonly submit: string;
  };
  readonly errors: {
    readonly accountHolderError: string;
    readonly accountIbanError: string;
    readonly cardHolderError: string;
    readonly cardNumberError: string;
    readonly cvvError: string;
    /** The same name for month and year. */
    readonly expiryMonthError: string;
    readonly generalError: string;
  };
}
