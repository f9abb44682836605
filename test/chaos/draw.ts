import { type SeededRandom, seededRandom } from "../../src/kit/seeded-random.ts";
import { drawPhone } from "./draw-phone.ts";
import { conductOf, everydayMisfortunes, momentOf, pick } from "./everyday.ts";
import { meansOf, STORIES, type Story } from "./kinds.ts";
import type { Ordeal } from "./ordeal.ts";
import { ORDEALS } from "./ordeals.ts";
import { type Misfortune, type Plan, paymentsIn, sizeOf } from "./plan.ts";

export interface Dose {
  readonly payments: number;
  /** SIGKILLs of bridges, all shops together; more only where the ordeals alone have more. */
  readonly kills: number;
  /** Chances of a hundred that a payment meets a fault of the gateway, and one of its terminal. */
  readonly gateway: number;
  readonly terminal: number;
  /** And that the gateway does a part of what follows its booking. */
  readonly part: number;
  /** Chances of a hundred that a customer's business is an ordeal (ordeals.ts). */
  readonly ordeals: number;
}

/** A kill for three payments or so: 300 for 1,000, 12 for 40. */
export function fullDose(payments: number): Dose {
  return { payments, kills: Math.round(payments * 0.3), gateway: 35, terminal: 25, part: 20, ordeals: 20 };
}

/**
 * Hardly a payment goes well, and most of them meet what field software gets wrong; fewer kills, so that more of them
 * get as far as the gateway.
 */
export function harshDose(payments: number): Dose {
  return { payments, kills: Math.round(payments * 0.08), gateway: 90, terminal: 20, part: 15, ordeals: 80 };
}

/**
 * Every choice of a run, from its seed alone: the same seed plans the same run, though processes and time will have it
 * end differently.
 */
export function planRun(seed: number, dose: Dose): readonly Plan[] {
  const random = seededRandom(seed);
  const ordeals = deckOf(random);
  const plans: Plan[] = [];
  for (let left = dose.payments; left > 0; ) {
    const number = plans.length + 1;
    const ordeal = random.below(100) < dose.ordeals ? ordeals.next() : undefined;
    const drawn = ordeal && { number, ...ordeal.draw(random) };
    const plan = drawn !== undefined && sizeOf(drawn) <= left ? drawn : everyday(random, dose, number, left);
    plans.push(plan);
    left -= sizeOf(plan);
  }
  return withKills(random, plans, dose.kills);
}

/** Where a follow-up had nothing to follow, one more customer comes: an everyday sale that stands alone. */
export function oneMore(seed: number, dose: Dose, number: number): Plan {
  return everyday(seededRandom(seed + number), dose, number, 1);
}

/** The ordeals in a random order, all of them before any comes again. */
function deckOf(random: SeededRandom): { next(): Ordeal } {
  let deck: Ordeal[] = [];
  return {
    next: () => {
      if (deck.length === 0) deck = shuffled(random, ORDEALS);
      const top = deck.pop();
      if (top === undefined) throw new RangeError("there are ordeals");
      return top;
    },
  };
}

function shuffled<T>(random: SeededRandom, all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, rank: random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

const DECK: readonly Story[] = STORIES.flatMap((story) => Array.from({ length: story.weight }, () => story));

/**
 * Amounts with which the sandbox does something by itself (docs/sandbox.md); those left out end in an alarm for a
 * person, or wait longer than a run.
 */
const MAGIC = [
  ...[910005, 910051, 910080, 910081, 910084, 910092, 920000, 920010, 920040, 920070, 920088, 920089, 920090, 920091],
  ...[930001, 930002, 930003, 930004, 930005, 930006, 930007, 940001, 940002, 940004, 940005, 940006, 940007, 940008],
  ...[950001, 950003, 950011, 950012, 950013, 950014],
  ...[960001, 960010, 960065, 960070],
] as const;

/** Runs with so many payments take longer than a link has to be valid, so that customers may be late. */
const LONG_RUN = 200;

/** It needs the channel on which the shop sells without a terminal. */
function isOnShopChannel({ first, after }: Story): boolean {
  return first === "LINK" || after.some(({ kind }) => kind !== "DELETION" && meansOf(kind) === "stored-card");
}

function everyday(
  random: SeededRandom,
  { payments, gateway, terminal, part }: Dose,
  number: number,
  left: number,
): Plan {
  const story = pick(
    random,
    DECK.filter((one) => paymentsIn(one) <= left),
  );
  const errands = [story.first, ...story.after.map(({ kind }) => kind)];
  return {
    number,
    story,
    cents: random.below(100) < 12 ? pick(random, MAGIC) : 100 + random.below(20_000),
    conduct: conductOf(random),
    misfortunes: everydayMisfortunes(random, errands, { gateway, terminal, part }),
    card: pick(random, ["usual", "usual", "usual", "usual", "usual", "usual", "without-chip"] as const),
    place: isOnShopChannel(story) ? "shop-channel" : "anywhere",
    ...(story.first === "LINK" && { phone: drawPhone(random, payments >= LONG_RUN) }),
  };
}

/** So many kills and no other number, dealt out to the payments at random; some get two. */
function withKills(random: SeededRandom, plans: readonly Plan[], kills: number): readonly Plan[] {
  const planned = plans.flatMap(({ misfortunes }) => misfortunes.flat()).filter(({ is }) => is === "kill").length;
  const dealt = plans.map(({ misfortunes }) => misfortunes.map((step) => [...step]));
  const peaceful = dealt.flatMap((steps, at) => (plans[at]?.ordeal === undefined ? steps : []));
  for (let count = planned; count < kills; count += 1)
    pick<Misfortune[]>(random, peaceful.length > 0 ? peaceful : dealt.flat()).push({
      is: "kill",
      at: momentOf(random),
    });
  return plans.map((plan, at) => ({ ...plan, misfortunes: dealt[at] ?? [] }));
}
