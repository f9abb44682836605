import type { Answer, LinkSight, SearchResult } from "../../src/payment/fact/answer.ts";
import { owed } from "../../src/payment/machine/owed.ts";
import type { Happening } from "../../src/payment/state/input.ts";
import type { Payment } from "../../src/payment/state/payment.ts";
import { approval, chipCard, notSent, refusal, Story, signing, silence, softDecline, stripe, tap } from "./sale.ts";

/* Whatever a payment may meet, for laws that hold whatever it meets. */

const bareApproval: Answer = {
  is: "approved",
  id: "booking-1",
  resultCode: "000.100.110",
  description: "",
  amount: 1234,
  currency: "EUR",
  review: false,
  issuer: {},
};
const said = { resultCode: "1.1", description: "" };
const ANSWERS: readonly Answer[] = [
  approval(),
  approval(1000),
  approval(9999),
  bareApproval,
  refusal(),
  refusal("wrong-pin"),
  softDecline,
  { ...refusal(), ...({ wantsCardholder: true } as const) },
  { ...bareApproval, registrationId: "registration-1" },
  silence,
  notSent,
  { is: "not-booked", why: "refused", ...said },
  { is: "not-booked", why: "gateway-down", ...said },
  { is: "pending", id: "booking-1", ...said },
  { is: "link", id: "link-1", url: "https://gateway.example/link-1", ...said },
  { is: "throttled", ...said },
  { is: "duplicate", ...said },
  { is: "already-reversed", ...said },
  { is: "not-booked", why: "refused", lacks: "setup", ...said },
  { is: "not-reversible", ...said },
  { is: "still-pending", ...said },
  { is: "auto-reversed", id: "booking-1", ...said },
  { is: "half-reversed", id: "booking-1", ...said },
  { is: "half-reversed", ...said },
  { is: "unknown", id: "booking-1", description: "uncertain" },
  { ...bareApproval, currency: "JPY" },
];

const SIGHTS: readonly LinkSight[] = [
  { is: "open", opened: false },
  { is: "open", opened: true },
  { is: "paid", transactionId: "booking-1" },
  { is: "paid" },
  { is: "expired" },
  { is: "throttled" },
  { is: "no-answer", description: "" },
];

/** Everything that can happen, aimed at an attempt by its place so that it meets the state it is for. */
type Aimed = (payment: Payment) => Happening;
const plain: readonly Happening[] = [
  { on: "queued" },
  { on: "leased" },
  { on: "card", card: chipCard },
  { on: "card", card: { ...chipCard, decision: "approved-offline" } },
  { on: "card", card: { ...chipCard, decision: "declined-offline" } },
  ...(["chip-unreadable", "not-supported", "blocked", "removed", "timeout", "pin-timeout", "use-chip"] as const).map(
    (why) => ({ on: "no-card", why }) as const,
  ),
  { on: "cancelled", by: "customer" },
  { on: "cancelled", by: "register" },
  ...["keys-missing", "tampered", "protocol", "no-answer", "refused"].map(
    (code) => ({ on: "terminal-failed", code, detail: "" }) as const,
  ),
  ...(["approved", "declined", "read"] as const).map((verdict) => ({ on: "finished", verdict, chip: {} }) as const),
  ...SIGHTS.map((sight) => ({ on: "link-seen", sight }) as const),
  { on: "card", card: tap },
  { on: "card", card: stripe },
  { on: "card", card: signing },
  { on: "pin" },
  { on: "cancel" },
  { on: "signature", accepted: true },
  { on: "signature", accepted: false },
  { on: "withdraw-capture", by: "pay_9" },
  { on: "original-known", targets: [{ id: "capture-1", paymentType: "CP", amount: 1234 }] },
  { on: "original-told" },
  { on: "followed", by: { payment: "pay_9", type: "VOID", outcome: "FAILED", amount: 0, target: "booking-1" } },
  {
    on: "followed",
    by: { payment: "pay_8", type: "LINKED_REFUND", outcome: "APPROVED", amount: 100, target: "capture-1" },
  },
  ...(["reversed", "approved", "declined"] as const).map(
    (as) => ({ on: "resolved", as, by: "op", reason: "told by telephone", gatewayId: "g" }) as const,
  ),
  { on: "released" },
  { on: "restarted" },
  { on: "woken" },
];

function aimed(payment: Payment, place: number): { readonly id: string; readonly type: string } {
  const attempt = payment.attempts[place % Math.max(1, payment.attempts.length)];
  return { id: attempt?.operation.merchantTransactionId ?? "none", type: attempt?.operation.paymentType ?? "PA" };
}

