import { describe, expect, test } from "vitest";
import type { Agreement, Answer, IssuerAnswer } from "../../../src/payment/fact/answer.ts";
import type { CardRead } from "../../../src/payment/fact/fact.ts";
import { viewForReceipt, viewOf } from "../../../src/payment/outcome/view.ts";
import type { Happening } from "../../../src/payment/state/input.ts";
import { fold } from "../../../src/payment/state/payment.ts";
import { type PaymentView, paymentViewSchema } from "../../../src/payment/view-schema.ts";
import { receiptLines } from "../../../src/receipt/content.ts";
import { english } from "../../../src/receipt/words/en.ts";
import { approval, authorizing, chipCard, KINDS, refusal, Story, storedCardSale } from "../../support/sale.ts";

function approvedWith(more: { readonly issuer?: IssuerAnswer; readonly agreement?: Agreement }): Answer {
  const plain = approval();
  if (plain.is !== "approved") throw new TypeError("no approval");
  return { ...plain, ...more };
}

const finished = (verdict: "approved" | "declined" = "approved"): Happening => ({ on: "finished", verdict, chip: {} });

/** A sale that the host approved with these words, and the card too. */
function sold(answer: Answer, card: CardRead = chipCard): Story {
  const story = new Story().meets({ on: "leased" }).meets({ on: "card", card }).answer(answer);
  return story.meets({ on: "finished", verdict: card.entryMode === "ICC" ? "approved" : "read", chip: {} });
}

/** As a register gets it: what is undefined is absent. */
const shown = (story: Story): PaymentView => paymentViewSchema.parse(JSON.parse(JSON.stringify(viewOf(story.payment))));

describe("the authorization of an approved payment", () => {
  test.each<[string, IssuerAnswer, object]>([
    [
      "all of it",
      { approvalCode: "123456", responseCode: "00", rrn: "1", merchantId: "M1" },
      { code: "123456", responseCode: "00", rrn: "1", merchantId: "M1" },
    ],
    ["no approval code", { rrn: "000000000001", merchantId: "M1" }, { rrn: "000000000001", merchantId: "M1" }],
    ["no response code", { approvalCode: "123456" }, { code: "123456" }],
    ["nothing", {}, {}],
  ])("says what was told (%s), and no more", (_, issuer, wanted) => {
    const { authorization } = shown(sold(approvedWith({ issuer })));
    expect(authorization).toEqual({
      ...wanted,
      terminalId: "12345678",
      sequenceNumber: expect.stringMatching(/^[0-9]{6}$/),
    });
  });

  test("is on the receipt part by part", () => {
    const { payment } = sold(approvedWith({ issuer: { rrn: "000000000001", merchantId: "M1" } }));
    const source = {
      payment: viewForReceipt(payment),
      merchant: { name: "Shop", address: [] },
      made: { date: "2026-01-15", time: "12:00:00" },
    };
    const lines = receiptLines(source, "customer", english);
    const of = (key: string) => lines.find((line) => line.key === key)?.value;
    expect([of("rrn"), of("merchantId"), of("approvalCode"), of("sequenceNumber")]).toEqual([
      "000000000001",
      "M1",
      undefined,
      "000002",
    ]);
  });

  test("is told of what was approved alone", () => {
    expect(shown(authorizing()).authorization).toBeUndefined();
    expect(shown(authorizing().answer(refusal())).authorization).toBeUndefined();
  });

  test("has the terminal's own counter where an older version made the request, and no number without one", () => {
    const numbered = (chip: CardRead["chip"]) => {
      const { facts } = sold(approval(), { ...chipCard, chip: { ...chipCard.chip, ...chip } });
      const old = facts.map((fact) => {
        if (fact.fact !== "attempt-intended") return fact;
        const { sequenceNumber: _, ...operation } = fact.operation;
        return { ...fact, operation };
      });
      const payment = fold(old);
      return payment && viewOf(payment).authorization?.sequenceNumber;
    };
    expect(numbered({ transactionSequenceNumber: "00000131" })).toBe("00000131");
    expect(numbered({})).toBe("");
  });
});

describe("the number of a request", () => {
  test.each<[string, CardRead["entryMode"]]>([
    ["a chip", "ICC"],
    ["a tap", "NFC_ICC"],
    ["a stripe", "MAGSTRIPE"],
    ["a stripe in place of a chip", "MAGSTRIPE_AS_FALLBACK"],
    ["typed digits", "MANUAL"],
  ])("is there for %s, whatever the card told", (_, entryMode) => {
    const story = sold(approval(), { ...chipCard, entryMode, chip: { transactionSequenceNumber: "00000131" } });
    expect(story.payment.attempts[0]?.operation.sequenceNumber).toBe(2);
    expect(shown(story).authorization?.sequenceNumber).toBe("000002");
  });

  test("is another one for the second PIN, which is told", () => {
    const story = authorizing().answer(refusal("wrong-pin")).meets(finished("declined"));
    story.meets({ on: "card", card: chipCard }).answer(approval()).meets(finished());
    const [first, second] = story.payment.attempts.map(({ operation }) => operation.sequenceNumber);
    expect(first).not.toBe(second);
    expect(Number(shown(story).authorization?.sequenceNumber)).toBe(second);
  });

  test("is told of what no card was presented for where the gateway has told something of it", () => {
    const charged = (issuer: IssuerAnswer) =>
      shown(new Story(storedCardSale).meets({ on: "woken" }).answer(approvedWith({ issuer }))).authorization;
    expect(charged({ approvalCode: "123456", responseCode: "00" })).toEqual({
      code: "123456",
      responseCode: "00",
      terminalId: "",
      sequenceNumber: "",
    });
    expect(charged({})).toBeUndefined();
    const raised = (issuer: IssuerAnswer) =>
      shown(new Story(KINDS["INCREMENT"]).meets({ on: "woken" }).answer(approvedWith({ issuer }))).authorization;
    expect(raised({ approvalCode: "123456" })).toEqual({
      code: "123456",
      terminalId: "12345678",
      sequenceNumber: "000001",
    });
    expect(raised({})).toBeUndefined();
  });
});

describe("an agreement that a payment began", () => {
  const agreement = { initialTransactionId: "483297487231504", agreementId: "AG-1" };

  test("is told with it, for the payments that follow", () => {
    expect(shown(sold(approvedWith({ agreement }))).gateway).toMatchObject(agreement);
    expect(shown(sold(approvedWith({ agreement: { initialTransactionId: "1" } }))).gateway).not.toHaveProperty(
      "agreementId",
    );
    expect(shown(sold(approval())).gateway).not.toHaveProperty("initialTransactionId");
  });

  test("is not told of a payment that its card refused", () => {
    const refused = shown(authorizing().answer(approvedWith({ agreement })).meets(finished("declined")));
    expect(refused.decision).toBe("not-approved");
    expect(refused.gateway).not.toHaveProperty("initialTransactionId");
  });
});
