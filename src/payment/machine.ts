export { type Accepted, type CardRead, type ChipData, type Fact, factSchema, type Rules } from "./fact/fact.ts";
export { cancellation, canJudgeSignature, decide } from "./machine/decide.ts";
export { everyQueryOf, isLookedForBesides, type Urgency } from "./machine/next-query.ts";
export { isOverExceptLateQueries, isSettled, type Owed, owed, type WakeTime, wakeTimes } from "./machine/owed.ts";
export type { Happening } from "./state/input.ts";
export { begin, evolve, fold } from "./state/payment.ts";
