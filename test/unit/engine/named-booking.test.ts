import { describe, expect, test } from "vitest";
import { namedProblem } from "../../../src/engine/operator/named-booking.ts";
import type { OperatorOrder } from "../../../src/engine/operator/resolve.ts";
import type { Answer, Found, SearchResult } from "../../../src/payment/fact/answer.ts";
import type { Payment } from "../../../src/payment/state/payment.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, approved, followUp, linkSale, refusal, Story, silence } from "../../support/sale.ts";

/* The id by which an operator says that a payment is approved: later refunds and voids go to that booking. */

const half = approved().answer(approval(617, "capture-1")).payment;
const begun = (type: "CAPTURE" | "VOID" | "LINKED_REFUND" | "INCREMENT"): Payment =>
  new Story(followUp(type)).meets({ on: "woken" }).answer(silence).payment;
const euros = (amount: number, id: string) => ({ ...approval(amount, id), currency: "EUR" }) as const;
const shown = (paymentType: string, referencedId?: string, answer: Answer = euros(1234, "named")): Found => ({
  ...{ id: "named", paymentType, answer },
  ...(referencedId !== undefined && { referencedId }),
});

const OTHER_AMOUNT = "named is of another amount at the gateway than is to be closed";

describe("a booking that an operator names", () => {
  test.each([
    [
      "the capture that a sale has already",
      half,
      "capture-1",
      {},
      "capture-1 is the capture that it has already: name what was booked besides",
    ],
    [
      "a reservation as a capture",
      half,
      "named",
      { booking: shown("PA") },
      "named is a PA at the gateway, and not a CP",
    ],
    [
      "another reservation's capture",
      half,
      "named",
      { booking: shown("CP", "elsewhere") },
      "named is about another booking at the gateway: elsewhere",
    ],
    [
      "another payment's capture",
      half,
      "named",
      { booking: shown("CP"), owner: "pay_9" },
      "named was booked by another payment of this journal",
    ],
    [
      "a capture as a refund",
      begun("LINKED_REFUND"),
      "named",
      { booking: shown("CP") },
      "named is a CP at the gateway, and not a RF",
    ],
    [
      "a refund of something else",
      begun("LINKED_REFUND"),
      "named",
      { booking: shown("RF", "x") },
      "named is about another booking at the gateway: x",
    ],
    [
      "a capture as what voided",
      begun("VOID"),
      "named",
      { booking: shown("CP") },
      "named is a CP at the gateway, and not a RV or RF",
    ],
    [
      "what was declined",
      begun("CAPTURE"),
      "named",
      { booking: shown("CP", "original-1", refusal()) },
      "named is not approved at the gateway (declined)",
    ],
    [
      "a capture of less",
      begun("CAPTURE"),
      "named",
      { booking: shown("CP", "original-1", euros(617, "named")) },
      OTHER_AMOUNT,
    ],
    ["a capture of the whole as one of the rest", half, "named", { booking: shown("CP", "booking-1") }, OTHER_AMOUNT],
    [
      "what was taken back",
      begun("CAPTURE"),
      "named",
      { booking: shown("CP", "original-1"), isTakenBack: true },
      "named was taken back at the gateway",
    ],
    [
      "another's increment",
      begun("INCREMENT"),
      "named",
      { booking: shown("PA", "x") },
      "named is about another booking at the gateway: x",
    ],
  ] as const)("is not %s", (_, payment, id, named, problem) => {
    expect(namedProblem(payment, id, { booking: undefined, owner: undefined, isTakenBack: false, ...named })).toBe(
      problem,
    );
  });

  test.each([
    ["a capture of the rest of the same reservation", half, shown("CP", "booking-1", euros(617, "named")), undefined],
    ["its own request", begun("CAPTURE"), shown("CP", "original-1"), "pay_2"],
    ["what gave back a voided booking in another way", begun("VOID"), shown("RF", "original-1"), undefined],
    ["what paid a link", new Story(linkSale).payment, shown("DB"), undefined],
    ["what the gateway does not show", half, undefined, undefined],
  ] as const)("may be %s", (_, payment, booking, owner) => {
    expect(namedProblem(payment, "named", { booking, owner, isTakenBack: false })).toBeUndefined();
  });
});

