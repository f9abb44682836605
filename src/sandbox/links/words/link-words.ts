/**
 * Everything that is written on a link's page in one language, but for the names of a card's and an account's fields, which are those of the hosted form. In braces: {merchant},
 * {amount}, {reference}, {brand}, {field}.
 */
export interface LinkWords {
  /** The page's title; {merchant} is the shop's name, or `shop` where it says none. */
  readonly payTo: string;
  readonly shop: string;
  /** The button of a form. */
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
  /** To where a payment that is under way waits for its customer. */
  readonly goOn: string;
  readonly cancelFirst: string;
  readonly paidTo: string;
  readonly usedUp: string;
  readonly expired: string;
  readonly askAgain: string;
  readonly notMade: string;
  readonly tryAgain: string;
  readonly newLink: string;
  /** {field}: what the page calls it. */
  readonly check: string;
}
