import type { Mutant } from "./mutant.ts";

/**
 * The mistakes that field software makes (posting again after silence, believing "not there", forgetting a reversal,
 * ...), at least one for each truth.
 */
export const MUTANTS: readonly Mutant[] = [
  {
    name: "reserves again when the reply is lost",
    truth: 1,
    file: "src/payment/state/payment.ts",
    find: "payment.attempts.filter(({ role }) => RULES[role].isBooking).length < payment.presented",
    put: 'payment.attempts.filter(({ role, standing }) => RULES[role].isBooking && standing !== "open").length < payment.presented',
    isForChaos: true,
  },
  {
    name: "calls the approval of a part one of the whole",
    truth: 2,
    file: "src/payment/machine/next-step.ts",
    find: "const amount = booking.answer.amount ?? accepted.amount;",
    put: "const amount = accepted.amount;",
  },
  {
    name: "believes 000.400.030 to be an approval",
    truth: 2,
    file: "src/gateway/meaning.ts",
    find: '{ codes: /^000\\.400\\.030$/, meaning: "half-reversed" }',
    put: '{ codes: /^000\\.400\\.030$/, meaning: "approved" }',
  },
  {
    name: "calls a sale approved although its card refused",
    truth: 2,
    file: "src/payment/outcome/outcome.ts",
    find: 'return verdict === "approved" || (verdict === "read" && card?.entryMode !== "ICC");',
    put: 'return verdict !== "read" || card?.entryMode !== "ICC";',
  },
  {
    name: "forgets a reversal after a restart",
    truth: 3,
    file: "src/payment/recovery/reversal.ts",
    find: "booking === undefined ||\n    isReversalShown(booking)",
    put: "payment.interruptedAt !== undefined || booking === undefined || isReversalShown(booking)",
    isForChaos: true,
  },
  {
    name: "believes a reversal in part to be of the whole",
    truth: 3,
    file: "src/payment/attempt/attempt.ts",
    find: "whole === undefined || said.amount >= whole) return said;",
    put: "whole === undefined || said.amount >= 0) return said;",
  },
  {
    name: "calls the payment declined when nobody answers",
    truth: 3,
    file: "src/payment/attempt/definite-answer.ts",
    find: `    case "throttled":
    case "unknown":
      return "nothing";`,
    put: `    case "throttled":
      return "nothing";
    case "unknown":
      return "refused";`,
    isForChaos: true,
  },
  {
    name: "believes the first query that finds nothing",
    truth: 4,
    file: "src/payment/recovery/decision-table.ts",
    find: 'booking: "none", age: "young", do: "wait"',
    put: 'booking: "none", age: "young", do: "close"',
  },
  {
    name: "leaves a booking that is not wanted",
    truth: 3,
    file: "src/payment/recovery/decision-table.ts",
    find: 'heard: STANDS, undone: ["no", "part"], do: "reverse"',
    put: 'heard: STANDS, undone: ["no", "part"], do: "wait"',
    isForChaos: true,
  },
  {
    name: "lets two payments use one terminal",
    truth: 5,
    file: "src/engine/terminal/lease.ts",
    find: 'if (closed || line[0]?.payment !== payment) return "queued";',
    put: 'if (closed) return "queued";',
  },
  {
    name: "does not look at the order's other payments",
    truth: 6,
    file: "src/payment/admission/admit.ts",
    find: "const other = ofOrder.find(({ reference }) => reference !== despite);",
    put: "const other = ofOrder.find(({ reference }) => reference !== despite && reference === despite);",
  },
  {
    name: "refunds again when nothing was heard of the first",
    truth: 7,
    file: "src/payment/attempt/retry-by-role.ts",
    find: 'refund: { again: "when-not-booked", purpose: "refunding"',
    put: 'refund: { again: "freely", purpose: "reversing"',
  },
  {
    name: "voids a reservation whose capture is on its way",
    truth: 7,
    file: "src/payment/follow-up/follow-up.ts",
    find: "return accepted.of?.capturing === true && targets === undefined && ending === undefined;",
    put: "return accepted.of?.capturing === true && targets !== undefined && ending === undefined;",
  },
];
