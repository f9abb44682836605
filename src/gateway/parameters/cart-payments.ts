import { type Chapter, parameters } from "./chapter.ts";
import { currency, flag, oneOf, text, twoDecimals } from "./format.ts";

/** Payments that were made already, by gift card or promotion. */
export const cartPayments: Chapter = {
  title: "Cart payments (already made payments)",
  parameters: parameters([
    ["cart.payments[n].name", text(1, 255)],
    ["cart.payments[n].type", oneOf("GIFTCARD", "PROMOTION")],
    ["cart.payments[n].amount", twoDecimals],
    ["cart.payments[n].currency", currency],
    ["cart.payments[n].status", oneOf("pending", "authorized", "captured")],
    ["cart.payments[n].brand", text(1, 255)],
    ["cart.payments[n].primary", flag],
  ]),
  rules: [],
};
