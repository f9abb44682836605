import { IN_PART, pick } from "./everyday.ts";
import { type FollowKind, follow } from "./kinds.ts";
import { ASKED, after, fault, hidden, LOST, lost, NOT_TAKEN, type Ordeal, ordeal } from "./ordeal.ts";
import type { Misfortune } from "./plan.ts";
import { REMOTE_ORDEALS } from "./remote-ordeals.ts";

/** A card is asked for; the request is some 300 ms away. */
const CARD = after("AWAITING_CARD");

const SENT = { CAPTURE: "CP", INCREMENT: "PA", VOID: "RV", LINKED_REFUND: "RF" } as const satisfies Readonly<
  Record<FollowKind, string>
>;

/** Truth 1: the card was booked for, and the reply does not arrive. */
const replyLost = ordeal("reply lost", (random) => ({ befalls: [[lost(random, CARD, "PA")]] }));

/** Truth 4: it does not arrive, and the first query sees nothing either. */
const lostAndHidden = ordeal("reply lost, booking hidden", (random) => ({
  first: pick(random, ["SALE", "SALE", "PREAUTHORIZATION"] as const),
  befalls: [[lost(random, CARD, "PA"), hidden(random, CARD, "PA")]],
}));

/** Truth 2: half of the amount is approved, which most registers take here and some do not. */
const part = ordeal("part approved", (random) => ({
  cents: pick(random, [920_010, 920_040]),
  conduct: { allowPartialApproval: random.below(5) > 0 },
}));

/** Truth 2: the gateway has not taken its booking back; with a card that would agree to anything. */
const halfReversed = ordeal("half reversed by the gateway", () => ({
  card: "without-chip",
  befalls: [[fault(CARD, "PA", { result: "000.400.030" })]],
}));

/** Truth 2: the issuer approves and the card does not; sometimes the reversal is hard as well. */
const cardRefuses = ordeal("card refuses after approval", (random) => ({
  first: pick(random, ["SALE", "SALE", "PREAUTHORIZATION"] as const),
  card: "refusing",
  befalls: random.below(2) === 0 ? [] : [[fault(CARD, "RV", pick(random, [...LOST, ...NOT_TAKEN]))]],
}));

/** Truth 3: the gateway takes back a half of what the card refused; the rest is still to be taken back. */
const reversedInPart = ordeal("reversed in part", (random) => ({
  first: pick(random, ["SALE", "SALE", "PREAUTHORIZATION"] as const),
  card: "refusing",
  befalls: [[fault(CARD, "RV", { result: IN_PART })]],
}));

/**
 * Truth 3: killed while a card waits for a host that has booked, and the first reversal of the next life does not get
 * through.
 */
const killedBeforeReversal = ordeal("killed before a reversal", (random) => ({
  befalls: [
    [
      fault(CARD, "PA", "delay", { delayMs: 2_500 + random.below(2_000) }),
      fault(after("AUTHORIZING"), "RV", pick(random, NOT_TAKEN)),
      { is: "kill", at: after("AUTHORIZING", 200 + random.below(1_500)) },
    ],
  ],
}));

/** Truth 5: the next customer's sale is started before the first one is through. */
const twoAtOnce = ordeal("two at one terminal", (random) => ({
  conduct: { rush: pick(random, [after("AWAITING_CARD", random.below(200)), after("AUTHORIZING", random.below(400))]) },
  befalls: [[fault(CARD, "PA", "delay", { delayMs: 600 + random.below(1_000) })]],
}));

/** Truth 6: somebody is tired of waiting and begins the same order anew. */
const sameOrder = ordeal("same order twice", (random) => ({
  conduct: { anew: after("AUTHORIZING", 50 + random.below(400)) },
  befalls: [[fault(CARD, "PA", "delay", { delayMs: 1_500 + random.below(2_000) })]],
}));

/** Truth 7: the refund is booked, and the reply does not arrive. */
const refundLost = ordeal("refund's reply lost", (random) => ({
  after: [follow("LINKED_REFUND", pick(random, ["all", "half", "third"] as const))],
  befalls: [[], [lost(random, ASKED, "RF"), ...(random.below(2) === 0 ? [hidden(random, ASKED, "RF")] : [])]],
}));

