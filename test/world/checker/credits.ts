import { standings } from "./books.ts";
import type { Rule } from "./rule.ts";

/** Money that was given to a customer is not taken back behind his back (contract, section 3). */
export const creditsStand: Rule = {
  rule: "credits-stand",
  broken: ({ posts, rows }) => {
    const undoing =
      posts.find(({ type }) => type === "RV" || type === "RF") ??
      rows.find(({ type, request }) => type === "RV" && request !== undefined);
    return undoing && `${undoing.type} for money that was given back`;
  },
};

/** What showed up after the payment was closed without it stays with the customer, and is told. */
export const lateCreditIsTold: Rule = {
  rule: "late-booking-is-told",
  broken: ({ told, rows }) =>
    told?.decision !== "approved" && told?.lateBooking !== true && standings(rows).some(({ net }) => net > 0)
      ? `${told?.outcome ?? "never accepted"} with money given back, and nobody was told`
      : undefined,
};
