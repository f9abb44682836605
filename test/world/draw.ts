import { simulators } from "../../drivers/simulators.ts";
import { type SeededRandom, seededRandom } from "../../src/kit/seeded-random.ts";
import { drawRemote } from "./draw-remote.ts";
import { withTerms } from "./draw-terms.ts";
import { pick } from "./pick.ts";
import type { CrashPoint, Errand, GatewayTrouble, Kind, Script, Step, Trouble } from "./script.ts";
import { drawStand, type Fleet } from "./stand.ts";
import { TILLS } from "./tills.ts";

/**
 * Another seed for each name and number: parts of a world draw from their own, so that leaving one out does not shuffle
 * the others.
 */
export function seedFor(seed: number, name: string, number = 0): number {
  let mixed = (seed ^ 0x9e3779b9) >>> 0;
  for (const character of `${name} ${number}`) mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** The script of a world: so many steps, and what goes wrong in them. `fleet`: what every terminal has in common. */
export function drawScript(seed: number, steps: number, { model, pace }: Fleet = {}): Script {
  const amounts = new Set<number>();
  const tills = drawTills(seededRandom(seedFor(seed, "tills")));
  const drawn: Step[] = [];
  for (let n = 0; n < steps; n += 1) {
    const drawing = { n, till: tills[n % tills.length] ?? 0, amounts, drawn };
    const remote = drawRemote(seededRandom(seedFor(seed, "remote", n)), {
      ...{ common: { n, till: drawing.till, pauseMs: 500 }, drawn, trouble: drawTrouble },
      amount: (random) => drawAmount(random, amounts),
    });
    const step = remote ?? drawStep(seededRandom(seedFor(seed, "step", n)), drawing);
    drawn.push(withTerms(seededRandom(seedFor(seed, "terms", n)), step, drawn));
  }
  const stands = tills.map((till) => ({
    till,
    ...drawStand(seededRandom(seedFor(seed, "stand", till)), TILLS[till]?.card ?? "", model),
  }));
  const takesOne = seededRandom(seedFor(seed, "captures")).below(ONE_CAPTURE_WORLDS) === 0;
  const currency = worksInOne(model)
    ? undefined
    : CURRENCIES[seededRandom(seedFor(seed, "currency")).below(CURRENCY_WORLDS)];
  return {
    seed,
    ...(currency !== undefined && { currency }),
    ...(takesOne && { captures: "one" as const }),
    ...(pace === "real" && { pace }),
    stands,
    steps: drawn,
  };
}

/** In one of so many worlds the channels take one capture. */
const ONE_CAPTURE_WORLDS = 3;

/** Of so many worlds one is in each of these, the others in euros. */
const CURRENCY_WORLDS = 6;
const CURRENCIES = ["JPY", "CHF"] as const;

/** A terminal that works in euros alone refuses all else; where all are such, nothing would be sold. */
function worksInOne(model: string | undefined): boolean {
  return simulators.some(({ id, options }) => id === model && options?.["currency"] !== undefined);
}

/** How many tills a world has: a crash takes the payments of all of them. */
const TILLS_PER_WORLD = [2, 3, 4] as const;

function drawTills(random: SeededRandom): readonly number[] {
  const left = [...TILLS.keys()];
  return Array.from({ length: pick(random, TILLS_PER_WORLD) }, () => left.splice(random.below(left.length), 1)[0] ?? 0);
}

interface Drawing {
  readonly n: number;
  readonly till: number;
  /** Taken already. */
  readonly amounts: Set<number>;
  readonly drawn: readonly Step[];
}

function drawStep(random: SeededRandom, { n, till, amounts, drawn }: Drawing): Step {
  const troubles = Array.from({ length: TROUBLES_PER_STEP[random.below(TROUBLES_PER_STEP.length)] ?? 0 }, () =>
    drawTrouble(random),
  );
  const followUp = drawFollowUp(
    random,
    drawn.filter((step) => step.till === till),
  );
  const common = { n, till, pauseMs: 200 + random.below(600) };
  if (followUp !== undefined)
    return { ...common, ...followUp, troubles: [...drawDoubt(random, followUp.does), ...troubles] };
  const { card, softDeclines } = TILLS[till] ?? {};
  const soft: Trouble[] = softDeclines === true && random.below(2) === 0 ? [SOFT_DECLINE] : [];
  const signature = SIGNATURES[random.below(6)];
  const does = pick(random, WITH_CARD);
  const allowsPart = PARTLY_APPROVED.includes(does) && random.below(4) === 0;
  const part: Trouble[] = allowsPart && random.below(3) === 0 ? [PART_APPROVED] : [];
  const amount = drawAmount(random, amounts);
  return {
    ...{
      ...common,
      does,
      amount,
      troubles: [...soft, ...part, ...drawDoubt(random, does), ...troubles].filter(
        (trouble) => !allowsPart || !namesLess(trouble),
      ),
    },
    ...(allowsPart && { allowPartialApproval: true as const }),
    ...(does === "SALE" && random.below(8) === 0 && { createRegistration: true as const }),
    ...(signature !== undefined && card === "signature" && { signature }),
  };
}

/**
 * One that no other step has. Now and then it is one of which the gateway approves a half, whether that was allowed or
 * not.
 */
function drawAmount(random: SeededRandom, taken: Set<number>): number {
  const half = HALVED_AMOUNTS.find((one) => !taken.has(one));
  let amount = half !== undefined && random.below(20) === 0 ? half : 100 + random.below(9_000);
  while (taken.has(amount)) amount = 100 + random.below(9_000);
  taken.add(amount);
  return amount;
}

/** The sandbox's magic amounts for an approval of the half (docs/sandbox.md). */
const HALVED_AMOUNTS = [920_010, 920_040] as const;
const PARTLY_APPROVED: readonly Kind[] = ["SALE", "PREAUTHORIZATION"];
const PART_APPROVED: Trouble = { is: "gateway", errand: "booking", nth: 0, times: 1, result: "000.400.040" };

/** Where a part is allowed, a reply that names less than was booked is the approval of a part: nobody could tell. */
function namesLess(trouble: Trouble): boolean {
  return trouble.is === "gateway" && trouble.errand === "booking" && trouble.lie === "less";
}

/**
 * What these kinds are seldom hit by otherwise, and what takes a person, or a second look, to settle: half taken back,
 * said to be taken back, told smaller than it is.
 */
const DOUBTS: Partial<Readonly<Record<Kind, Trouble>>> = {
  REFUND: { is: "gateway", errand: "booking", nth: 0, times: 1, result: "000.400.030" },
  REGISTRATION: { is: "gateway", errand: "booking", nth: 0, times: 1, result: "900.100.301" },
  INCREMENT: { is: "gateway", errand: "booking", nth: 0, times: 1, lie: "less" },
};

function drawDoubt(random: SeededRandom, does: Kind): readonly Trouble[] {
  const doubt = DOUBTS[does];
  return doubt !== undefined && random.below(12) === 0 ? [doubt] : [];
}

const SOFT_DECLINE: Trouble = { is: "gateway", errand: "booking", nth: 0, times: 1, result: "300.100.100" };

/** With those that follow a payment about half of all are sales. */
const WITH_CARD: readonly Kind[] = [
  ...Array.from({ length: 9 }, () => "SALE" as const),
  "PREAUTHORIZATION",
  "PREAUTHORIZATION",
  "REFUND",
  "REGISTRATION",
];

/** What may follow what. */
const FOLLOW_UPS: Readonly<Record<Step["does"], readonly Kind[]>> = {
  SALE: ["VOID", "LINKED_REFUND"],
  PREAUTHORIZATION: ["INCREMENT", "CAPTURE", "CAPTURE", "CAPTURE", "VOID"],
  CAPTURE: ["LINKED_REFUND", "LINKED_REFUND", "VOID"],
  INCREMENT: ["VOID"],
  REFUND: [],
  REGISTRATION: [],
  VOID: [],
  LINKED_REFUND: [],
  DELETION: [],
};
/** How many of the till's last steps are remembered. */
const REMEMBERED = 4;

/** All of the amount, most of it, half of it, or less: several of them may be one too many, which is then refused. */
const PARTS = [1, 1, 0.5, 0.5, 0.4, 0.75] as const;

function drawFollowUp(
  random: SeededRandom,
  before: readonly Step[],
): (Pick<Step, "of" | "amount"> & { readonly does: Kind }) | undefined {
  const originals = before.slice(-REMEMBERED).filter(({ does }) => FOLLOW_UPS[does].length > 0);
  const last = originals.at(-1)?.does;
  if (random.below(100) >= (last === "PREAUTHORIZATION" || last === "CAPTURE" ? 75 : 25)) return undefined;
  const roll = random.below(100);
  const original = originals[roll < 60 ? originals.length - 1 : roll % Math.max(1, originals.length)];
  if (original === undefined) return undefined;
  return {
    does: pick(random, FOLLOW_UPS[original.does]),
    of: original.n,
    amount: Math.max(1, Math.floor(original.amount * pick(random, PARTS))),
  };
}

/** What a cashier makes of signatures, most of which are the cardholder's. */
const SIGNATURES = ["refused", "forgotten"] as const;

/** Half of the sales go well; of the others some are hit by several troubles at once. */
const TROUBLES_PER_STEP = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3] as const;

