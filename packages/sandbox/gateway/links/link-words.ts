import { z } from "zod";
import { type LanguageCode, languageCodeSchema } from "../checkouts/widget/languages.ts";
import texts from "./link-words.json" with { type: "json" };

const text = z.string().min(1);

/**
 * All texts of a link's page in one language; labels of card and account fields come from the hosted form.
 * Placeholders: {merchant}, {amount}, {reference}, {brand}, {field}.
 */
const linkWordsSchema = z.strictObject({
  /** Page title; {merchant} is the merchant's name, or `shop` if unknown. */
  payTo: text,
  shop: text,
  /** Button of a form. */
  pay: text,
  reference: text,
  item: text,
  count: text,
  price: text,
  /** Heading of each form. */
  byCard: text,
  byBank: text,
  otherwise: text,
  expiryMonth: text,
  expiryYear: text,
  billing: text,
  street1: text,
  street2: text,
  houseNumber1: text,
  houseNumber2: text,
  city: text,
  state: text,
  postcode: text,
  country: text,
  terms: text,
  privacy: text,
  back: text,
  notHere: text,
  underWay: text,
  undecided: text,
  /** Leads to the payment under way. */
  goOn: text,
  cancelFirst: text,
  paidTo: text,
  usedUp: text,
  expired: text,
  askAgain: text,
  notMade: text,
  tryAgain: text,
  newLink: text,
  /** {field}: the field's label. */
  check: text,
});
export type LinkWords = z.infer<typeof linkWordsSchema>;

/** In the hosted form's languages; no text may be missing. */
export const linkWords: Readonly<Record<LanguageCode, LinkWords>> = z
  .record(languageCodeSchema, linkWordsSchema)
  .parse(texts);
