import type { Accepted } from "../../src/payment/fact/fact.ts";
import { admitFollowUp } from "../../src/payment/follow-up/admit-follow-up.ts";
import type { FollowUpType } from "../../src/payment/follow-up/follow-up.ts";
import { standingOf } from "../../src/payment/follow-up/remaining.ts";
import { begin, type Payment } from "../../src/payment/state/payment.ts";
import { CURRENCY } from "./ledger.ts";
import { movesOf } from "./moves.ts";
import { isQuiet, put, type System } from "./system.ts";

const AMOUNT = 1234;
const START = 1_000_000;

const SALE: Accepted = {
  fact: "accepted",
  at: START,
  id: "sale",
  reference: "R-1",
  register: "till",
  type: "SALE",
  terminal: "till-1",
  amount: AMOUNT,
  currency: CURRENCY,
  allowPartialApproval: false,
  interfaces: ["chip", "contactless", "stripe"],
  pinAfterTap: true,
  parameters: {},
  fingerprint: "f",
  channel: { environment: "test", entityId: "e", settlement: "dual" },
  device: { terminalId: "1", pinEntry: true },
  rules: {
    cardMs: 60_000,
    pinMs: 60_000,
    hostAnswerMs: 45_000,
    hostWaitMs: 60_000,
    unknownWindowMs: 1_800_000,
    fallback: { allowed: true, chipTries: 2, withinMs: 60_000 },
  },
};

/** A start of each kind that the register can ask for. */
const STARTS = {
  sale: { ...SALE, expiresAt: START + 120_000 },
  "sale-single": { ...SALE, allowPartialApproval: true, channel: { ...SALE.channel, settlement: "single" } },
  "sale-registering": { ...SALE, interfaces: ["chip", "contactless"], createRegistration: true },
  "sale-without-pin-after-tap": { ...omitPinAfterTap(SALE), channel: { ...SALE.channel, settlement: "single" } },
  preauthorization: { ...SALE, type: "PREAUTHORIZATION", allowPartialApproval: true },
  refund: { ...SALE, type: "REFUND", allowPartialApproval: true },
  registration: { ...SALE, type: "REGISTRATION", amount: 0 },
  link: { ...withoutTerminal(SALE), link: { until: START + 600_000 } },
  "stored-card": storedCard(SALE),
  "stored-card-single": storedCard({ ...SALE, channel: { ...SALE.channel, settlement: "single" } }),
} as const satisfies Record<string, Accepted>;

function omitPinAfterTap({ pinAfterTap: _, ...rest }: Accepted): Accepted {
  return rest;
}

function withoutTerminal({ interfaces: _, pinAfterTap: __, ...rest }: Accepted): Accepted {
  return { ...rest, terminal: "" };
}

function storedCard(accepted: Accepted): Accepted {
  return { ...withoutTerminal(accepted), registration: "card-1", expiresAt: START + 120_000 };
}

/** A follow-up of each kind, and how its original stood when it was asked for. */
const FOLLOW_UPS = {
  capture: { type: "CAPTURE", start: "preauthorization", amount: "5.00", until: isQuiet, increments: 0 },
  "capture-rest": { type: "CAPTURE", start: "preauthorization", amount: undefined, until: isQuiet, increments: 0 },
  "void-captured": { type: "VOID", start: "sale", amount: undefined, until: isQuiet, increments: 0 },
  "void-single": { type: "VOID", start: "sale-single", amount: undefined, until: isQuiet, increments: 0 },
  "void-pending": { type: "VOID", start: "sale", amount: undefined, until: isConcluded, increments: 0 },
  "void-incremented": { type: "VOID", start: "preauthorization", amount: undefined, until: isQuiet, increments: 1 },
  "linked-refund": { type: "LINKED_REFUND", start: "sale", amount: "5.00", until: isQuiet, increments: 0 },
  increment: { type: "INCREMENT", start: "preauthorization", amount: "3.00", until: isQuiet, increments: 0 },
} as const satisfies Record<string, Following>;

