import { expect, test } from "vitest";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { FollowUpRequest } from "../../../src/payment/fact/request.ts";
import { type Counter, type CounterOptions, openCounter, startRequest, till } from "../../support/counter.ts";
import { approval } from "../../support/sale.ts";

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`);
  return result.value;
}

type Asked = Pick<FollowUpRequest, "type" | "reference"> & { readonly of?: string; readonly amount?: string };

async function follow(counter: Counter, { of = "R-1", ...rest }: Asked) {
  const asked = counter.payments.followUp(till, { ...rest, of: { name: of }, fingerprint: JSON.stringify([rest, of]) });
  await counter.clock.advance(2_000);
  return asked;
}

/** Each request is approved under an id of its own. */
function approving(): NonNullable<CounterOptions["answer"]> {
  let count = 0;
  return ({ operation: { amount, reverses = 0 } }) => {
    count += 1;
    return approval(amount ?? reverses, `booking-${count}`);
  };
}

test("a preauthorization is captured as often as its register said, and the gateway is told so, and which capture is the last one", async () => {
  const counter = openCounter({ answer: approving() });
  const started = counter.payments.start(till, startRequest("R-1", { type: "PREAUTHORIZATION", numberOfCaptures: 2 }));
  await counter.clock.advance(10_000);
  value(await started);
  value(await follow(counter, { type: "CAPTURE", reference: "C-1", amount: "1.00" }));
  value(await follow(counter, { type: "VOID", reference: "V-1", of: "C-1" }));
  value(await follow(counter, { type: "CAPTURE", reference: "C-2", amount: "1.00" }));
  value(await follow(counter, { type: "CAPTURE", reference: "C-3", amount: "2.00" }));
  expect(counter.posted.map(({ operation: { numberOfCaptures } }) => numberOfCaptures)).toEqual([
    2,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(counter.posted.map(({ operation: { sequence } }) => sequence)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    "FINAL",
  ]);
  const refusal = {
    code: "not-allowed",
    path: "of",
    message: expect.stringContaining("as often as its numberOfCaptures says"),
  };
  expect(await follow(counter, { type: "CAPTURE", reference: "C-4", amount: "1.00" })).toMatchObject({ refusal });
  expect(await follow(counter, { type: "INCREMENT", reference: "I-1", amount: "1.00" })).toMatchObject({
    refusal: { code: "not-allowed" },
  });
});

test("one for several captures is refused where its channel takes one, at a terminal and by a stored card", async () => {
  const counter = openCounter({ answer: approving(), oneCapture: true });
  const asked = { type: "PREAUTHORIZATION", numberOfCaptures: 2 } as const;
  const refusal = { code: "unsupported", path: "numberOfCaptures" };
  expect(await counter.payments.start(till, startRequest("R-1", asked))).toMatchObject({ refusal });
  const charge = {
    ...asked,
    reference: "R-2",
    registration: "r1",
    currency: "EUR",
    amount: 100,
    parameters: {},
    fingerprint: "f",
  };
  expect(await counter.payments.charge(till, charge)).toMatchObject({ refusal });
  const one = counter.payments.start(till, startRequest("R-1", { ...asked, numberOfCaptures: 1 }));
  await counter.clock.advance(10_000);
  expect(await one).toMatchObject({ ok: true });
});
