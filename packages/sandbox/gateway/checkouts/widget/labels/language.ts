/**
 * All texts of the hosted form in one language. A page may replace each by wpwlOptions.labels and .errorMessages under
 * the same names.
 */
export interface Language {
  /** BCP 47, the form's `lang`; screen readers use it. */
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
    /** Says where to find the security code. */
    readonly cvvHint: string;
    readonly expiryDate: string;
    /** Month and year in the language's letters. */
    readonly expiryPlaceholder: string;
    readonly processing: string;
    readonly savedAccounts: string;
    readonly showOtherPaymentMethods: string;
    /** Button of a form that only stores an account. */
    readonly store: string;
    readonly storeDetails: string;
    /** Button of a form that pays. */
    readonly submit: string;
  };
  readonly errors: {
    readonly accountHolderError: string;
    readonly accountIbanError: string;
    readonly cardHolderError: string;
    readonly cardNumberError: string;
    readonly cvvError: string;
    /** One text for month and year. */
    readonly expiryMonthError: string;
    readonly generalError: string;
  };
}
