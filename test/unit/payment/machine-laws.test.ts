import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isExplicitRefusal } from "../../../src/payment/attempt/definite-answer.ts";
import { RULES } from "../../../src/payment/attempt/retry-by-role.ts";
import { factSchema } from "../../../src/payment/fact/fact.ts";
import { decide } from "../../../src/payment/machine/decide.ts";
import { type Owed, owed } from "../../../src/payment/machine/owed.ts";
import { resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { isCardPresent } from "../../../src/payment/state/card-present.ts";
import type { Happening } from "../../../src/payment/state/input.ts";
import { evolve } from "../../../src/payment/state/payment.ts";
import { outcomes, paymentViewSchema, states } from "../../../src/payment/view-schema.ts";
import { runsOf } from "../../support/dose.ts";
import { EVERYTHING, take } from "../../support/drawn-happenings.ts";
import {
  approval,
  approved,
  authorizing,
  chipCard,
  completing,
  KINDS,
  refusal,
  Story,
  sale,
  signing,
  silence,
  softDecline,
  tap,
} from "../../support/sale.ts";

const said = { resultCode: "1.1", description: "" };
const steps = fc.array(
  fc.record({
    any: fc.constantFrom(false, false, true),
    pick: fc.nat(100_000),
    afterMs: fc.constantFrom(0, 10, 6_000, 31_000, 80_000, 1_900_000),
  }),
  { maxLength: 40 },
);
const begins = fc.record({
  kind: fc.constantFrom(...Object.keys(KINDS)),
  allowPartialApproval: fc.boolean(),
  expires: fc.boolean(),
});
type Beginning = { readonly kind: string; readonly allowPartialApproval: boolean; readonly expires: boolean };

function begin({ kind, allowPartialApproval, expires }: Beginning): Story {
  const accepted = KINDS[kind] ?? sale;
  const partial = accepted.of === undefined && accepted.type !== "REFUND" ? { allowPartialApproval } : {};
  return new Story({ ...accepted, ...partial, ...(expires && { expiresAt: sale.at + 20_000 }) }).meets({ on: "woken" });
}

const RUNS = { numRuns: runsOf(400, 2000) };

describe("whatever happens, in whatever order", () => {
  test("every fact reads back, every view is in the register API's form, and the fold is the live state", () => {
    fc.assert(
      fc.property(begins, steps, (how, walk) => {
        const story = begin(how);
        for (const step of walk) take(story, step);
        for (const fact of story.facts) expect(factSchema.parse(JSON.parse(JSON.stringify(fact)))).toEqual(fact);
        expect(() => paymentViewSchema.parse(viewOf(story.payment))).not.toThrow();
      }),
      RUNS,
    );
  });

  test("money is asked for once a card, taken back only when the payment cannot be approved, and captured only when it was", () => {
    fc.assert(
      fc.property(begins, steps, (how, walk) => {
        const story = begin(how);
        for (const step of walk) {
          take(story, step);
          const { attempts, ending, concluded, presented, accepted } = story.payment;
          const as = (...roles: readonly string[]): number =>
            attempts.filter(({ role }) => roles.includes(role)).length;
          const bookings = attempts.filter(({ role }) => RULES[role].isBooking);
          if (accepted.of === undefined)
            expect(bookings.length).toBeLessThanOrEqual(isCardPresent(accepted) ? presented : 1);
          // Whatever came before the newest one certainly took no money.
          for (const earlier of bookings.slice(0, -1))
            expect(earlier.standing === "settled" && earlier.answer?.is !== "approved").toBe(true);
          const answer = bookings.at(-1)?.answer;
          const own = isExplicitRefusal(answer) ? undefined : answer?.id;
          const against = attempts.filter(
            ({ role, operation }) => (role === "reversal" || role === "give-back") && operation.referencedId === own,
          );
          // A second booking is taken back whatever becomes of the payment.
          if (ending === undefined) expect([against.length, as("deregistration", "deletion")]).toEqual([0, 0]);
          if (concluded === undefined || ending !== undefined) expect(as("own-capture")).toBe(0);
          if (accepted.type !== "VOID") expect(as("void")).toBe(0);
          expect(attempts.filter(({ standing }) => standing === "intended").length).toBeLessThanOrEqual(2);
          expect(new Set(attempts.map(({ operation }) => operation.merchantTransactionId)).size).toBe(attempts.length);
        }
      }),
      RUNS,
    );
  });

  test("a decision, once told, never changes, and final is final", () => {
    fc.assert(
      fc.property(begins, steps, (how, walk) => {
        const story = begin(how);
        let decision: string | undefined;
        let outcome: string | undefined;
        for (const step of walk) {
          take(story, step);
          const view = viewOf(story.payment);
          if (decision !== undefined) expect(view.decision).toBe(decision);
          if (outcome !== undefined) expect(view.outcome).toBe(outcome);
          if (view.outcome !== undefined)
            expect(view.decision).toBe(
              view.outcome === "APPROVED" || view.outcome === "PARTIALLY_APPROVED" ? "approved" : "not-approved",
            );
          ({ decision, outcome } = view);
        }
      }),
      RUNS,
    );
  });

  test("an unfinished payment always has something owed: none can be stuck", () => {
    fc.assert(
      fc.property(begins, steps, (how, walk) => {
        const story = begin(how);
        for (const step of walk) {
          take(story, step);
          if (story.payment.concluded === undefined)
            expect(owed(story.payment).length, JSON.stringify(story.payment)).toBeGreaterThan(0);
        }
      }),
      RUNS,
    );
  });
});

/** The gateway never tells anything again, the terminal and whoever stands there give up. */
function unheard(effect: Owed): Happening {
  switch (effect.do) {
    case "post":
      return { on: "answer", merchantTransactionId: effect.operation.merchantTransactionId, answer: silence };
    case "search":
      return {
        on: "searched",
        merchantTransactionId: effect.merchantTransactionId,
        result: { is: "no-answer", description: "" },
      };
    case "lease":
      return { on: "cancel" };
    case "collect":
    case "ask-pin":
      return { on: "no-card", why: "timeout" };
    case "call-off":
      return { on: "cancelled", by: "register" };
    case "complete":
      return { on: "terminal-failed", code: "no-answer", detail: "" };
    case "release":
      return { on: "released" };
    case "tell-originals":
      return { on: "original-told" };
    case "watch":
    case "await-original":
    case "wake":
      return { on: "woken" };
  }
}

test("what the gateway never tells anything about again stands open for nobody for ever: people may close it", () => {
  const words = ["reversed", "declined", "approved"] as const;
  fc.assert(
    fc.property(begins, steps, (beginning, walk) => {
      const story = walk.reduce(take, begin(beginning));
      for (let round = 0; round < 60; round += 1)
        for (const effect of owed(story.payment)) story.meets(unheard(effect), 3_600_000);
      for (const effect of owed(story.payment)) if (effect.do === "post") story.meets(unheard(effect), 3_600_000);
      const { payment, now } = story;
      const isOpen =
        payment.concluded === undefined ||
        viewOf(payment).capture === "pending" ||
        viewOf(payment).capture === "failed";
      // What waits for its original is closed with that, and of what was never sent there is nothing to say: it is
      // cancelled.
      if (!isOpen || payment.resolved !== undefined || payment.attempts.length === 0) return;
      expect(words.map((as) => resolutionProblem(payment, now, as))).toContain(undefined);
    }),
    { numRuns: runsOf(60, 300) },
  );
});

test("an operator's word on an open payment is its end: only a capture or a stored card's deletion may follow", () => {
  let closed = 0;
  fc.assert(
    fc.property(begins, steps, fc.constantFrom("reversed", "declined", "approved"), (beginning, walk, as) => {
      const story = walk.reduce(take, begin(beginning));
      const later = story.now + 7_200_000;
      if (story.payment.concluded !== undefined || resolutionProblem(story.payment, later, as) !== undefined) return;
      story.meets({ on: "resolved", as, by: "alice", reason: "seen in the back office" }, 7_200_000);
      closed += 1;
      const { decision, state } = viewOf(story.payment);
      expect([decision, state]).toEqual([as === "approved" ? "approved" : "not-approved", "FINAL"]);
      const sent = owed(story.payment).flatMap((effect) =>
        effect.do === "post" ? [effect.operation.paymentType] : [],
      );
      expect(sent.filter((type) => type !== "DR" && (as !== "approved" || type !== "CP"))).toEqual([]);
    }),
    { numRuns: runsOf(2000, 10_000) },
  );
  expect(closed).toBeGreaterThan(20);
});

test("what is written down to be sent is owed until it is answered, whatever an operator says meanwhile", () => {
  const word = fc.constantFrom("reversed", "declined", "approved");
  fc.assert(
    fc.property(begins, steps, word, steps, (beginning, walk, as, more) => {
      const story = walk.reduce(take, begin(beginning));
      const everything: readonly (() => void)[] = [
        () => story.meets({ on: "resolved", as, by: "alice", reason: "seen in the back office" }, 7_200_000),
        ...more.map((step) => () => void take(story, step)),
      ];
      for (const happens of everything) {
        happens();
        const intended = story.payment.attempts.filter(({ standing }) => standing === "intended");
        const posts = owed(story.payment).flatMap((effect) => (effect.do === "post" ? [effect.operation] : []));
        expect(posts).toEqual(intended.map(({ operation }) => operation));
      }
    }),
    { numRuns: runsOf(1000, 5000) },
  );
});

test("the walks above reach every state and every outcome", () => {
  const reached = new Set<string>();
  for (const walk of fc.sample(fc.tuple(begins, steps), { numRuns: 2000, seed: 1 })) {
    const story = begin(walk[0]);
    for (const step of walk[1]) {
      const { state, outcome, capture } = viewOf(take(story, step).payment);
      reached
        .add(state)
        .add(outcome ?? "")
        .add(capture ?? "");
    }
  }
  for (const wanted of [...states, ...outcomes, "pending", "captured", "failed"])
    expect([...reached], wanted).toContain(wanted);
});

const TC = { on: "finished", verdict: "approved", chip: {} } as const;

function tapped(): Story {
  return new Story(KINDS["SALE, dual"]).meets({ on: "leased" }).meets({ on: "card", card: tap });
}

describe("every state meets every input", () => {
  const corners: readonly (readonly [string, Story])[] = [
    ["created", new Story()],
    ["queued", new Story().meets({ on: "queued" })],
    ["collecting", new Story().meets({ on: "leased" })],
    ["collecting, cancel asked", new Story().meets({ on: "leased" }).meets({ on: "cancel" })],
    ["authorizing", authorizing()],
    ["authorizing, cancel asked", authorizing().meets({ on: "cancel" })],
    ["reply lost", authorizing().answer(silence)],
    ["completing an approval", completing()],
    ["completing a decline", authorizing().answer(refusal())],
    ["reversing", completing().meets({ on: "finished", verdict: "declined", chip: {} })],
    ["resolving", authorizing().answer(silence).meets({ on: "terminal-failed", code: "no-answer", detail: "" })],
    ["approved, capture pending", approved()],
    ["approved and captured", approved().answer(approval(1234, "c"))],
    ["declined", authorizing().answer(refusal()).meets({ on: "finished", verdict: "declined", chip: {} })],
    ["asking for the PIN of a tap", tapped().answer(softDecline)],
    ["a PIN given for a tap", tapped().answer(softDecline).meets({ on: "pin" })],
    [
      "asked for the chip again",
      new Story(KINDS["SALE, dual"]).meets({ on: "leased" }).meets({ on: "no-card", why: "chip-unreadable" }),
    ],
    [
      "a second PIN",
      authorizing().answer(refusal("wrong-pin")).meets({ on: "finished", verdict: "declined", chip: {} }),
    ],
    [
      "waiting for a signature",
      new Story().meets({ on: "leased" }).meets({ on: "card", card: signing }).answer(approval()).meets(TC),
    ],
    ...Object.entries(KINDS).map(([name, accepted]) => [name, new Story(accepted).meets({ on: "woken" })] as const),
    [
      "a refund whose host is silent",
      new Story(KINDS["REFUND"]).meets({ on: "leased" }).meets({ on: "card", card: chipCard }).answer(silence),
    ],
    ["a void refused", new Story(KINDS["VOID"]).meets({ on: "woken" }).answer({ is: "not-reversible", ...said })],
    ["a void half done", new Story(KINDS["VOID"]).meets({ on: "woken" }).answer(approval(1234, "rv-1"))],
    ["a refund approved", new Story(KINDS["LINKED_REFUND"]).meets({ on: "woken" }).answer(approval(1234, "rf-1"))],
  ];
  const table = corners.flatMap(([name, story]) =>
    EVERYTHING.map((what, at) => [name, at, story.payment, what(story.payment)] as const),
  );

  test(`the table of ${corners.length} states and ${EVERYTHING.length} inputs is total`, () => {
    for (const [name, at, payment, what] of table) {
      const input = {
        at: payment.updatedAt + 1,
        fresh: { merchantTransactionId: `fresh-${at}`, sequenceNumber: at + 1 },
        what,
      };
      const facts = decide(payment, input);
      const after = facts.reduce(evolve, payment);
      expect(
        decide(after, { ...input, what: { on: "woken" } }),
        `${name} settles after ${JSON.stringify(what)}`,
      ).toEqual([]);
      expect(JSON.parse(JSON.stringify(after)), `${name} is plain JSON after ${JSON.stringify(what)}`).toEqual(after);
    }
  });
});
