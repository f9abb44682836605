import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFact } from "../../../src/engine/shell/journal-replay.ts";
import { type StepLine, stepLines } from "../../../src/engine/shell/step-lines.ts";
import { begin, evolve } from "../../../src/payment/state/payment.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import { take } from "../../support/drawn-happenings.ts";
import {
  approval,
  approved,
  authorizing,
  chipCard,
  KINDS,
  refusal,
  Story,
  sale,
  silence,
  storedCardSale,
} from "../../support/sale.ts";

/** What the facts of a story would be logged as, had the journal taken them all at once. */
function linesOf({ facts: [first, ...rest] }: Story): readonly StepLine[] {
  if (first?.fact !== "accepted") throw new Error("a story begins with its acceptance");
  const accepted = begin(first);
  return stepLines({ tookMs: 0, before: accepted, facts: [first, ...rest], after: rest.reduce(evolve, accepted) });
}

const infos = (story: Story) =>
  linesOf(story).flatMap(({ level, message, fields }) => (level === "info" ? [{ message, ...fields }] : []));
const bareApproval = {
  is: "approved",
  description: "approved",
  amount: 1234,
  currency: "EUR",
  review: false,
  issuer: {},
} as const;
const whose = {
  payment: "pay_1",
  reference: "R-1",
  register: "till",
  terminal: "till-1",
  amount: "12.34",
  currency: "EUR",
};

describe("the log lines of a payment", () => {
  it("are one at info for each step of a sale, with whose it is, how much, what came of it and how long it took", () => {
    const pa = { paymentType: "PA", merchantTransactionId: "mtid-2" };
    const cp = { paymentType: "CP", merchantTransactionId: "mtid-4" };
    expect(infos(approved().answer(approval(1234, "capture1"), 250))).toEqual([
      { message: "payment accepted", ...whose, type: "SALE" },
      { message: "card presented", ...whose, entryMode: "ICC", brand: "VISA", ms: 10 },
      { message: "sent to the gateway", ...whose, ...pa },
      { message: "gateway answered", ...whose, ...pa, answer: "approved", resultCode: "000.100.110", ms: 10 },
      { message: "answer told to the card", ...whose, verdict: "approved", ms: 10 },
      { message: "payment final", ...whose, outcome: "APPROVED", approvedAmount: "12.34", ms: 40 },
      { message: "sent to the gateway", ...whose, ...cp },
      {
        message: "gateway answered",
        ...whose,
        ...cp,
        answer: "approved",
        resultCode: "000.100.110",
        gatewayId: "capture1",
        ms: 250,
      },
    ]);
  });

  it("say why a payment is not approved", () => {
    const declined = authorizing().answer(refusal()).meets({ on: "finished", verdict: "declined", chip: {} });
    expect(infos(declined).at(-1)).toEqual({
      message: "payment final",
      ...whose,
      outcome: "DECLINED",
      reason: "host-declined",
      ms: 40,
    });
  });

  it("name no terminal and no amount where there is none, and the payment that a follow-up is about", () => {
    expect(infos(new Story(KINDS["REGISTRATION"]))[0]).not.toHaveProperty("amount");
    expect(infos(new Story({ ...sale, terminal: "" }))[0]).not.toHaveProperty("terminal");
    expect(infos(new Story(KINDS["VOID"]))[0]).toMatchObject({
      message: "payment accepted",
      type: "VOID",
      of: "pay_0",
    });
  });

  it("show yen without decimals", () => {
    expect(infos(new Story({ ...sale, currency: "JPY", amount: 1200 }))[0]).toMatchObject({
      amount: "1200",
      currency: "JPY",
    });
  });

  it("name who closed a payment", () => {
    const open = new Story(storedCardSale)
      .meets({ on: "woken" })
      .answer(silence)
      .meets({ on: "woken" }, sale.rules.unknownWindowMs);
    const closed = open.meets({ on: "resolved", as: "declined", by: "ada as root", reason: "asked by telephone" });
    expect(infos(closed)).toContainEqual(
      expect.objectContaining({
        message: "closed by an operator",
        reference: "R-1",
        as: "declined",
        by: "ada as root",
      }),
    );
  });

  it("repeat nothing of the gateway's that has not the form of an id or a code", () => {
    const answered = authorizing().answer({
      ...bareApproval,
      id: "4111 1111 1111 1111",
      resultCode: "4111111111111111",
    });
    expect(infos(answered)[3]).toMatchObject({ message: "gateway answered", answer: "approved" });
    expect(JSON.stringify(linesOf(answered))).not.toContain("4111");
  });
});

/** Stories of any payment that meets anything. */
const steps = fc.array(fc.record({ any: fc.boolean(), pick: fc.nat(), afterMs: fc.nat(100_000) }), { maxLength: 12 });
const stories = fc
  .tuple(fc.constantFrom(...Object.values(KINDS)), steps)
  .map(([accepted, met]) => met.reduce(take, new Story(accepted)));

/** All that is ever said of a payment. */
const WORDS = new Set([
  ...[
    "payment",
    "reference",
    "register",
    "terminal",
    "amount",
    "currency",
    "type",
    "of",
    "ms",
    "outcome",
    "reason",
    "approvedAmount",
  ],
  ...["entryMode", "brand", "why", "round", "again", "verdict", "removed", "code", "detail", "accepted"],
  ...[
    "paymentType",
    "merchantTransactionId",
    "answer",
    "resultCode",
    "gatewayId",
    "result",
    "bookings",
    "link",
    "by",
    "as",
  ],
]);

describe("whatever a payment meets, its lines", () => {
  it("are one a fact, and hold nothing of the card but how it was presented and its brand", () => {
    fc.assert(
      fc.property(stories, (story) => {
        const lines = linesOf(story);
        expect(lines).toHaveLength(story.facts.length);
        expect(lines.flatMap(({ fields }) => Object.keys(fields)).filter((name) => !WORDS.has(name))).toEqual([]);
        const text = JSON.stringify(lines);
        for (const word of [chipCard.icc, "AABBCCDDEEFF", "A0000000031010"]) expect(text).not.toContain(word);
      }),
    );
  });
});

it("every fact is told once, in the order of the journal, also where the journal does not take it at once", async () => {
  const counter = openCounter();
  for (const reference of ["R-1", "R-2"]) void counter.payments.start(till, startRequest(reference, { queue: true }));
  await counter.clock.advance(120_000);
  const told = counter.appended.flatMap(({ facts, after }) => facts.map(({ fact }) => [after.accepted.id, fact]));
  const kept = (await counter.journal.after(0, 1000)).map((stored) => [stored.payment, readFact(stored).fact]);
  expect(told).toEqual(kept);
  const final = counter.appended.map(({ after }) => after).filter(({ concluded }) => concluded !== undefined);
  expect(new Set(final.map(({ accepted }) => accepted.reference))).toEqual(new Set(["R-1", "R-2"]));
});
