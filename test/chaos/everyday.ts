import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import type { Errand } from "./kinds.ts";
import type { Conduct, GatewayFault, Misfortune, Moment } from "./plan.ts";

/** What goes wrong on any day, drawn without a thought of what it might show. */

export function pick<T>(random: SeededRandom, from: readonly T[]): T {
  const one = from[random.below(from.length)];
  if (one === undefined) throw new RangeError("nothing to pick from");
  return one;
}

const STATES: readonly Moment["state"][] = [
  "asked",
  "AWAITING_CARD",
  "AUTHORIZING",
  "AUTHORIZING",
  "COMPLETING",
  "COMPLETING",
  "REVERSING",
  "FINAL",
  "FINAL",
];

/** Some moments are long (a card, a PIN), some are a few milliseconds: delays are short as often as long. */
export function momentOf(random: SeededRandom): Moment {
  const state = pick(random, STATES);
  const most = state === "asked" || state === "AWAITING_CARD" ? pick(random, [100, 1_000]) : pick(random, [5, 40, 400]);
  return { state, delayMs: random.below(most) };
}

export function conductOf(random: SeededRandom): Conduct {
  const repeats = Array.from({ length: random.below(100) < 25 ? 1 + random.below(2) : 0 }, () => momentOf(random));
  const isAnew = random.below(100) < 15;
  const anew = momentOf(random);
  const isCancelled = random.below(100) < 12;
  const cancel = momentOf(random);
  const isAway = random.below(100) < 12;
  const away = { ...momentOf(random), forMs: 200 + random.below(3_000) };
  return {
    twice: random.below(100) < 15,
    repeats,
    ...(isAnew && { anew }),
    ...(isCancelled && { cancel }),
    ...(isAway && { away }),
    queue: random.below(100) < 10,
    allowPartialApproval: random.below(2) === 0,
  };
}

/** The gateway does the half of what it was asked for (docs/sandbox.md). */
export const IN_PART = "000.400.040";

const RESULTS = {
  PA: [
    "800.120.100",
    "800.100.152",
    "900.100.300",
    "900.100.301",
    "900.100.310",
    "900.100.600",
    "000.400.030",
    "000.200.000",
    "800.110.100",
    "300.100.100",
    IN_PART,
  ],
  CP: ["900.100.300", "900.100.600", "800.400.501", IN_PART],
  RV: ["900.100.300", "900.100.600", "700.300.300", "700.400.300", IN_PART],
  RF: ["900.100.300", "900.100.600", "800.100.152", IN_PART],
  CD: ["900.100.300", "800.100.152", "900.100.310", IN_PART],
  RG: ["900.100.300", "800.100.152"],
  DR: ["900.100.300", "900.100.600"],
  "/paybylink": ["900.100.300", "999.999.999"],
  "/shopper/link": [
    "900.100.300",
    "900.100.301",
    "000.400.030",
    IN_PART,
    "000.200.000",
    "800.400.501",
    "800.100.152",
    "000.400.000",
  ],
} as const;
type Request = keyof typeof RESULTS;

/** What each thing that a till asks for sends, or has a customer send; the gateway's faults are about these. */
const SENDS: Readonly<Record<Errand, readonly Request[]>> = {
  SALE: ["PA", "PA", "CP", "RV"],
  PREAUTHORIZATION: ["PA", "PA", "RV"],
  REFUND: ["CD"],
  REGISTRATION: ["RG"],
  CAPTURE: ["CP"],
  VOID: ["RV"],
  LINKED_REFUND: ["RF"],
  INCREMENT: ["PA"],
  CHARGE: ["PA", "PA", "CP", "RV"],
  HOLD: ["PA", "PA", "RV"],
  DELETION: ["DR"],
  LINK: ["/paybylink", "/shopper/link", "/shopper/link"],
};

/** What books nothing comes less often: each costs the gateway's two queries a minute for a whole minute. */
const WIRE = [
  ...["drop-before", "http-500", "throttle"],
  ...[
    "drop-after",
    "drop-after",
    "drop-after",
    "reset-mid-body",
    "reset-mid-body",
    "http-502-html",
    "http-502-html",
    "truncated-json",
    "truncated-json",
  ],
];

