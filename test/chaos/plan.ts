import { type SeededRandom, seededRandom } from "../../src/kit/seeded-random.ts";

/** Some milliseconds after a register first hears of a state of its payment; "asked": after it sent the start. */
export interface Moment {
  readonly state: (typeof STATES)[number];
  readonly delayMs: number;
}
/** Money moves in the later ones. */
const STATES = [
  ...(["asked", "AWAITING_CARD", "AUTHORIZING", "AUTHORIZING", "COMPLETING", "COMPLETING"] as const),
  ...(["REVERSING", "FINAL", "FINAL"] as const),
];

/** What the gateway's connection does to one request (docs/sandbox.md, "Faults"). */
const WIRE = ["drop-before", "drop-after", "reset-mid-body", "http-502-html", "truncated-json", "delay"] as const;
/** What a terminal's line does to one frame, and what lasts until somebody mends it (docs/simulator.md). */
const FRAMES = ["reboot", "corrupt-next-frame", "duplicate-next-frame", "drop-next-frame", "garbage"] as const;
const LASTING = ["unplug", "hang", "slow"] as const;

/** What befalls processes, sockets and lines. */
export type Misfortune = { readonly at: Moment } & (
  | { readonly is: "bridge killed"; readonly downMs: number }
  /** SIGTERM; with `killedAfterMs` nobody waits for its end. */
  | { readonly is: "bridge stopped"; readonly killedAfterMs?: number }
  | { readonly is: "gateway killed"; readonly downMs: number }
  /** Of the next request, or of the next one of that type. */
  | {
      readonly is: "gateway";
      readonly fault: (typeof WIRE)[number];
      readonly delayMs: number;
      readonly paymentType?: "PA" | "RV";
    }
  | { readonly is: "terminal"; readonly fault: (typeof FRAMES)[number]; readonly after: number }
  | { readonly is: "terminal"; readonly fault: (typeof LASTING)[number]; readonly mendMs: number }
  | { readonly is: "card pulled" }
  /** The register's socket closes, and it comes back by its cursor. */
  | { readonly is: "register away"; readonly forMs: number }
  /** The same start once more on a second socket. */
  | { readonly is: "started again" }
  | { readonly is: "cancelled" }
);

export type Kind = "SALE" | "PREAUTHORIZATION" | "CAPTURE" | "VOID" | "LINKED_REFUND";

/** One payment of a customer, and what befalls it. */
export interface Step {
  readonly kind: Kind;
  readonly misfortunes: readonly Misfortune[];
}

/** One customer: the first payment, and what follows from it if it was approved. */
export interface Plan {
  readonly name: string;
  readonly cents: number;
  readonly steps: readonly Step[];
}

const STORIES: readonly (readonly Kind[])[] = [
  ["SALE"],
  ["SALE"],
  ["SALE"],
  ["SALE", "VOID"],
  ["SALE", "LINKED_REFUND"],
  ["PREAUTHORIZATION", "CAPTURE"],
];
/** Three SIGKILLs of a bridge for ten payments. */
const KILLS = 0.3;

/** Another customer, in place of a follow-up that has nothing to follow; what was to befall that befalls this one. */
export function inPlaceOf({ kind, misfortunes }: Step, { name, cents }: Plan): Plan {
  return { name: `${name}-no-${kind.toLowerCase()}`, cents, steps: [{ kind: "SALE", misfortunes }] };
}

/** Every choice of a run, from its seed alone. */
export function planRun(seed: number, payments: number): readonly Plan[] {
  const random = seededRandom(seed);
  const plans: Plan[] = [];
  for (let left = payments; left > 0; left -= plans.at(-1)?.steps.length ?? left) {
    const kinds = pick(random, STORIES).slice(0, left);
    const steps = kinds.map((kind) => ({ kind, misfortunes: misfortunesOf(random) }));
    plans.push({ name: String(plans.length + 1).padStart(4, "0"), cents: 100 + random.below(20_000), steps });
  }
  return withKills(random, plans, Math.round(payments * KILLS));
}

function pick<T>(random: SeededRandom, from: readonly T[]): T {
  const one = from[random.below(from.length)];
  if (one === undefined) throw new RangeError("nothing to pick from");
  return one;
}

/** Most states last some milliseconds: delays are short as often as long. */
function momentOf(random: SeededRandom): Moment {
  return { state: pick(random, STATES), delayMs: random.below(pick(random, [5, 40, 400])) };
}

/** Chances of a hundred that a payment meets each kind of misfortune. */
function misfortunesOf(random: SeededRandom): readonly Misfortune[] {
  const at = (): Moment => momentOf(random);
  const drawn: readonly (readonly [number, () => Misfortune])[] = [
    [40, () => gatewayFault(random)],
    [25, () => terminalFault(random)],
    [5, () => ({ is: "gateway killed", at: at(), downMs: random.below(2_000) })],
    [3, () => ({ is: "bridge stopped", at: at() })],
    [3, () => ({ is: "bridge stopped", at: at(), killedAfterMs: random.below(1_500) })],
    [5, () => ({ is: "card pulled", at: at() })],
    [15, () => ({ is: "register away", at: at(), forMs: 200 + random.below(3_000) })],
    [30, () => ({ is: "started again", at: at() })],
    [10, () => ({ is: "cancelled", at: at() })],
  ];
  return drawn.flatMap(([chance, draw]) => (random.below(100) < chance ? [draw()] : []));
}

/** Set before the payment is asked for, so that it meets one of its requests. */
function gatewayFault(random: SeededRandom): Misfortune {
  const delayMs = pick(random, [200, 1_000, 7_000]) + random.below(500);
  return { is: "gateway", at: { state: "asked", delayMs: 0 }, fault: pick(random, WIRE), delayMs };
}

function terminalFault(random: SeededRandom): Misfortune {
  const at = momentOf(random);
  if (random.below(2) === 0) return { is: "terminal", at, fault: pick(random, FRAMES), after: random.below(6) };
  return { is: "terminal", at, fault: pick(random, LASTING), mendMs: 300 + random.below(5_000) };
}

/** Every third one hits while the issuer is asked, and the first reversal of the next life does not get through. */
function killOf(random: SeededRandom): readonly Misfortune[] {
  if (random.below(3) > 0)
    return [{ is: "bridge killed", at: momentOf(random), downMs: pick(random, [0, 0, random.below(2_000)]) }];
  const asked = (delayMs: number): Moment => ({ state: "AUTHORIZING", delayMs });
  const card: Moment = { state: "AWAITING_CARD", delayMs: 0 };
  return [
    { is: "gateway", at: card, fault: "delay", delayMs: 2_500 + random.below(2_000), paymentType: "PA" },
    { is: "gateway", at: asked(0), fault: "drop-before", delayMs: 0, paymentType: "RV" },
    { is: "bridge killed", at: asked(200 + random.below(1_500)), downMs: 0 },
  ];
}

/** So many kills and no other number, dealt out to the payments at random; some get two. */
function withKills(random: SeededRandom, plans: readonly Plan[], kills: number): readonly Plan[] {
  const dealt = plans.map(({ steps }) => steps.map(({ misfortunes }) => [...misfortunes]));
  for (let count = 0; count < kills; count += 1) pick(random, dealt.flat()).push(...killOf(random));
  return plans.map((plan, customer) => ({
    ...plan,
    steps: plan.steps.map((step, at) => ({ ...step, misfortunes: dealt[customer]?.[at] ?? [] })),
  }));
}
