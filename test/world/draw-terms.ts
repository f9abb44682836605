import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import { pick } from "./pick.ts";
import type { Step, Trouble } from "./script.ts";

/** What a request says besides what it is for. It is drawn by itself: a step without it is the same step. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export function withTerms(random: SeededRandom, step: Step, drawn: readonly Step[]): Step {
  return withTip(random, withAgeLimit(random, asAnotherCapture(random, step, drawn)));
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

/** Most of them meet something that makes them wait: another customer at the terminal, or a disk that takes nothing once they were accepted. */
function withAgeLimit(random: SeededRandom, step: Step): Step {
  const isStart = step.of === undefined && step.does !== "DELETION" && step.by !== "link";
  if (!isStart || random.below(AGE_LIMITED) > 0) return step;
  const full: Trouble = { is: "disk", afterMs: random.below(4), forMs: pick(random, [SECOND, 3 * SECOND, 2 * MINUTE]) };
  const queuing: Trouble = { is: "rival", afterMs: random.below(SECOND), wants: "queue" };
  const waits = [full, ...(step.by === undefined ? [queuing, queuing] : [])].filter(() => random.below(3) === 0);
  const isNew = (trouble: Trouble): boolean => !step.troubles.some(({ is }) => is === trouble.is);
  return { ...step, expiresInMs: pick(random, AGES_MS), troubles: [...step.troubles, ...waits.filter(isNew).slice(0, 1)] };
}

/** One in so many of those that may have a tip has one. */
const TIPPED = 6;
/** Of the amount. The last one is more than that, which makes no sense. */
const TIPS = [0.1, 0.1, 0.15, 0.05, 0.5, 0.01, 0, 1, 1.1] as const;

function withTip(random: SeededRandom, step: Step): Step {
  const isStart = step.of === undefined && step.by === undefined && (step.does === "SALE" || step.does === "PREAUTHORIZATION");
  return isStart && random.below(TIPPED) === 0 ? { ...step, tip: Math.floor(step.amount * pick(random, TIPS)) } : step;
}
