import { chapter } from "./chapter.ts";
import { flag, letters, oneOf, text, twoDecimals } from "./format.ts";

/** Payments already made, by gift card or promotion. */
export const cartPayments = chapter("Cart payments (already made payments)", [
  ["cart.payments[n].name", text(1, 255)],
  ["cart.payments[n].type", oneOf("GIFTCARD", "PROMOTION")],
  ["cart.payments[n].amount", twoDecimals],
  ["cart.payments[n].currency", letters(3, 3)],
  ["cart.payments[n].status", oneOf("pending", "authorized", "captured")],
  ["cart.payments[n].brand", text(1, 255)],
  ["cart.payments[n].primary", flag],
]);
