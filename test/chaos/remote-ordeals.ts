import { pick } from "./everyday.ts";
import { follow } from "./kinds.ts";
import { ASKED, after, fault, hidden, LOST, lost, NOT_TAKEN, type Ordeal, ordeal } from "./ordeal.ts";

/* What has no terminal: links for the customer's phone, payments by a stored card, and its deletion. */

const place = "shop-channel";
/** The link is there, and the customer sees it. */
const SHOWN = after("AWAITING_CARD");
const PAGE = "/shopper/link";

/** Truths 1 and 2: the customer pays while nobody is there to see it. */
const paidWhileDead = ordeal("link paid while the bridge is dead", (random) => ({
  ...{ first: "LINK", place },
  phone: { deeds: [{ afterMs: 1_200 + random.below(1_500), does: "pay" }] },
  befalls: [[{ is: "kill", at: after("AWAITING_CARD", 100 + random.below(600)), downMs: 3_000 + random.below(2_000) }]],
}));

/** Truth 1: one purchase, two browsers; half the time the bridge is killed before the second one is through. */
const paidTwice = ordeal("link paid twice", (random) => ({
  ...{ first: "LINK", place },
  phone: {
    deeds: [
      { afterMs: 200 + random.below(600), does: "pay" },
      { afterMs: random.below(3_000), does: "second" },
    ],
  },
  befalls: random.below(2) === 0 ? [] : [[{ is: "kill", at: after("AWAITING_CARD", 500 + random.below(4_000)) }]],
}));

/**
 * Truth 3: the register does not want it any more, and nobody can take the link away; sometimes the reversal is hard as
 * well.
 */
const paidTooLate = ordeal("link paid after it was cancelled", (random) => ({
  ...{ first: "LINK", place },
  conduct: { cancel: after("AWAITING_CARD", random.below(300)) },
  phone: { deeds: [{ afterMs: 800 + random.below(3_000), does: "pay" }] },
  befalls: random.below(2) === 0 ? [] : [[fault(SHOWN, "RV", pick(random, [...LOST, ...NOT_TAKEN]))]],
}));

/** Truth 1: a link that nobody knows can be paid by nobody, and the same reference makes no second one. */
const linkLost = ordeal("link's reply lost", (random) => ({
  ...{ first: "LINK", place },
  conduct: { repeats: [after("FINAL", random.below(400))] },
  phone: { deeds: [{ afterMs: 100, does: "pay" }] },
  befalls: [[lost(random, ASKED, "/paybylink")]],
}));

/** Truths 2 and 4: what the customer paid is not seen for a while, or is half reversed by the gateway. */
const linkUnclear = ordeal("link's payment unclear", (random) => ({
  ...{ first: "LINK", place },
  phone: { deeds: [{ afterMs: 300 + random.below(900), does: "pay" }] },
  befalls: [[random.below(2) === 0 ? hidden(random, SHOWN, PAGE) : fault(SHOWN, PAGE, { result: "000.400.030" })]],
}));

/** Truths 1 and 4: the stored card was charged, the reply does not arrive, and the first query sees nothing either. */
const chargeLost = ordeal("stored card's reply lost, booking hidden", (random) => {
  const kind = pick(random, ["CHARGE", "CHARGE", "HOLD"] as const);
  return {
    ...{ first: "REGISTRATION", place },
    after: [follow(kind)],
    befalls: [[], [lost(random, ASKED, "PA"), hidden(random, ASKED, "PA")]],
  };
});

/** Truth 3: the bridge is killed, or the register calls it off, while the issuer of the stored card is deciding. */
const chargeRace = ordeal("stored card's payment overtaken", (random) => {
  const slow = fault(ASKED, "PA", "delay", { delayMs: 1_500 + random.below(2_000) });
  const overtaken = after("AUTHORIZING", 100 + random.below(1_200));
  const isKilled = random.below(2) === 0;
  return {
    ...{ first: "REGISTRATION", place, after: [follow("CHARGE")] },
    conduct: isKilled ? {} : { cancel: { ...overtaken, only: 1 } },
    befalls: [[], [slow, ...(isKilled ? [{ is: "kill", at: overtaken } as const] : [])]],
  };
});

/** A deletion that was asked for is done, whatever comes between; and the card is charged no more. */
const deletionKilled = ordeal("deletion killed", (random) => ({
  ...{ first: "REGISTRATION", place, after: [follow("DELETION"), follow("CHARGE")] },
  befalls: [
    [],
    [pick(random, SLOW_DELETION)(random.below(1_500)), { is: "kill", at: after("asked", 50 + random.below(1_500)) }],
  ],
}));

const SLOW_DELETION = [
  (more: number) => fault(ASKED, "DR", "delay", { delayMs: 1_000 + more }),
  () => fault(ASKED, "DR", "drop-after"),
  () => fault(ASKED, "DR", "drop-before"),
] as const;

export const REMOTE_ORDEALS: readonly Ordeal[] = [
  ...[paidWhileDead, paidTwice, paidTooLate, linkLost, linkUnclear],
  ...[chargeLost, chargeRace, deletionKilled],
];