interface Following {
  readonly type: FollowUpType;
  readonly start: keyof typeof STARTS;
  readonly amount: string | undefined;
  readonly until: (system: System) => boolean;
  readonly increments: 0 | 1;
}

export type Kind = keyof typeof STARTS | keyof typeof FOLLOW_UPS;

function isFollowing(kind: string): kind is keyof typeof FOLLOW_UPS {
  return Object.hasOwn(FOLLOW_UPS, kind);
}

function isStart(kind: string): kind is keyof typeof STARTS {
  return Object.hasOwn(STARTS, kind);
}

export function isKind(kind: string): kind is Kind {
  return isFollowing(kind) || isStart(kind);
}

export const KINDS: readonly Kind[] = [...Object.keys(STARTS), ...Object.keys(FOLLOW_UPS)].filter(isKind);

/** The system at the moment at which a payment of that kind has been accepted. */
export function firstState(kind: Kind): System {
  if (!isFollowing(kind)) return started(STARTS[kind]);
  const { type, start, amount, until, increments } = FOLLOW_UPS[kind];
  const original = runUntil(started(STARTS[start]), until);
  const raised =
    increments === 0 ? original : finished(runUntil(followed(original, "INCREMENT", "3.00", "increment"), isQuiet));
  return followed(raised, type, amount, "follow");
}

function started(accepted: Accepted): System {
  const party = { payment: begin(accepted), begun: [] };
  return put({ now: START, parties: [party], ledger: [], cardWord: "none", presented: 0, settled: [], news: [] }, 0, {
    on: "woken",
  });
}

function isConcluded({ parties }: System): boolean {
  return parties.every(({ payment }) => payment.concluded !== undefined);
}

/** The expected course, one step after the other. */
export function runUntil(system: System, isThere: (system: System) => boolean): System {
  let state = system;
  while (!isThere(state)) {
    const next = movesOf(state).find(({ cost }) => cost === 0);
    if (next === undefined) throw new Error("the expected course comes to rest too early");
    state = next.go();
  }
  return state;
}

/** The same with the follow-up gone: its original alone remembers it. */
function finished({ parties, ...rest }: System): System {
  const original = parties[1];
  if (original === undefined || original.payment.followUps.length === 0) throw new Error("the increment was not told");
  return { ...rest, parties: [original] };
}

/** A follow-up accepted by the production rules (src/engine/follow-ups). */
function followed(system: System, type: FollowUpType, amount: string | undefined, id: string): System {
  const original = system.parties[0];
  if (original === undefined) throw new Error("no original");
  const admitted = admitFollowUp(type, standingOf(original.payment, undefined, false), amount);
  if (!admitted.ok) throw new Error(admitted.refusal.message);
  const accepted = acceptedOf(original.payment, type, id, system.now, admitted.value);
  const party = { payment: begin(accepted), begun: [] };
  // What was booked long ago is in every query by now.
  const ledger = system.ledger.map((row) => (original.begun.length === 0 ? { ...row, sight: "seen" as const } : row));
  return put({ ...system, ledger, parties: [party, original], news: [] }, 0, { on: "woken" });
}

type Admitted = Extract<ReturnType<typeof admitFollowUp>, { ok: true }>["value"];

function acceptedOf({ accepted }: Payment, type: FollowUpType, id: string, at: number, order: Admitted): Accepted {
  const { expiresAt: _, interfaces: __, pinAfterTap: ___, ...rest } = accepted;
  return {
    ...rest,
    at,
    id,
    reference: `R-${id}`,
    type,
    amount: order.amount,
    allowPartialApproval: true,
    ...(order.last && { last: true as const }),
    of: { payment: accepted.id, targets: [...order.targets], ...(order.capturing && { capturing: true as const }) },
  };
}
