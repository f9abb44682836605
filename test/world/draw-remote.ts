import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import { pick } from "./pick.ts";
import type { CrashPoint, Errand, GatewayTrouble, PhoneDeed, Step, Trouble } from "./script.ts";

/** What needs no terminal: payments by a stored card, links for the customer's phone, deletions of stored cards. */

type Common = Pick<Step, "n" | "till" | "pauseMs">;
type DrawTrouble = (random: SeededRandom) => Trouble;

export interface RemoteDrawing {
  readonly common: Common;
  readonly drawn: readonly Step[];
  /** One that no other step has. */
  readonly amount: (random: SeededRandom) => number;
  /** What else may go wrong with any payment. */
  readonly trouble: DrawTrouble;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Of a hundred steps: so many are by a stored card, by a link, and deletions. */
const SHARES = { card: 5, link: 3, deletion: 3 } as const;
/** How many of the cards that the world's steps have stored are remembered. */
const REMEMBERED = 8;

/** Undefined: this step needs a terminal. */
export function drawRemote(random: SeededRandom, on: RemoteDrawing): Step | undefined {
  const roll = random.below(100);
  if (roll < SHARES.link) return drawLink(random, on);
  const all = on.drawn
    .filter((step) => step.does === "REGISTRATION" || step.createRegistration === true)
    .slice(-REMEMBERED);
  // At its own till a card is stored by now; at another one it may not be yet.
  const own = all.filter(({ till }) => till === on.common.till);
  const cards = own.length > 0 || random.below(3) > 0 ? own : all;
  const card = cards[random.below(Math.max(1, cards.length))]?.n;
  if (card === undefined) return undefined;
  if (roll < SHARES.link + SHARES.card) return drawCharge(random, on, card);
  return roll < SHARES.link + SHARES.card + SHARES.deletion ? drawDeletion(random, on, card) : undefined;
}

function drawCharge(random: SeededRandom, { common, amount, trouble }: RemoteDrawing, card: number): Step {
  const does = random.below(4) === 0 ? "PREAUTHORIZATION" : "SALE";
  const troubles = Array.from({ length: pick(random, [0, 0, 1, 1, 1, 2]) }, () => trouble(random)).filter(isRemote);
  return { ...common, does, by: "stored-card", card, amount: amount(random), troubles };
}

function drawDeletion(random: SeededRandom, { common }: RemoteDrawing, card: number): Step {
  const troubles = Array.from({ length: pick(random, [0, 1, 1, 2]) }, () => pick(random, DELETION_DRAWS)(random));
  return { ...common, does: "DELETION", card, amount: 1, troubles };
}

/** A terminal's troubles, and a rival for the terminal, are none of theirs. */
function isRemote(trouble: Trouble): boolean {
  if (trouble.is === "crash") return trouble.point.at !== "frame" && trouble.point.at !== "card";
  return !["unplug", "line", "card-pulled", "red-key", "rival"].includes(trouble.is);
}

const DELETION_DRAWS: readonly DrawTrouble[] = [
  (random) => ({
    is: "gateway",
    errand: "DR",
    nth: 0,
    times: pick(random, [1, 1, 2, 5]),
    deed: pick(random, [...LOSSES, "delay"]),
  }),
  (random) => ({
    is: "gateway",
    errand: "DR",
    nth: 0,
    times: pick(random, [1, 2]),
    result: pick(random, ["900.100.300", "900.100.600", "800.900.300", "999.999.999"]),
  }),
  (random) => ({
    is: "crash",
    point: drawPoint(random, { ms: 8 * SECOND, appends: 3, requests: 2 }),
    downMs: pick(random, [50, 5 * SECOND]),
  }),
  (random) => ({ is: "gateway-down", afterMs: random.below(50), forMs: pick(random, [SECOND, MINUTE]) }),
  (random) => ({ is: "disk", afterMs: random.below(50), forMs: pick(random, [SECOND, 5 * SECOND]) }),
  (random) => ({ is: "register-gone", afterMs: random.below(50), forMs: pick(random, [SECOND, 20 * SECOND]) }),
];

/** How long a customer is given, and how long the gateway's own shortest is: he may pay in between, too late. */
const VALID_MS = [MINUTE, 2 * MINUTE, 2 * MINUTE, 10 * MINUTE, 70 * MINUTE] as const;

/** What customers do; most pay at once. */
const CUSTOMERS: readonly ((random: SeededRandom, validForMs: number) => readonly PhoneDeed[])[] = [
  ...Array.from(
    { length: 8 },
    () => (random: SeededRandom) =>
      [opens(random), { afterMs: 5 * SECOND + random.below(20 * SECOND), does: "pay" }] as const,
  ),
  (random) => [
    { afterMs: random.below(20 * SECOND), does: "decline" },
    { afterMs: random.below(30 * SECOND), does: "pay" },
  ],
  (random) => [{ afterMs: random.below(20 * SECOND), does: "decline" }],
  (random) => [
    opens(random),
    { afterMs: random.below(20 * SECOND), does: pick(random, ["code", "code", "wrong-code", "no-code"]) },
  ],
  (random) => [
    opens(random),
    { afterMs: random.below(20 * SECOND), does: "pay" },
    { afterMs: random.below(20 * MINUTE), does: "second" },
  ],
  (random) => [
    { afterMs: random.below(20 * SECOND), does: "pay" },
    { afterMs: random.below(5 * SECOND), does: "pay" },
  ],
  // Just at the end of what he was given, and after it.
  (random, validForMs) => [{ afterMs: Math.max(0, validForMs - 5 * SECOND + random.below(10 * SECOND)), does: "pay" }],
  (random, validForMs) => [
    opens(random),
    { afterMs: validForMs + random.below(HOUR), does: pick(random, ["pay", "pay", "code"]) },
  ],
  (random, validForMs) => [
    opens(random),
    { afterMs: validForMs + random.below(HOUR), does: "pay" },
    { afterMs: random.below(20 * MINUTE), does: "second" },
  ],
  (random) => [opens(random)],
  () => [],
];

const opens = (random: SeededRandom): PhoneDeed => ({ afterMs: random.below(10 * SECOND), does: "open" });

function drawLink(random: SeededRandom, { common, amount, trouble }: RemoteDrawing): Step {
  const validForMs = pick(random, VALID_MS);
  const phone = [...pick(random, CUSTOMERS)(random, validForMs)];
  const isPaidTwice = phone.some((deed) => deed.does === "second");
  const own = Array.from({ length: pick(random, [0, 0, 1, 1, 1, 2]) }, () => drawLinkTrouble(random, validForMs));
  const others = random.below(4) === 0 ? [trouble(random)].filter(isRemote) : [];
  const troubles = [...own, ...others].filter((one) => !isPaidTwice || !isBlinding(one));
  return { ...common, does: "SALE", by: "link", amount: amount(random), validForMs, phone, troubles };
}

/**
 * What keeps the two bookings of one customer from being told apart: hidden for the whole unknown window, or said to be
 * taken back and not.
 */
function isBlinding(trouble: Trouble): boolean {
  return (
    trouble.is === "gateway" &&
    (trouble.hideMs !== undefined ||
      trouble.forMs !== undefined ||
      (trouble.errand === "RV" && trouble.result !== undefined))
  );
}

const LOSSES = [
  "refuse",
  "drop-before",
  "drop-after",
  "drop-after",
  "reset-mid-body",
  "http-500",
  "http-502-html",
  "truncated-json",
  "throttle",
] as const;
const UNCLEAR = ["800.900.300", "999.999.999", "200.300.404", "900.100.300"] as const;
/**
 * What a booking of the customer's own comes to in the end is not known at once: told so, half taken back, taken back
 * by the gateway.
 */
const PENDING = ["000.200.000", "800.400.501", "900.100.300"] as const;
const STRANGE = ["900.100.301", "000.400.030", "000.400.040", "800.100.152", "000.400.000"] as const;

function drawLinkTrouble(random: SeededRandom, validForMs: number): Trouble {
  const roll = random.below(100);
  if (roll < 24) return drawAtGateway(random, pick(random, ["link", "look", "look", "query", "query", "RV", "CP"]));
  if (roll < 44) return drawOnPhone(random);
  if (roll < 64) {
    const point = drawPoint(random, { ms: pick(random, [MINUTE, 2 * validForMs]), appends: 12, requests: 12 });
    return { is: "crash", point, downMs: pick(random, [50, 5 * SECOND, 2 * MINUTE]) };
  }
  if (roll < 88)
    return { is: "cancel", afterMs: random.below(pick(random, [2 * SECOND, 30 * SECOND, MINUTE, validForMs])) };
  if (roll < 94)
    return { is: "gateway-down", afterMs: random.below(30 * SECOND), forMs: pick(random, [5 * SECOND, MINUTE]) };
  return { is: "twice", afterMs: random.below(30 * SECOND), content: pick(random, ["same", "other"]) };
}

function drawAtGateway(random: SeededRandom, errand: Errand): GatewayTrouble {
  const often = {
    is: "gateway",
    errand,
    nth: random.below(3) === 0 ? 1 : 0,
    times: pick(random, [1, 1, 3, 30]),
  } as const;
  const isOneOff = errand === "link";
  if (isOneOff)
    return {
      ...often,
      nth: 0,
      ...pick(random, [{ deed: pick(random, LOSSES) }, { result: pick(random, UNCLEAR) }, { lie: "no-id" }] as const),
    };
  return { ...often, ...(random.below(3) > 0 ? { deed: pick(random, LOSSES) } : { result: pick(random, UNCLEAR) }) };
}

function drawOnPhone(random: SeededRandom): GatewayTrouble {
  const often = { is: "gateway", errand: "phone", nth: 0, times: 3 } as const;
  const roll = random.below(3);
  if (roll === 0) return { ...often, hideMs: pick(random, [20 * SECOND, 5 * MINUTE, 45 * MINUTE, 26 * HOUR]) };
  if (roll === 1) return { ...often, result: pick(random, STRANGE) };
  return {
    ...often,
    result: pick(random, PENDING),
    becomes: pick(random, ["approved", "approved", "declined"]),
    forMs: pick(random, [20 * SECOND, 10 * MINUTE, 26 * HOUR]),
  };
}

function drawPoint(
  random: SeededRandom,
  most: { readonly ms: number; readonly appends: number; readonly requests: number },
): CrashPoint {
  switch (pick(random, ["time", "append", "request"] as const)) {
    case "time":
      return { at: "time", afterMs: random.below(most.ms) };
    case "append":
      return { at: "append", nth: random.below(most.appends), durable: random.below(2) === 1 };
    case "request":
      return { at: "request", nth: random.below(most.requests), worked: random.below(2) === 1 };
  }
}