function results(payment: Payment, place: number): readonly SearchResult[] {
  const { id, type } = aimed(payment, place);
  const original = payment.accepted.of?.targets[0]?.id;
  const own = ANSWERS.map((answer) => ({ id: "booking-1", merchantTransactionId: id, paymentType: type, answer }));
  const reversal = { id: "rv", referencedId: original ?? "booking-1", paymentType: "RV", answer: approval(1234, "rv") };
  const shown = original === undefined ? [] : [{ id: original, paymentType: "PA", answer: approval(1234, original) }];
  return [
    { is: "absent" },
    { is: "throttled" },
    { is: "no-answer", description: "" },
    { is: "found", bookings: shown },
    ...own.map((booking) => ({ is: "found", bookings: [...shown, booking] }) as const),
    ...own.map((booking) => ({ is: "found", bookings: [...shown, booking, reversal] }) as const),
  ];
}

export const EVERYTHING: readonly Aimed[] = [
  ...plain.map((what) => () => what),
  ...[0, 1, 2].flatMap((place) =>
    ANSWERS.map(
      (answer): Aimed =>
        (payment) => ({ on: "answer", merchantTransactionId: aimed(payment, place).id, answer }),
    ),
  ),
  ...[0, 1, 2].flatMap((place) =>
    results(new Story().payment, place).map(
      (_result, at): Aimed =>
        (payment) => {
          const result = results(payment, place)[at];
          return result === undefined
            ? { on: "woken" }
            : { on: "searched", merchantTransactionId: aimed(payment, place).id, result };
        },
    ),
  ),
];

/** What the world would most likely answer to what is owed, so that walks get somewhere. */
function likely(payment: Payment, roll: number): Happening {
  const effects = owed(payment);
  // Bits that the choice of the effect does not use, so that no answer is tied to one effect.
  const other = Math.floor(roll / 6);
  const effect = effects[roll % Math.max(1, effects.length)];
  switch (effect?.do) {
    case "lease":
      return { on: "leased" };
    case "collect": {
      const cards = [chipCard, chipCard, tap, stripe, signing];
      return other % 9 === 8
        ? { on: "no-card", why: "chip-unreadable" }
        : { on: "card", card: cards[other % cards.length] ?? chipCard };
    }
    case "call-off":
      return { on: "cancelled", by: "register" };
    case "post":
      return {
        on: "answer",
        merchantTransactionId: effect.operation.merchantTransactionId,
        answer:
          (other % 3 === 0 ? ANSWERS[(other >> 2) % ANSWERS.length] : approval(other % 5 === 0 ? 1000 : 1234)) ??
          silence,
      };
    case "search": {
      const found = results(payment, 0);
      return {
        on: "searched",
        merchantTransactionId: effect.merchantTransactionId,
        result: found[other % found.length] ?? { is: "absent" },
      };
    }
    case "complete":
      return {
        on: "finished",
        verdict: effect.issuer.verdict === "approved" && other % 4 !== 0 ? "approved" : "declined",
        chip: {},
      };
    case "release":
      return { on: "released" };
    case "ask-pin":
      return { on: "pin" };
    case "watch":
      return { on: "link-seen", sight: SIGHTS[other % SIGHTS.length] ?? { is: "expired" } };
    case "await-original":
      return { on: "original-known", targets: [{ id: "capture-1", paymentType: "CP", amount: 1234 }] };
    case "tell-originals":
      return { on: "original-told" };
    case "wake":
    case undefined:
      return { on: "woken" };
  }
}

/** What a story meets by chance. */
export interface Step {
  readonly any: boolean;
  readonly pick: number;
  readonly afterMs: number;
}

export function take(story: Story, { any, pick, afterMs }: Step): Story {
  const what = any ? EVERYTHING[pick % EVERYTHING.length]?.(story.payment) : likely(story.payment, pick);
  return story.meets(idsOf(story.payment, what ?? { on: "woken" }), afterMs);
}

/**
 * No gateway gives one id to two requests: what is drawn as booking-1 is the first one's, booking-2 the second one's.
 */
function idsOf({ attempts }: Payment, what: Happening): Happening {
  const idOf = (name: string | undefined): string =>
    `booking-${
      Math.max(
        0,
        attempts.findIndex(({ operation }) => operation.merchantTransactionId === name),
      ) + 1
    }`;
  const as = (answer: Answer, id: string): Answer =>
    "id" in answer && answer.id === "booking-1" ? { ...answer, id } : answer;
  if (what.on === "answer") return { ...what, answer: as(what.answer, idOf(what.merchantTransactionId)) };
  if (what.on !== "searched" || what.result.is !== "found") return what;
  const own = what.result.bookings.find(({ id }) => id === "booking-1");
  if (own === undefined) return what;
  const id = idOf(own.merchantTransactionId);
  const bookings = what.result.bookings.map((one) => {
    if (one === own) return { ...one, id, answer: as(one.answer, id) };
    return one.referencedId === "booking-1" ? { ...one, referencedId: id } : one;
  });
  return { ...what, result: { is: "found", bookings } };
}
