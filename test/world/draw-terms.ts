import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import { pick } from "./pick.ts";
import type { Step, Trouble } from "./script.ts";

/** What a request says besides what it is for. It is drawn by itself: a step without it is the same step. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export function withTerms(random: SeededRandom, step: Step, drawn: readonly Step[]): Step {
  const elsewhere = soldElsewhere(random, step);
  return (
    elsewhere ??
    inDinars(random, step) ??
    withTip(
      random,
      withAgeLimit(random, withName(random, hidden(random, asAnotherCapture(random, step, drawn), drawn))),
    )
  );
}

/** One in so many that need a card is asked for in a currency that must be refused. */
const IN_DINARS = 100;

function inDinars(random: SeededRandom, step: Step): Step | undefined {
  const isStart = step.of === undefined && step.by === undefined && step.does !== "DELETION";
  return isStart && random.below(IN_DINARS) === 0 ? { ...step, currency: "KWD" } : undefined;
}

/** One in so many that need a card is sold by somebody else. */
const ELSEWHERE = 25;
/** What keeps the bridge from hearing of such a booking when it asks. */
const UNHEARD = [
  { deed: "drop-before" },
  { deed: "http-500" },
  { deed: "throttle" },
  { result: "700.400.580" },
  { result: "900.100.300" },
] as const;

function soldElsewhere(random: SeededRandom, { n, till, pauseMs, of, by, does, amount }: Step): Step | undefined {
  const isSale = of === undefined && by === undefined && (does === "SALE" || does === "PREAUTHORIZATION");
  if (!isSale || random.below(ELSEWHERE) > 0) return undefined;
  const unheard: Trouble = {
    is: "gateway",
    errand: "query",
    nth: 0,
    times: pick(random, [1, 1, 3]),
    ...pick(random, UNHEARD),
  };
  const troubles = random.below(3) === 0 ? [unheard] : [];
  return {
    n,
    till,
    pauseMs,
    does: pick(random, ["SALE", "PREAUTHORIZATION", "PREAUTHORIZATION"]),
    elsewhere: true,
    amount,
    troubles,
  };
}

/**
 * What follows a sale of somebody else's is often seen by nobody who asks, although it was answered: only the bridge's
 * own journal knows of it then.
 */
function hidden(random: SeededRandom, step: Step, drawn: readonly Step[]): Step {
  const errand = { CAPTURE: "CP", LINKED_REFUND: "RF", VOID: "RV", INCREMENT: "booking" } as const;
  const isOfElsewhere = drawn.some(({ n, elsewhere }) => n === step.of && elsewhere === true);
  if (!isOfElsewhere || !isFollowUp(step.does) || random.below(2) > 0) return step;
  const trouble: Trouble = {
    is: "gateway",
    errand: errand[step.does],
    nth: 0,
    times: 1,
    hideMs: pick(random, [5 * MINUTE, 45 * MINUTE]),
  };
  return { ...step, troubles: [trouble, ...step.troubles] };
}

const FOLLOW_UPS = ["CAPTURE", "LINKED_REFUND", "VOID", "INCREMENT"] as const;

function isFollowUp(does: Step["does"]): does is (typeof FOLLOW_UPS)[number] {
  return FOLLOW_UPS.some((one) => one === does);
}

/** One in so many of what follows a payment names it as the gateway does. */
const NAMED_BY_GATEWAY = 5;

function withName(random: SeededRandom, step: Step): Step {
  return step.of !== undefined && random.below(NAMED_BY_GATEWAY) === 0 ? { ...step, byGatewayId: true } : step;
}

/** One in so many steps that would follow a capture asks for more of its reservation instead. */
const ONCE_MORE = 3;
const QUARTER = 0.25;

function asAnotherCapture(random: SeededRandom, step: Step, drawn: readonly Step[]): Step {
  const capture = drawn.find(({ n, does }) => n === step.of && does === "CAPTURE");
  const reservation = drawn.find(({ n }) => n === capture?.of);
  if (reservation === undefined || random.below(ONCE_MORE) > 0) return step;
  const does = pick(random, ["CAPTURE", "CAPTURE", "INCREMENT"] as const);
  return { ...step, does, of: reservation.n, amount: Math.max(1, Math.floor(reservation.amount * QUARTER)) };
}

/** One in so many has a limit. */
const AGE_LIMITED = 8;
/** The shortest is what the register API takes at least, and shorter than a sale. */
const AGES_MS = [SECOND, SECOND, 2 * SECOND, 5 * SECOND, MINUTE] as const;

/**
 * Most of them meet something that makes them wait: another customer at the terminal, or a disk that takes nothing once
 * they were accepted.
 */
function withAgeLimit(random: SeededRandom, step: Step): Step {
  const isStart = step.of === undefined && step.does !== "DELETION" && step.by !== "link";
  if (!isStart || random.below(AGE_LIMITED) > 0) return step;
  const full: Trouble = { is: "disk", afterMs: random.below(4), forMs: pick(random, [SECOND, 3 * SECOND, 2 * MINUTE]) };
  const queuing: Trouble = { is: "rival", afterMs: random.below(SECOND), wants: "queue" };
  const waits = [full, ...(step.by === undefined ? [queuing, queuing] : [])].filter(() => random.below(3) === 0);
  const isNew = (trouble: Trouble): boolean => !step.troubles.some(({ is }) => is === trouble.is);
  return {
    ...step,
    expiresInMs: pick(random, AGES_MS),
    troubles: [...step.troubles, ...waits.filter(isNew).slice(0, 1)],
  };
}

/** One in so many of those that may have a tip has one. */
const TIPPED = 6;
/** Of the amount. The last one is more than that, which makes no sense. */
const TIPS = [0.1, 0.1, 0.15, 0.05, 0.5, 0.01, 0, 1, 1.1] as const;

function withTip(random: SeededRandom, step: Step): Step {
  const isStart =
    step.of === undefined && step.by === undefined && (step.does === "SALE" || step.does === "PREAUTHORIZATION");
  return isStart && random.below(TIPPED) === 0 ? { ...step, tip: Math.floor(step.amount * pick(random, TIPS)) } : step;
}