/**
 * Shorter than the bridge's unknown window (config.ts): a booking that hides longer than "not there" is disbelieved
 * would rightly be a late one.
 */
const HIDDEN_MS = 12_000;
const PENDING_MS = 15_000;

function gatewayFaultOf(random: SeededRandom, errand: Errand): GatewayFault {
  if (random.below(10) === 0)
    return {
      on: { path: "/v1/query" },
      do: pick(random, ["drop-before", "drop-after", "throttle", "truncated-json", "http-500", "http-502-html"]),
    };
  const request = pick(random, SENDS[errand]);
  const on = request.startsWith("/") ? { path: request } : { paymentType: request };
  const roll = random.below(100);
  if (roll < 25) return { on, do: { result: pick(random, RESULTS[request]) }, delayMs: random.below(PENDING_MS) };
  if (roll < 45) return { on, do: "delay", delayMs: pick(random, [200, 1_000, 7_000]) + random.below(500) };
  // Neither a link nor a card that is deleted is a booking.
  if (roll < 55 && request !== "/paybylink" && request !== "DR")
    return { on, do: "hide-from-query", delayMs: random.below(HIDDEN_MS) };
  return { on, do: pick(random, WIRE) };
}

/** Of what follows a booking the gateway may do a part: a capture, a reversal, a refund. */
const PARTS: Readonly<Partial<Record<Errand, readonly Request[]>>> = {
  ...{ SALE: ["CP", "CP", "CP", "RV"], CHARGE: ["CP", "CP", "CP", "RV"], PREAUTHORIZATION: ["RV"], HOLD: ["RV"] },
  ...{ CAPTURE: ["CP"], VOID: ["RV"], LINKED_REFUND: ["RF"] },
};

function inPart(random: SeededRandom, errand: Errand): readonly Misfortune[] {
  const requests = PARTS[errand];
  if (requests === undefined) return [];
  return [
    {
      is: "gateway",
      at: { state: "asked", delayMs: 0 },
      fault: { on: { paymentType: pick(random, requests) }, do: { result: IN_PART } },
    },
  ];
}

function terminalMisfortuneOf(random: SeededRandom): Misfortune {
  const at = momentOf(random);
  const roll = random.below(100);
  if (roll < 12) return { is: "card-pulled", at };
  if (roll < 18) return { is: "red-key", at };
  if (roll < 35) return { is: "terminal", at, fault: "unplug", after: 0, mendMs: 200 + random.below(4_000) };
  if (roll < 48) return { is: "terminal", at, fault: "hang", after: 0, mendMs: 500 + random.below(6_000) };
  if (roll < 62) return { is: "terminal", at, fault: "reboot", after: random.below(4) };
  if (roll < 70) return { is: "terminal", at, fault: "slow", after: 0, mendMs: 1_000 + random.below(5_000) };
  const fault = pick(random, ["corrupt-next-frame", "duplicate-next-frame", "drop-next-frame", "garbage"]);
  return { is: "terminal", at, fault, after: random.below(6) };
}

/** For one customer's business: what befalls each of its payments. Chances of a hundred. */
export function everydayMisfortunes(
  random: SeededRandom,
  errands: readonly Errand[],
  { gateway, terminal, part }: { readonly gateway: number; readonly terminal: number; readonly part: number },
): readonly (readonly Misfortune[])[] {
  const steps: readonly Misfortune[][] = errands.map(() => []);
  for (const [at, errand] of errands.entries())
    if (random.below(100) < part) steps[at]?.push(...inPart(random, errand));
  const befall = (misfortune: Misfortune): void => void pick(random, steps).push(misfortune);
  for (const [at, errand] of errands.entries())
    if (random.below(100) < gateway)
      steps[at]?.push({ is: "gateway", at: { state: "asked", delayMs: 0 }, fault: gatewayFaultOf(random, errand) });
  if (random.below(100) < terminal) befall(terminalMisfortuneOf(random));
  if (random.below(100) < 4) befall({ is: "gateway-kill", at: momentOf(random), downMs: random.below(2_000) });
  if (random.below(100) < 3) {
    const at = momentOf(random);
    const isImpatient = random.below(2) === 0;
    const killedAfterMs = random.below(1_500);
    befall({ is: "stop", at, ...(isImpatient && { killedAfterMs }) });
  }
  return steps;
}