/** A chip sale takes a little more than this long. */
const SALE_MS = 1_500;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type Draw = (random: SeededRandom) => Trouble;

/** How each trouble is drawn, and how often of a hundred. */
const DRAWS: readonly { readonly share: number; readonly draw: Draw }[] = [
  { share: 44, draw: drawGateway },
  {
    share: 2,
    draw: (random) => ({
      is: "gateway-down",
      afterMs: random.below(SALE_MS),
      forMs: pick(random, [SECOND, 5 * SECOND, MINUTE]),
    }),
  },
  {
    share: 18,
    draw: (random) => ({ is: "crash", point: drawCrashPoint(random), downMs: pick(random, [50, 500, 5 * SECOND]) }),
  },
  {
    share: 6,
    draw: (random) => ({ is: "unplug", afterMs: random.below(SALE_MS), forMs: 500 + random.below(20 * SECOND) }),
  },
  { share: 10, draw: (random) => ({ is: "line", fault: pick(random, LINE_FAULTS), after: random.below(24) }) },
  { share: 4, draw: (random) => ({ is: "card-pulled", afterMs: random.below(SALE_MS) }) },
  { share: 1, draw: (random) => ({ is: "red-key", afterMs: random.below(SALE_MS) }) },
  {
    share: 2,
    draw: (random) => ({ is: "clock-set", afterMs: random.below(SALE_MS), byMs: pick(random, CLOCK_JUMPS_MS) }),
  },
  {
    share: 2,
    draw: (random) => ({
      is: "disk",
      afterMs: random.below(SALE_MS),
      forMs: pick(random, [SECOND, 5 * SECOND, 2 * MINUTE]),
    }),
  },
  { share: 5, draw: (random) => ({ is: "cancel", afterMs: random.below(SALE_MS) }) },
  {
    share: 2,
    draw: (random) => ({
      is: "register-gone",
      afterMs: random.below(SALE_MS),
      forMs: pick(random, [SECOND, 20 * SECOND]),
    }),
  },
  {
    share: 2,
    draw: (random) => ({
      is: "twice",
      afterMs: pick(random, [0, 0, random.below(SALE_MS)]),
      content: pick(random, ["same", "same", "other"]),
    }),
  },
  {
    share: 2,
    draw: (random) => ({
      is: "rival",
      afterMs: random.below(SALE_MS),
      wants: pick(random, ["terminal", "queue", "order"]),
    }),
  },
];
const LINE_FAULTS = [
  "hang",
  "reboot",
  "corrupt-next-frame",
  "duplicate-next-frame",
  "drop-next-frame",
  "garbage",
  "slow",
] as const;
const CLOCK_JUMPS_MS = [-2 * HOUR, -10 * MINUTE, -SECOND, SECOND, 10 * MINUTE, 31 * MINUTE, 2 * HOUR] as const;

