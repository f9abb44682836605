import { expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/answer.ts";
import type { FollowUpType } from "../../../src/payment/follow-up.ts";
import { type Counter, openCounter, till } from "../../support/counter.ts";
import { approval } from "../../support/sale.ts";

/* A booking of an approved payment that was reversed in the gateway's back office, as the looks show that are made once more past the unknown window and after a day. */

const HOUR = 3_600_000;
const euros = (id: string): Answer => ({ ...approval(1234, id), ...({ currency: "EUR" } as const) });

/** Paid by a stored card, and looked at for three days. */
async function looked(type: "SALE" | "PREAUTHORIZATION", reversed: string | undefined): Promise<Counter> {
  const counter: Counter = openCounter({
    answer: ({ operation: { paymentType } }) => euros(`${paymentType}${counter.posted.length}`),
    search: () => {
      const own = counter.posted.map(({ operation: { paymentType, merchantTransactionId, referencedId } }, at): Found => {
        const id = `${paymentType}${at + 1}`;
        return { id, paymentType, merchantTransactionId, answer: euros(id), ...(referencedId !== undefined && { referencedId }) };
      });
      const reversal = { id: "byHand", paymentType: "RV", answer: euros("byHand") };
      return { is: "found", bookings: reversed === undefined ? own : [...own, { ...reversal, referencedId: reversed }] };
    },
  });
  const content = { reference: "R-1", type, registration: "card1", currency: "EUR", amount: 1234, parameters: {} };
  void counter.payments.charge(till, { ...content, fingerprint: "R-1" });
  await counter.clock.advance(80 * HOUR);
  return counter;
}

async function follow(counter: Counter, type: FollowUpType, amount?: string) {
  const reply = counter.payments.followUp(till, { type, reference: "F-1", of: { name: "R-1" }, fingerprint: "F-1", ...(amount !== undefined && { amount }) });
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

test("a refund is asked for where the looks show that it stands", async () => {
  const counter = await looked("SALE", undefined);
  expect(await follow(counter, "LINKED_REFUND")).toMatchObject({ ok: true });
  expect(posted(counter)).toEqual(["PA", "CP", "RF"]);
});
