import { type SeededRandom, seededRandom } from "../../src/kit/seeded-random.ts";
import { KINDS, type Story, storiesOf } from "./kinds.ts";

/** A moment of a payment's life: some milliseconds after its register first hears of the state ("asked": after the start was sent). */
export interface Moment {
  readonly state: "asked" | "AWAITING_CARD" | "AUTHORIZING" | "COMPLETING" | "REVERSING" | "FINAL";
  readonly delayMs: number;
}

/** What the sandbox is told to do to the next request that fits (contract, section 4). */
export interface GatewayFault {
  readonly on: { readonly paymentType?: string; readonly path?: string };
  readonly do: string | { readonly result: string };
  readonly delayMs?: number;
}

export type Misfortune =
  /** SIGKILL of the bridge, which is started again at once. */
  | { readonly is: "kill"; readonly at: Moment }
  /** SIGTERM of the bridge; with `killedAfterMs` somebody loses patience. */
  | { readonly is: "stop"; readonly at: Moment; readonly killedAfterMs?: number }
  /** SIGKILL of the sandbox, which comes back on the same port and the same ledger. */
  | { readonly is: "gateway-kill"; readonly at: Moment; readonly downMs: number }
  | { readonly is: "gateway"; readonly fault: GatewayFault }
  /** Contract, section 5. What does not end by itself happens at once (not `after` so many frames) and is mended after `mendMs`. */
  | { readonly is: "terminal"; readonly at: Moment; readonly fault: string; readonly after: number; readonly mendMs?: number }
  | { readonly is: "card-pulled"; readonly at: Moment }
  | { readonly is: "red-key"; readonly at: Moment };

/** What the register does besides waiting. */
interface Conduct {
  /** The same start from two sockets at once. */
  readonly twice: boolean;
  /** The same start again, so often, at some later time. */
  readonly repeats: readonly Moment[];
  /** Somebody at the same register begins anew for the same order, under another reference. */
  readonly anew?: Moment;
  readonly cancel?: Moment;
  /** Its sockets close, and it comes back after a while by its cursor. */
  readonly away?: Moment & { readonly forMs: number };
  /** In the terminal's queue, instead of asking again until it is free. */
  readonly queue: boolean;
  readonly allowPartialApproval: boolean;
}

export interface Plan {
  readonly number: number;
  readonly story: Story;
  /** Cents of the first payment. */
  readonly cents: number;
  readonly conduct: Conduct;
  readonly misfortunes: readonly Misfortune[];
}

export interface Dose {
  readonly payments: number;
  /** SIGKILLs of bridges, all shops together. */
  readonly kills: number;
  /** Chances of a hundred that a payment meets a fault of the gateway, and one of its terminal. */
  readonly gateway: number;
  readonly terminal: number;
}

/** A kill for three payments or so: 300 for 1,000, 12 for 40. */
export function fullDose(payments: number): Dose {
  return { payments, kills: Math.round(payments * 0.3), gateway: 35, terminal: 25 };
}

/** Hardly a payment goes well; fewer kills, so that more of them get as far as the gateway. */
export function harshDose(payments: number): Dose {
  return { payments, kills: Math.round(payments * 0.15), gateway: 95, terminal: 20 };
}

/** Every choice of a run, from its seed alone: the same seed plans the same run, though processes and time will have it end differently. */
export function planRun(seed: number, dose: Dose, kinds = KINDS): readonly Plan[] {
  const { payments, kills } = dose;
  const random = seededRandom(seed);
  const stories = storiesOf(kinds).flatMap((story) => Array.from({ length: story.weight }, () => story));
  const plans: Plan[] = [];
  for (let left = payments; left > 0; ) {
    const fitting = stories.filter(({ after }) => 1 + after.length <= left);
    const story = pick(random, fitting);
    plans.push({ number: plans.length + 1, story, cents: centsOf(random), conduct: conductOf(random), misfortunes: misfortunesOf(random, dose) });
    left -= 1 + story.after.length;
  }
  return withKills(random, plans, kills);
}

function pick<T>(random: SeededRandom, from: readonly T[]): T {
  const one = from[random.below(from.length)];
  if (one === undefined) throw new RangeError("nothing to pick from");
  return one;
}