function drawTrouble(random: SeededRandom): Trouble {
  let roll = random.below(DRAWS.reduce((total, { share }) => total + share, 0));
  for (const { share, draw } of DRAWS) {
    if (roll < share) return draw(random);
    roll -= share;
  }
  throw new RangeError("the shares do not add up");
}

/** What those need that have a terminal. */
type TillErrand = Exclude<Errand, "link" | "look" | "phone">;
const ERRANDS: readonly TillErrand[] = [
  "booking",
  "booking",
  "booking",
  "booking",
  "booking",
  "CP",
  "CP",
  "CP",
  "RV",
  "RV",
  "RV",
  "RF",
  "RF",
  "DR",
  "query",
];

/**
 * What is lost makes the rest interesting, so it is drawn most; and what is lost is often hidden from queries as well.
 */
function drawGateway(random: SeededRandom): Trouble {
  const errand = pick(random, ERRANDS);
  const often = { is: "gateway", errand, nth: 0, times: pick(random, [1, 1, 1, 2, 5]) } as const;
  const roll = random.below(100);
  if (roll < 55) return lost(random, often);
  if (roll < 85 || errand === "query") return { ...often, ...drawResult(random, errand) };
  if (roll < 92)
    return { ...often, lie: pick(random, ["more", "less", "no-amount", "other-currency", "other-type", "no-id"]) };
  const result = pick(random, PENDING);
  // A query shows what became of the first request, whatever the second one was told.
  const forMs = DUPLICATES.includes(result) ? 0 : pick(random, PENDING_FOR_MS);
  return { ...often, result, becomes: pick(random, ["approved", "declined"]), forMs };
}

