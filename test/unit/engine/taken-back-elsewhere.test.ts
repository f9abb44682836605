import { expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/answer.ts";
import type { FollowUpType } from "../../../src/payment/follow-up.ts";
import { type Counter, openCounter, till } from "../../support/counter.ts";
import { approval } from "../../support/sale.ts";

/* A booking of an approved payment that was reversed in the gateway's back office, as the looks show that are made once more past the unknown window and after a day. */

const HOUR = 3_600_000;
const euros = (id: string, amount?: number): Answer => ({ ...approval(amount, id), ...({ currency: "EUR" } as const) });

/** Paid by a stored card, and looked at for three days. */
async function looked(type: "SALE" | "PREAUTHORIZATION", reversed: string | undefined, before?: (counter: Counter) => Promise<unknown>): Promise<Counter> {
  const counter: Counter = openCounter({
    answer: ({ operation: { paymentType, amount } }) => euros(`${paymentType}${counter.posted.length}`, amount),
    search: () => {
      const own = counter.posted.map(({ operation: { paymentType, amount, merchantTransactionId, referencedId } }, at): Found => {
        const id = `${paymentType}${at + 1}`;
        return { id, paymentType, merchantTransactionId, answer: euros(id, amount), ...(referencedId !== undefined && { referencedId }) };
      });
      const reversal = { id: "byHand", paymentType: "RV", answer: euros("byHand") };
      return { is: "found", bookings: reversed === undefined ? own : [...own, { ...reversal, referencedId: reversed }] };
    },
  });
  const content = { reference: "R-1", type, registration: "card1", currency: "EUR", amount: 1234, parameters: {} };
  void counter.payments.charge(till, { ...content, fingerprint: "R-1" });
  await counter.clock.advance(1_000);
  await before?.(counter);
  await counter.clock.advance(80 * HOUR);
  return counter;
}

async function follow(counter: Counter, type: FollowUpType, amount?: string, reference = "F-1") {
  const reply = counter.payments.followUp(till, { type, reference, of: { name: "R-1" }, fingerprint: reference, ...(amount !== undefined && { amount }) });
  await counter.clock.advance(60_000);
  return reply;
}

const posted = ({ posted: orders }: Counter): readonly string[] => orders.map(({ operation: { paymentType } }) => paymentType);

test.each([
  ["LINKED_REFUND", "SALE", "CP2", undefined, ["PA", "CP"]],
  ["CAPTURE", "PREAUTHORIZATION", "PA1", undefined, ["PA"]],
  ["INCREMENT", "PREAUTHORIZATION", "PA1", "1.00", ["PA"]],
] as const)("a %s is not asked for of a %s that a query has shown reversed: that money is gone", async (follows, type, reversed, amount, before) => {
  const counter = await looked(type, reversed);
  expect(await follow(counter, follows, amount)).toMatchObject({
    refusal: { code: "not-allowed", message: 'reference "R-1" was taken back at the gateway already' },
  });
  expect(posted(counter)).toEqual(before);
});

test("what was captured of a reservation that was reversed since is refunded, and nothing more is captured of it", async () => {
  const counter = await looked("PREAUTHORIZATION", "PA1", (begun) => follow(begun, "CAPTURE", "6.17"));
  expect(await follow(counter, "CAPTURE", "1.00", "F-2")).toMatchObject({ refusal: { message: 'reference "R-1" was taken back at the gateway already' } });
  expect(await follow(counter, "LINKED_REFUND", undefined, "F-3")).toMatchObject({ ok: true });
  expect(counter.posted.at(-1)?.operation).toMatchObject({ paymentType: "RF", referencedId: "CP2" });
});

test("a refund is asked for where the looks show that it stands", async () => {
  const counter = await looked("SALE", undefined);
  expect(await follow(counter, "LINKED_REFUND")).toMatchObject({ ok: true });
  expect(posted(counter)).toEqual(["PA", "CP", "RF"]);
});