describe("an operator's word that names a booking", () => {
  const order: OperatorOrder = { as: "approved", by: "anna", reason: "captured by hand", gatewayId: "CP-7" };

  /** X was captured in half; V is another customer's sale of the same journal, captured as CP-V. */
  async function twoSales(alone: () => SearchResult): Promise<Counter & { readonly gatewayIsDown: () => void }> {
    let isDown = false;
    const nameOf = (paymentType: string, nth: number) =>
      counter.posted.filter(({ operation }) => operation.paymentType === paymentType)[nth]?.operation
        .merchantTransactionId;
    const counter: Counter = openCounter({
      answer: ({ operation: { paymentType, amount = 0 } }) => {
        const isFirst = counter.posted.filter(({ operation }) => operation.paymentType === paymentType).length === 1;
        return euros(paymentType === "CP" && isFirst ? 617 : amount, `${paymentType}-${isFirst ? "X" : "V"}`);
      },
      search: ({ of }) => {
        if (isDown) return { is: "no-answer", description: "" };
        if ("id" in of && of.id === "CP-7") return alone();
        const [pa, cp] = [nameOf("PA", 0), nameOf("CP", 0)];
        const bookings: readonly Found[] = [
          {
            id: "PA-X",
            paymentType: "PA",
            answer: euros(1234, "PA-X"),
            ...(pa !== undefined && { merchantTransactionId: pa }),
          },
          {
            id: "CP-X",
            paymentType: "CP",
            referencedId: "PA-X",
            answer: euros(617, "CP-X"),
            ...(cp !== undefined && { merchantTransactionId: cp }),
          },
        ];
        return { is: "found", bookings };
      },
    });
    for (const reference of ["X", "V"]) {
      void counter.payments.start(till, startRequest(reference));
      await counter.clock.advance(90_000);
    }
    return {
      ...counter,
      gatewayIsDown: () => {
        isDown = true;
      },
    };
  }

  async function said(counter: Counter, gatewayId = "CP-7") {
    const answer = counter.payments.resolve({ reference: "X" }, { ...order, gatewayId });
    await counter.clock.advance(180_000);
    return answer;
  }

  test("of another customer is refused: a refund would go to him", async () => {
    const counter: Counter = await twoSales((): SearchResult => {
      const name =
        counter.posted.findLast(({ operation }) => operation.paymentType === "CP")?.operation.merchantTransactionId ??
        "";
      return {
        is: "found",
        bookings: [{ id: "CP-7", paymentType: "CP", merchantTransactionId: name, answer: euros(1234, "CP-7") }],
      };
    });
    expect(await said(counter)).toMatchObject({
      refusal: { code: "not-allowed", message: 'reference "X": CP-7 was booked by another payment of this journal' },
    });
  });

  test("of another customer is refused by this journal alone, where the gateway cannot be asked", async () => {
    const counter = await twoSales(() => ({ is: "absent" }));
    counter.gatewayIsDown();
    expect(await said(counter, "CP-V")).toMatchObject({
      refusal: { message: 'reference "X": CP-V was booked by another payment of this journal' },
    });
  });

  test("that the gateway shows taken back is refused, and believed where it stands", async () => {
    const capture: Found = { id: "CP-7", paymentType: "CP", referencedId: "PA-X", answer: euros(617, "CP-7") };
    const reversal: Found = { id: "RV-7", paymentType: "RV", referencedId: "CP-7", answer: euros(617, "RV-7") };
    const gone = await twoSales(() => ({ is: "found", bookings: [capture, reversal] }));
    expect(await said(gone)).toMatchObject({
      refusal: { message: 'reference "X": CP-7 was taken back at the gateway' },
    });
    expect(await said(await twoSales(() => ({ is: "found", bookings: [capture] })))).toMatchObject({
      ok: true,
      value: { payment: { capturedAmount: "12.34" }, gateway: "booked" },
    });
  });

  test("that the gateway does not show is believed: that is what it is for", async () => {
    expect(await said(await twoSales(() => ({ is: "absent" })))).toMatchObject({
      ok: true,
      value: { payment: { capturedAmount: "12.34" }, gateway: "nothing" },
    });
  });

  test.each([
    [
      "something else",
      { is: "found", bookings: [shown("PA")] },
      { refusal: { message: 'reference "F": named is a PA at the gateway, and not a CD' } },
    ],
    ["that credit", { is: "found", bookings: [shown("CD")] }, { ok: true, value: { gateway: "booked" } }],
    ["nothing", { is: "absent" }, { ok: true, value: { gateway: "nothing" } }],
  ] as const)(
    "of a credit of which no query shows anything is held against what the gateway calls it: %s",
    async (_, alone: SearchResult, expected) => {
      // The line was down until somebody looked into it: that nothing is shown was heard for no window yet.
      let isDown = true;
      const counter = openCounter({
        answer: () => silence,
        search: ({ of }) =>
          isDown ? { is: "no-answer", description: "" } : "id" in of && of.id === "named" ? alone : { is: "absent" },
      });
      void counter.payments.start(till, startRequest("F", { type: "REFUND" }));
      await counter.clock.advance(1_900_000);
      isDown = false;
      const answer = counter.payments.resolve({ reference: "F" }, { ...order, gatewayId: "named" });
      await counter.clock.advance(180_000);
      expect(await answer).toMatchObject(expected);
    },
  );

  test("and another one at the same time are not both called done", async () => {
    const counter = await twoSales(() => ({ is: "absent" }));
    const both = [
      counter.payments.resolve({ reference: "X" }, { as: "reversed", by: "ben", reason: "settled" }),
      counter.payments.resolve({ reference: "X" }, order),
    ];
    await counter.clock.advance(300_000);
    const answers = await Promise.all(both);
    expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({
      refusal: { message: expect.stringContaining("somebody else's word about it is being looked into just now") },
    });
  });
});