/** Replies that do not know yet, or do not tell, what the booking comes to. */
const DUPLICATES: readonly string[] = ["800.110.100", "800.130.100"];
const PENDING: readonly string[] = ["000.200.000", "800.400.501", "900.100.300", "999.999.999", ...DUPLICATES];
const PENDING_FOR_MS = [0, 20 * SECOND, 10 * MINUTE, 26 * HOUR] as const;
const LOSSES = [
  "refuse",
  "drop-before",
  "drop-after",
  "drop-after",
  "drop-after",
  "delay",
  "hold",
  "reset-mid-body",
] as const;
const GARBLED = ["http-500", "http-502-html", "truncated-json", "throttle"] as const;

function lost(random: SeededRandom, often: Pick<GatewayTrouble, "is" | "errand" | "nth" | "times">): GatewayTrouble {
  const deed = pick(random, [...LOSSES, ...GARBLED]);
  const hides = often.errand !== "query" && random.below(100) < 35;
  return {
    ...often,
    deed,
    ...(deed === "delay" && { forMs: pick(random, [5 * SECOND, 60 * SECOND]) }),
    ...(deed === "hold" && { forMs: pick(random, [20 * SECOND, 2 * MINUTE, 45 * MINUTE, 20 * HOUR]) }),
    ...(hides && { hideMs: pick(random, [MINUTE, 5 * MINUTE, 45 * MINUTE, 26 * HOUR]) }),
  };
}

const UNCLEAR = ["900.100.300", "900.100.300", "900.100.310", "900.100.600", "800.110.100", "800.130.100"] as const;
const RESULTS: Readonly<Record<TillErrand, readonly string[]>> = {
  booking: [
    ...UNCLEAR,
    "900.100.301",
    "000.400.030",
    "000.400.030",
    "000.400.030",
    "000.400.040",
    "000.400.040",
    "800.100.152",
    "800.100.192",
    "700.400.580",
    "000.400.000",
    "300.100.100",
    "800.100.166",
  ],
  CP: [
    ...UNCLEAR,
    "000.400.030",
    "000.400.040",
    "000.400.040",
    "700.300.300",
    "700.300.400",
    "700.400.570",
    "800.100.152",
  ],
  RV: [
    ...UNCLEAR,
    "000.400.030",
    "000.400.040",
    "000.400.040",
    "700.300.300",
    "700.400.300",
    "700.300.700",
    "700.400.530",
    "700.400.570",
  ],
  RF: [...UNCLEAR, "000.400.030", "000.400.040", "700.400.200", "800.100.152"],
  DR: [...UNCLEAR],
  query: ["700.400.580", "800.900.300", "800.120.100", "999.999.999"],
};

function drawResult(random: SeededRandom, errand: TillErrand): Pick<GatewayTrouble, "result"> {
  return { result: pick(random, RESULTS[errand]) };
}

function drawCrashPoint(random: SeededRandom): CrashPoint {
  switch (
    pick(random, ["time", "append", "append", "append", "frame", "request", "request", "card", "card"] as const)
  ) {
    case "time":
      return { at: "time", afterMs: random.below(SALE_MS) };
    case "append":
      return { at: "append", nth: random.below(9), durable: random.below(2) === 1 };
    case "frame":
      return { at: "frame", nth: random.below(16), bytes: random.below(12) };
    case "request":
      return { at: "request", nth: random.below(3), worked: random.below(2) === 1 };
    case "card":
      return { at: "card", nth: random.below(2) };
  }
}
