import { chapter } from "./chapter.ts";
import { text, twoDecimals } from "./format.ts";

/** A seller's items are those of the cart with this id in cart.items[n].sellerId. */
export const marketplace = chapter("Marketplace", [
  ["marketPlace.sellers[n].id", text(1, 255)],
  ["marketPlace.sellers[n].amount", twoDecimals],
]);