/** Amounts with which the sandbox does something by itself (docs/sandbox.md); those left out end in an alarm for a person, or wait longer than a run. */
const MAGIC = [
  ...[910005, 910051, 910080, 910081, 910084, 910092, 920000, 920010, 920040, 920070, 920088, 920089, 920090, 920091],
  ...[930001, 930002, 930003, 930004, 930005, 930006, 930007, 940001, 940002, 940004, 940005, 940006, 940007, 940008],
  ...[950001, 950003, 950011, 950012, 950013, 950014],
  ...[960001, 960010, 960065, 960070],
] as const;

function centsOf(random: SeededRandom): number {
  return random.below(100) < 12 ? pick(random, MAGIC) : 100 + random.below(20_000);
}

const STATES: readonly Moment["state"][] = ["asked", "AWAITING_CARD", "AUTHORIZING", "AUTHORIZING", "COMPLETING", "COMPLETING", "REVERSING", "FINAL", "FINAL"];

/** Some moments are long (a card, a PIN), some are a few milliseconds: delays are short as often as long. */
function momentOf(random: SeededRandom): Moment {
  const state = pick(random, STATES);
  const most = state === "asked" || state === "AWAITING_CARD" ? pick(random, [100, 1_000]) : pick(random, [5, 40, 400]);
  return { state, delayMs: random.below(most) };
}

function conductOf(random: SeededRandom): Conduct {
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
    "000.400.040",
  ],
  CP: ["900.100.300", "900.100.600", "800.400.501"],
  RV: ["900.100.300", "900.100.600", "700.300.300", "700.400.300"],
  RF: ["900.100.300", "900.100.600", "800.100.152"],
  CD: ["900.100.300", "800.100.152", "900.100.310"],
  RG: ["900.100.300", "800.100.152"],
} as const;

/** What books nothing comes less often: each costs the gateway's two queries a minute for a whole minute. */
const WIRE = [
  ...["drop-before", "http-500", "throttle"],
  ...["drop-after", "drop-after", "drop-after", "reset-mid-body", "reset-mid-body", "http-502-html", "http-502-html", "truncated-json", "truncated-json"],
];

/** Shorter than the bridge's unknown window (config.ts): a booking that hides longer than "not there" is disbelieved would rightly be a late one. */
const HIDDEN_MS = 12_000;
const PENDING_MS = 15_000;

function gatewayFaultOf(random: SeededRandom): GatewayFault {
  if (random.below(10) === 0)
    return { on: { path: "/v1/query" }, do: pick(random, ["drop-before", "drop-after", "throttle", "truncated-json", "http-500", "http-502-html"]) };
  const paymentType = pick(random, ["PA", "PA", "PA", "PA", "CP", "CP", "RV", "RV", "RF", "CD", "RG"] as const);
  const on = { paymentType };
  const roll = random.below(100);
  if (roll < 25) return { on, do: { result: pick(random, RESULTS[paymentType]) }, delayMs: random.below(PENDING_MS) };
  if (roll < 45) return { on, do: "delay", delayMs: pick(random, [200, 1_000, 7_000]) + random.below(500) };
  if (roll < 55) return { on, do: "hide-from-query", delayMs: random.below(HIDDEN_MS) };
  return { on, do: pick(random, WIRE) };
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

function misfortunesOf(random: SeededRandom, { gateway, terminal }: Dose): readonly Misfortune[] {
  const all: Misfortune[] = [];
  if (random.below(100) < gateway) all.push({ is: "gateway", fault: gatewayFaultOf(random) });
  if (random.below(100) < terminal) all.push(terminalMisfortuneOf(random));
  if (random.below(100) < 4) all.push({ is: "gateway-kill", at: momentOf(random), downMs: random.below(2_000) });
  if (random.below(100) < 3) {
    const at = momentOf(random);
    const isImpatient = random.below(2) === 0;
    const killedAfterMs = random.below(1_500);
    all.push({ is: "stop", at, ...(isImpatient && { killedAfterMs }) });
  }
  return all;
}

/** So many kills and no other number, dealt out to the payments at random; some get two. */
function withKills(random: SeededRandom, plans: readonly Plan[], kills: number): readonly Plan[] {
  const dealt = plans.map(({ misfortunes }) => [...misfortunes]);
  for (let count = 0; count < kills; count += 1) pick(random, dealt).push({ is: "kill", at: momentOf(random) });
  return plans.map((plan, at) => ({ ...plan, misfortunes: dealt[at] ?? [] }));
}
