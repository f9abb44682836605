import { authentication } from "./authentication.ts";
import { basic, basicOfDeletion, basicOfRegistration } from "./basic.ts";
import { billing } from "./billing.ts";
import { cardOnFile } from "./card-on-file.ts";
import { cartItems } from "./cart-items.ts";
import { cartPayments } from "./cart-payments.ts";
import type { Chapter } from "./chapter.ts";
import { customParameters } from "./custom-parameters.ts";
import { customer } from "./customer.ts";
import { pointOfSale } from "./point-of-sale.ts";
import { query } from "./query.ts";
import { shipping } from "./shipping.ts";
import { tokenization } from "./tokenization.ts";

/** What POST /v1/payments and POST /v1/payments/{id} take from a point of sale (specification, "Endpoints"). A new chapter is one more line here. */
export const paymentChapters: readonly Chapter[] = [
  authentication,
  basic,
  pointOfSale,
  customer,
  billing,
  shipping,
  cartItems,
  cartPayments,
  cardOnFile,
  tokenization,
  customParameters,
];

/** What POST /v1/registrations takes from a point of sale (gateway-facts 0): a card and whose it is, no money. */
export const registrationChapters: readonly Chapter[] = paymentChapters.map((chapter) => (chapter === basic ? basicOfRegistration : chapter));

/** What DELETE /v1/registrations/{id} takes (gateway-facts 0). */
export const deletionChapters: readonly Chapter[] = [authentication, basicOfDeletion];

/** What GET /v1/query takes. */
export const queryChapters: readonly Chapter[] = [authentication, query];
