import { expect, it } from "vitest";
import { begin, evolve } from "../../../src/payment/state/payment.ts";
import { otlpRequest } from "../../../src/telemetry/otlp.ts";
import { spansOf, traceIdOf } from "../../../src/telemetry/payment-spans.ts";
import type { Span } from "../../../src/telemetry/span.ts";
import { approval, approved, authorizing, followUp, refusal, Story, sale, silence } from "../../support/sale.ts";

/** The spans of a story's facts, each taken by itself, as from any process. */
function spansIn({ facts }: Story): readonly Span[] {
  const [first, ...rest] = facts;
  if (first?.fact !== "accepted") throw new Error("a story begins with its acceptance");
  let payment = begin(first);
  const spans: Span[] = [];
  for (const fact of rest) {
    spans.push(...spansOf({ before: payment, facts: [fact] }));
    payment = evolve(payment, fact);
  }
  return spans;
}

const shown = (story: Story): readonly string[] =>
  spansIn(story).map(
    ({ name, from, to, error }) => `${name} ${to - from} ms${error === undefined ? "" : `: ${error}`}`,
  );

it("a sale is one trace: card entry, reservation, card completion, the payment, and its capture behind it", () => {
  const story = approved().answer(approval(), 40);
  expect(shown(story)).toEqual([
    "card entry 10 ms",
    "gateway PA 10 ms",
    "card completion 10 ms",
    "payment SALE 40 ms",
    "gateway CP 40 ms",
  ]);
  const spans = spansIn(story);
  const root = spans.find(({ parentId }) => parentId === undefined);
  expect(root?.attributes).toMatchObject({
    "posbridge.payment": "pay_1",
    "posbridge.type": "SALE",
    "posbridge.outcome": "APPROVED",
    "posbridge.terminal": "till-1",
  });
  for (const span of spans)
    if (span !== root)
      expect({ trace: span.traceId, parent: span.parentId }).toEqual({
        trace: traceIdOf("pay_1"),
        parent: root?.spanId,
      });
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
});

it("a decline is no error, and shows its result code", () => {
  const story = authorizing().answer(refusal()).meets({ on: "finished", verdict: "declined", chip: {} });
  const spans = spansIn(story);
  expect(spans.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(spans.find(({ name }) => name === "gateway PA")?.attributes).toMatchObject({
    "posbridge.answer": "declined",
    "posbridge.result_code": "800.100.152",
  });
  expect(spans.find(({ name }) => name === "payment SALE")?.attributes).toMatchObject({
    "posbridge.outcome": "DECLINED",
    "posbridge.reason": "host-declined",
  });
});

it("a reservation that nobody answered shows as unknown, with the queries behind it", () => {
  const story = authorizing().answer(silence, 45_000);
  story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } }, 100);
  expect(shown(story)).toContain("gateway PA 45000 ms: unknown");
  expect(shown(story)).toContain("gateway query 0 ms");
});

it("a restart in the middle ends what it cut off, in the same trace", () => {
  const story = authorizing().meets({ on: "restarted" }, 5_000);
  const what = shown(story);
  expect(what).toEqual(
    expect.arrayContaining(["restart of the bridge 0 ms", "gateway PA 5000 ms: the bridge was restarted"]),
  );
  expect(new Set(spansIn(story).map(({ traceId }) => traceId)).size).toBe(1);
});

it("a refund is a trace of its own that names the sale's first span", () => {
  const story = new Story({
    ...followUp("LINKED_REFUND"),
    of: { payment: "pay_1", targets: [{ id: "b", paymentType: "CP", amount: 1234 }] },
  });
  const [root] = spansOf({ before: story.payment, facts: [{ fact: "concluded", at: story.now, outcome: "FAILED" }] });
  const sold = spansIn(approved()).find(({ parentId }) => parentId === undefined);
  expect(root?.link).toEqual({ traceId: traceIdOf("pay_1"), spanId: sold?.spanId });
  expect(root?.traceId).not.toBe(sold?.traceId);
});

it("the trace of a payment is found by its id", () => {
  expect(traceIdOf("pay_0123456789abcdef01234567")).toBe("7061795f0123456789abcdef01234567");
});

it("nothing of the card, no amount, no reference and no words of people are in a trace", () => {
  const accepted = {
    ...sale,
    reference: "Miller, table 7",
    cashier: "Jones",
    order: "order-77",
    parameters: { merchantMemo: "memo-77" },
  };
  const text = otlpRequest(spansIn(approved(accepted)), { version: "1", bridge: "brg_1", environment: "test" });
  for (const word of [
    "476134",
    "0050",
    "AABBCCDDEEFF0011",
    "1122334455667788",
    "1234",
    "EUR",
    "VISA",
    "Miller",
    "Jones",
    "order-77",
    "memo-77",
    "123456",
  ])
    expect(text).not.toContain(word);
});
