import { chapter } from "./chapter.ts";
import { text, twoDecimals } from "./format.ts";

/** The items of a seller are those of the cart with his id in cart.items[n].sellerId. */
export const marketplace = chapter("Marketplace", [
  ["marketPlace.sellers[n].id", text(1, 255)],
  ["marketPlace.sellers[n].amount", twoDecimals],
]);
