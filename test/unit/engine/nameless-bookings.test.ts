import { describe, expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { FollowUpRequest } from "../../../src/payment/fact/request.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import type { Caller } from "../../../src/register/ports.ts";
import { type Counter, openCounter, startRequest, till, tillOfAnyBooking } from "../../support/counter.ts";
import { approval, linkMade, refusal } from "../../support/sale.ts";

/*
 * Bookings of this journal that no query shows under the name of a request of ours: captured by hand, paid by a link.
 * Asked for by the gateway's id, they are what they are by reference.
 */

const DAY = 24 * 3_600_000;

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`);
  return result.value;
}

const euros = (id: string): Answer => ({ ...approval(1234, id), ...({ currency: "EUR" } as const) });

/** Its capture was declined, and made by hand in the back office, says a person. */
async function capturedByHand(
  before: (counter: Counter) => Promise<unknown> = async () => undefined,
  toRefund?: Answer,
): Promise<Counter> {
  let count = 0;
  const counter: Counter = openCounter({
    answer: ({ operation: { paymentType, amount = 1234 } }): Answer => {
      count += 1;
      if (paymentType === "RF" && toRefund !== undefined) return toRefund;
      return paymentType === "CP" ? refusal() : approval(amount, `${paymentType}${count}`);
    },
    search: ({ of }) => {
      const byHand: Found = { id: "HAND", paymentType: "CP", referencedId: "PA1", answer: euros("HAND") };
      const merchantTransactionId = counter.posted[0]?.operation.merchantTransactionId ?? "";
      const reserved: Found = { id: "PA1", paymentType: "PA", merchantTransactionId, answer: euros("PA1") };
      return { is: "found", bookings: "id" in of && of.id === "HAND" ? [byHand] : [reserved, byHand] };
    },
  });
  void counter.payments.start(till, startRequest("R-1"));
  await counter.clock.advance(90_000);
  await before(counter);
  const closed = counter.payments.resolve(
    { reference: "R-1" },
    { as: "approved", gatewayId: "HAND", by: "anna", reason: "captured by hand" },
  );
  await counter.clock.advance(180_000);
  value(await closed);
  return counter;
}

/** The link names the booking by which it was paid, and that one has no name of ours. */
async function paidByLink(): Promise<Counter> {
  let isPaid = false;
  const counter: Counter = openCounter({
    answer: ({ operation: { link, paymentType, amount = 1234 } }) =>
      link === undefined ? approval(amount, `${paymentType}1`) : linkMade,
    look: () => (isPaid ? { is: "paid", transactionId: "HAND" } : { is: "open", opened: false }),
    search: ({ of }) =>
      "id" in of
        ? { is: "found", bookings: [{ id: "HAND", paymentType: "DB", answer: euros("HAND") }] }
        : { is: "absent" },
  });
  const content = { reference: "R-1", currency: "EUR", amount: 1234, validForMs: 600_000, parameters: {} };
  const made = counter.payments.link(till, { ...content, fingerprint: "R-1" });
  await counter.clock.advance(10_000);
  value(await made);
  isPaid = true;
  await counter.clock.advance(600_000);
  return counter;
}

async function follow(
  counter: Counter,
  type: FollowUpRequest["type"],
  reference: string,
  of: FollowUpRequest["of"],
  more: { caller?: Caller; amount?: string } = {},
) {
  const { caller = till, amount } = more;
  const reply = counter.payments.followUp(caller, {
    type,
    reference,
    of,
    fingerprint: reference,
    ...(amount !== undefined && { amount }),
  });
  await counter.clock.advance(90_000);
  return reply;
}

async function shown(counter: Counter): Promise<PaymentView> {
  const asked = counter.payments.get(till, { reference: "R-1" });
  await counter.clock.advance(10);
  return value(await asked);
}

const refunds = ({ posted }: Counter): readonly string[] =>
  posted.flatMap(({ operation: { paymentType, referencedId } }) =>
    paymentType === "RF" ? [`RF ${referencedId}`] : [],
  );

describe.each([
  ["captured by hand, as a person says", () => capturedByHand()],
  ["paid by a link", paidByLink],
] as const)("a sale that was %s, under no name of ours,", (_, sold) => {
  test("is approved by the booking of that id", async () => {
    expect(await shown(await sold())).toMatchObject({
      outcome: "APPROVED",
      capturedAmount: "12.34",
      gateway: { id: "HAND" },
    });
  });

  test("and refunded by the gateway's id is not refunded once more by its reference, which knows of it", async () => {
    const counter = await sold();
    value(await follow(counter, "LINKED_REFUND", "F-1", { gatewayId: "HAND" }));
    expect(await shown(counter)).toMatchObject({ refundedAmount: "12.34" });
    expect(await follow(counter, "LINKED_REFUND", "F-2", { name: "R-1" })).toMatchObject({
      refusal: { message: 'reference "R-1" is refunded in full' },
    });
    expect(refunds(counter)).toEqual(["RF HAND"]);
  });

  test("and refunded by its reference is not refunded once more by that id, however long after", async () => {
    const counter = await sold();
    value(await follow(counter, "LINKED_REFUND", "F-1", { name: "R-1" }));
    await counter.clock.advance(30 * DAY);
    expect(await follow(counter, "LINKED_REFUND", "F-2", { gatewayId: "HAND" })).toMatchObject({
      refusal: { code: "not-allowed" },
    });
    expect(refunds(counter)).toEqual(["RF HAND"]);
  });

  test("is not to be had by that id from a register that it is not of", async () => {
    const counter = await sold();
    const other: Caller = { register: "other", all: false };
    expect(await follow(counter, "LINKED_REFUND", "F-1", { gatewayId: "HAND" }, { caller: other })).toMatchObject({
      refusal: { code: "not-found" },
    });
    expect(refunds(counter)).toEqual([]);
  });
});

describe("what was given back of a capture before a person said whose it is", () => {
  const refund = (counter: Counter) =>
    follow(counter, "LINKED_REFUND", "F-1", { gatewayId: "HAND" }, { caller: tillOfAnyBooking, amount: "4.00" });

  test("counts once he has, after a restart too: never more than was captured is given back", async () => {
    const before = await capturedByHand(async (counter) => value(await refund(counter)));
    expect(await shown(before)).toMatchObject({ capturedAmount: "12.34", refundedAmount: "4.00" });
    await before.engine.stop(() => 0);
    const counter = openCounter({}, { clock: before.clock, journal: before.journal.crash(0) });
    await counter.clock.advance(1_000);
    expect(await follow(counter, "LINKED_REFUND", "F-2", { name: "R-1" }, { amount: "8.35" })).toMatchObject({
      refusal: { code: "invalid-amount" },
    });
    expect(await follow(counter, "VOID", "V-1", { name: "R-1" })).toMatchObject({
      refusal: { message: expect.stringContaining("is refunded in part") },
    });
    value(await follow(counter, "LINKED_REFUND", "F-3", { name: "R-1" }));
    expect(counter.posted.map(({ operation: { paymentType, amount } }) => [paymentType, amount])).toEqual([
      ["RF", 834],
    ]);
  });

  test("and is not decided yet keeps his word waiting", async () => {
    const asked = capturedByHand(async (counter) => value(await refund(counter)), {
      is: "pending",
      id: "RF",
      resultCode: "000.200.000",
      description: "",
    });
    await expect(asked).rejects.toThrow('reference "F-1" about the same booking is not decided yet: wait for it');
  });
});
