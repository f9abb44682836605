import { describe, expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { owed } from "../../../src/payment/machine/owed.ts";
import { isResolvable } from "../../../src/payment/operator/allowed-decisions.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { approval, followUp, refusal, Story, sale, silence, storedCardSale } from "../../support/sale.ts";
import { posted } from "../../support/shown.ts";

/*
 * The gateway has a reversal in hand (000.200.000) and refuses the next one: the first may yet be carried out
 * (gateway-facts 1.3, "not final").
 */

const MINUTE = 60_000;
const WINDOW = sale.rules.unknownWindowMs;
const said = { resultCode: "000.200.000", description: "" };
const pending: Answer = { is: "pending", id: "rv-1", ...said };
const refused: Answer = { is: "not-reversible", ...said };

const view = (story: Story) => viewOf(story.payment);
const reversals = (story: Story): readonly string[] =>
  story.payment.attempts
    .filter(({ operation }) => operation.paymentType === "RV")
    .map(({ operation }) => operation.merchantTransactionId);

function shows(story: Story, bookings: readonly Found[], afterMs: number): Story {
  const { operation } =
    story.payment.attempts.findLast(({ role }) => role === "void") ?? story.payment.attempts[0] ?? {};
  return story.meets(
    {
      on: "searched",
      merchantTransactionId: operation?.merchantTransactionId ?? "",
      result: { is: "found", bookings },
    },
    afterMs,
  );
}

/** What the gateway has not decided is not asked again within the unknown window. */
const againAfter = ({ is }: Answer): number => (is === "pending" ? WINDOW : 5_000);

/** A debit that must not stand, of which the second reversal is refused. */
function unwanted(first: Answer): Story {
  const story = new Story({ ...storedCardSale, channel: { ...sale.channel, settlement: "single" } })
    .meets({ on: "woken" })
    .meets({ on: "cancel" });
  return story.answer(approval(1234, "db-1")).answer(first).meets({ on: "woken" }, againAfter(first)).answer(refused);
}

function voiding(first: Answer): Story {
  const story = new Story(followUp("VOID", { targets: [{ id: "db-1", paymentType: "DB", amount: 1234 }] })).meets({
    on: "woken",
  });
  return story.answer(first).meets({ on: "woken" }, againAfter(first)).answer(refused);
}

const debit = (story: Story): Found => ({
  id: "db-1",
  merchantTransactionId: story.booking(),
  paymentType: "DB",
  answer: approval(1234, "db-1"),
});
const foreign: Found = { id: "db-1", paymentType: "DB", answer: approval(1234, "db-1") };
const first = (story: Story, answer: Answer): Found => ({
  ...{ id: "rv-1", merchantTransactionId: reversals(story)[0] ?? "", referencedId: "db-1", paymentType: "RV" },
  answer,
});

describe('a reversal that met "already reversed", of which the gateway keeps a row, and a refused one after it', () => {
  const met: Answer = { is: "already-reversed", id: "rv-1", ...said, resultCode: "700.300.300" };

  test("fail a void once queries past the unknown window have shown the booking standing", () => {
    const story = new Story(followUp("VOID", { targets: [{ id: "db-1", paymentType: "DB", amount: 1234 }] }))
      .meets({ on: "woken" })
      .answer(met);
    shows(story, [foreign, first(story, met)], 10)
      .meets({ on: "woken" }, 5_000)
      .answer(refused);
    shows(story, [foreign, first(story, met)], MINUTE);
    expect([reversals(story).length, view(story).decision]).toEqual([2, undefined]);
    expect(view(shows(story, [foreign, first(story, met)], WINDOW))).toMatchObject({
      outcome: "FAILED",
      reason: { code: "void-refused" },
    });
  });

  test("are followed by a refund of what must not stand, then and not sooner", () => {
    const story = unwanted(met);
    shows(story, [debit(story), first(story, met)], MINUTE).meets({ on: "woken" }, MINUTE);
    expect(posted(story)).toEqual(["DB", "RV", "RV"]);
    shows(story, [debit(story), first(story, met)], WINDOW).meets({ on: "woken" }, MINUTE);
    expect(posted(story)).toEqual(["DB", "RV", "RV", "RF"]);
  });
});

describe("a reversal that the gateway has not decided", () => {
  const unwantedOnce = (): Story => {
    const story = new Story({ ...storedCardSale, channel: { ...sale.channel, settlement: "single" } })
      .meets({ on: "woken" })
      .meets({ on: "cancel" });
    return story.answer(approval(1234, "db-1")).answer(pending);
  };
  const voidedOnce = (): Story =>
    new Story(followUp("VOID", { targets: [{ id: "db-1", paymentType: "DB", amount: 1234 }] }))
      .meets({ on: "woken" })
      .answer(pending);
  const nextLook = (story: Story): number =>
    Math.min(...owed(story.payment).flatMap((one) => (one.do === "search" ? [one.at - story.now] : [])));

  test.each([
    ["a void", voidedOnce, foreign],
    ["what must not stand", unwantedOnce, undefined],
  ] as const)(
    "(%s) is looked at until it is, ever more seldom, and not asked for again meanwhile",
    (_, begun, root) => {
      const story = begun();
      const waits: number[] = [];
      for (let look = 0; look < 6; look += 1) {
        waits.push(Math.round(nextLook(story) / 1000));
        shows(story, [root ?? debit(story), first(story, pending)], Math.max(10, nextLook(story))).meets(
          { on: "woken" },
          10,
        );
      }
      expect(waits).toEqual([0, 30, 60, 120, 240, 300]);
      expect(reversals(story)).toHaveLength(1);
      story.meets({ on: "woken" }, WINDOW);
      expect(reversals(story)).toHaveLength(2);
    },
  );

  test("and refuses in the end fails a void by the very query that shows it, and is followed by a refund of what must not stand", () => {
    const voided = shows(voidedOnce(), [foreign, first(voidedOnce(), refusal())], 30_000);
    expect(view(voided)).toMatchObject({ outcome: "FAILED", reason: { code: "void-refused" } });
    const story = unwantedOnce();
    shows(story, [debit(story), first(story, refusal())], 30_000).meets({ on: "woken" }, 5_000);
    expect(posted(story)).toEqual(["DB", "RV", "RF"]);
  });
});

describe("a reversal that the gateway has not decided, while it refuses the next one", () => {
  test("is not followed by a refund, however long it takes, and counts once it is carried out", () => {
    const story = unwanted(pending);
    for (let look = 0; look < 6; look += 1)
      shows(story, [debit(story), first(story, pending)], WINDOW).meets({ on: "woken" }, MINUTE);
    expect(posted(story)).toEqual(["DB", "RV", "RV"]);
    expect(isResolvable(story.payment, story.now, "reversed")).toBe(true);
    shows(story, [debit(story), first(story, approval(1234, "rv-1"))], WINDOW);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED" });
  });

  test("is followed by one once it is declined", () => {
    const story = unwanted(pending);
    shows(story, [debit(story), first(story, pending)], WINDOW).meets({ on: "woken" }, MINUTE);
    shows(story, [debit(story), first(story, refusal())], WINDOW).meets({ on: "woken" }, 60 * MINUTE);
    expect(posted(story)).toEqual(["DB", "RV", "RV", "RF"]);
  });

  test("and of a void leaves it open, which ends as it ends", () => {
    const [done, undone] = [voiding(pending), voiding(pending)];
    for (const story of [done, undone]) {
      for (let look = 0; look < 6; look += 1) shows(story, [foreign, first(story, pending)], WINDOW);
      expect(view(story).outcome).toBeUndefined();
      expect(
        ["approved", "declined"].map((as) =>
          isResolvable(story.payment, story.now, as === "approved" ? "approved" : "declined"),
        ),
      ).toEqual([true, true]);
    }
    expect(view(shows(done, [foreign, first(done, approval(1234, "rv-1"))], WINDOW))).toMatchObject({
      outcome: "APPROVED",
    });
    expect(view(shows(undone, [foreign, first(undone, refusal())], WINDOW))).toMatchObject({
      outcome: "FAILED",
      reason: { code: "void-refused" },
    });
  });

  test("or that no query shows has come to nothing past the unknown window", () => {
    const [story, lost] = [unwanted(pending), voiding(silence)];
    shows(story, [debit(story)], WINDOW - MINUTE).meets({ on: "woken" }, 1);
    expect(posted(story)).toEqual(["DB", "RV", "RV"]);
    shows(story, [debit(story)], WINDOW).meets({ on: "woken" }, 1);
    expect(posted(story)).toEqual(["DB", "RV", "RV", "RF"]);
    expect(view(shows(lost, [foreign], WINDOW - MINUTE)).outcome).toBeUndefined();
    expect(view(shows(lost, [foreign], MINUTE))).toMatchObject({ outcome: "FAILED" });
  });
});

describe("a clock that was days behind and is right after a restart lets no time go by", () => {
  const DAYS = 4 * 24 * 60 * MINUTE;
  const itself: Answer = { is: "auto-reversed", id: "rf-1", ...said, resultCode: "900.100.301" };

  test("for a reversal of the gateway's own that is not shown yet: what it took back is not approved", () => {
    const story = new Story(followUp("LINKED_REFUND", { targets: [{ id: "cp-9", paymentType: "CP", amount: 1234 }] }))
      .meets({ on: "woken" })
      .answer(itself);
    story.meets({ on: "restarted" }, DAYS);
    const capture: Found = { id: "cp-9", paymentType: "CP", answer: approval(1234, "cp-9") };
    const own: Found = {
      id: "rf-1",
      merchantTransactionId: story.payment.attempts[0]?.operation.merchantTransactionId ?? "",
      referencedId: "cp-9",
      paymentType: "RF",
      answer: approval(1234, "rf-1"),
    };
    shows(story, [capture, own], MINUTE);
    expect(view(story).outcome).toBeUndefined();
    shows(
      story,
      [capture, own, { id: "rv-9", referencedId: "rf-1", paymentType: "RV", answer: approval(1234, "rv-9") }],
      MINUTE,
    );
    expect(view(story)).not.toMatchObject({ outcome: "APPROVED" });
  });

  test("for a lost reversal: neither a refund nor the end of a void comes of the first look after it", () => {
    const [story, lost] = [unwanted(silence), voiding(silence)];
    for (const one of [story, lost]) one.meets({ on: "restarted" }, DAYS);
    shows(story, [debit(story)], MINUTE).meets({ on: "woken" }, 1);
    expect(posted(story)).toEqual(["DB", "RV", "RV"]);
    expect(view(shows(lost, [foreign], MINUTE)).outcome).toBeUndefined();
    shows(story, [debit(story)], WINDOW).meets({ on: "woken" }, 1);
    expect(posted(story)).toEqual(["DB", "RV", "RV", "RF"]);
  });

  test("for the late looks at what was given up: all three are made over three days in which it ran", () => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(silence);
    const nothing = (afterMs: number): Story =>
      story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } }, afterMs);
    nothing(MINUTE);
    nothing(WINDOW);
    expect(story.payment.attempts[0]?.standing).toBe("absent");
    story.meets({ on: "restarted" }, DAYS);
    for (let hours = 0; hours < 72; hours += 6) {
      expect(owed(story.payment).map((one) => one.do)).toEqual(["search"]);
      nothing(6 * 60 * MINUTE);
    }
    expect(owed(story.payment)).toEqual([]);
  });
});
