/**
 * All texts of a link's page in one language; labels of card and account fields come from the hosted form.
 * Placeholders: {merchant}, {amount}, {reference}, {brand}, {field}.
 */
export interface LinkWords {
  /** Page title; {merchant} is the merchant's name, or `shop` if unknown. */
  readonly payTo: string;
  readonly shop: string;
  /** Button of a form. */
  readonly pay: string;
  readonly reference: string;
  readonly item: string;
  readonly count: string;
  readonly price: string;
  /** Heading of each form. */
  readonly byCard: string;
  readonly byBank: string;
  readonly otherwise: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly billing: string;
  readonly street1: string;
  readonly street2: string;
  readonly houseNumber1: string;
  readonly houseNumber2: string;
  readonly city: string;
  readonly state: string;
  readonly postcode: string;
  readonly country: string;
  readonly terms: string;
  readonly privacy: string;
  readonly back: string;
  readonly notHere: string;
  readonly underWay: string;
  readonly undecided: string;
  /** Leads to the payment under way. */
  readonly goOn: string;
  readonly cancelFirst: string;
  readonly paidTo: string;
  readonly usedUp: string;
  readonly expired: string;
  readonly askAgain: string;
  readonly notMade: string;
  readonly tryAgain: string;
  readonly newLink: string;
  /** {field}: the field's label. */
  readonly check: string;
}