/**
 * Truth 7: a void while the sale's capture is still to be asked for again. The issuer takes his time, so that it is
 * this capture which meets the fault.
 */
const voidWhileCapturing = ordeal("void while the capture is under way", (random) => ({
  place: "reserving",
  after: [follow("VOID")],
  befalls: [
    [
      fault(CARD, "PA", "delay", { delayMs: 300 + random.below(300) }),
      fault(
        after("AUTHORIZING"),
        "CP",
        pick(random, [{ result: "900.100.600" }, { result: "900.100.600" }, "drop-before", "http-500"]),
      ),
    ],
  ],
}));

/** Truth 7: what refers to a reservation is booked, and the reply does not arrive. */
const followUpLost = ordeal("follow-up's reply lost", (random) => {
  const kind = pick(random, ["CAPTURE", "INCREMENT", "VOID"] as const);
  const isHidden = random.below(2) === 0;
  return {
    first: "PREAUTHORIZATION",
    after: [follow(kind, kind === "VOID" ? undefined : "half")],
    befalls: [[], [lost(random, ASKED, SENT[kind]), ...(isHidden ? [hidden(random, ASKED, SENT[kind])] : [])]],
  };
});

/** Truth 3: the register calls it off while the issuer is deciding, or the card. */
const cancelRace = ordeal("cancelled at the last moment", (random) => ({
  conduct: { cancel: pick(random, [after("AUTHORIZING", random.below(1_500)), after("COMPLETING", random.below(20))]) },
  befalls: [[fault(CARD, "PA", "delay", { delayMs: 500 + random.below(1_000) })]],
}));

/**
 * Truth 2: the gateway captures half of an approved sale; what becomes of the rest a person says. Some customers bring
 * it back meanwhile, or a part of it.
 */
const capturedInPart = ordeal("captured in part", (random) => {
  const next = pick(random, [
    [],
    [],
    [follow("VOID")],
    [follow("LINKED_REFUND", "half")],
    [follow("LINKED_REFUND", "third")],
  ] as const);
  const isKilled = random.below(3) === 0;
  const killed: Misfortune = { is: "kill", at: after("FINAL", random.below(3_000)) };
  // A void that takes its time, while a person looks at the capture.
  const held = next.some(({ kind }) => kind === "VOID")
    ? Array.from({ length: 5 }, () => fault(ASKED, "RV", pick(random, NOT_TAKEN)))
    : [];
  return {
    ...{ place: "reserving", after: next },
    befalls: [[fault(CARD, "CP", { result: IN_PART }), ...(isKilled ? [killed] : [])], held],
  };
});

/**
 * Truth 7: of what a register asks for afterwards the gateway does a part: a refund or a capture is one of that part,
 * and a void goes on with the rest.
 */
const followUpInPart = ordeal("follow-up in part", (random) => {
  const kind = pick(random, ["CAPTURE", "LINKED_REFUND", "LINKED_REFUND", "VOID"] as const);
  const isHard = random.below(3) === 0;
  return {
    first: kind === "LINKED_REFUND" ? "SALE" : "PREAUTHORIZATION",
    after: [follow(kind, kind === "VOID" ? undefined : pick(random, ["all", "half"] as const))],
    befalls: [
      [],
      [fault(ASKED, SENT[kind], { result: IN_PART }), ...(isHard ? [lost(random, ASKED, SENT[kind])] : [])],
    ],
  };
});

/** As often as each has to come to be seen in a hundred payments. */
export const ORDEALS: readonly Ordeal[] = [
  replyLost,
  ...[lostAndHidden, lostAndHidden],
  ...[part, part, part],
  ...[halfReversed, halfReversed, halfReversed],
  ...[cardRefuses, cardRefuses],
  ...[reversedInPart, reversedInPart],
  ...[killedBeforeReversal, killedBeforeReversal],
  ...[twoAtOnce, twoAtOnce],
  ...[sameOrder, sameOrder],
  ...[refundLost, refundLost],
  ...[capturedInPart, capturedInPart],
  followUpInPart,
  ...[voidWhileCapturing, voidWhileCapturing, voidWhileCapturing],
  ...[followUpLost],
  cancelRace,
  ...REMOTE_ORDEALS,
];
