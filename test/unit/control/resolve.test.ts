import { describe, expect, it } from "vitest";
import { paymentsResolve } from "../../../src/control/methods.ts";
import { type Resolver, resolveHandlers } from "../../../src/control/resolve.ts";

const VIEW = {
  ...{
    id: "pay_1",
    reference: "4711",
    register: "till-1",
    terminal: "counter",
    state: "FINAL",
    decision: "not-approved",
    outcome: "FAILED",
  },
  reason: { code: "operator-reversed", message: "An operator closed the payment.", advice: "retry" },
  gateway: { id: "8ac7", attempts: [] },
};

/** Payments that answer as told and note what they were asked. */
function payments(answer: Awaited<ReturnType<Resolver["resolve"]>>) {
  const asked: unknown[] = [];
  const resolver: Resolver = {
    resolve: async (...order) => {
      asked.push(order);
      return answer;
    },
  };
  return { asked, resolve: resolveHandlers(resolver)["payments.resolve"] };
}

describe("payments.resolve", () => {
  it("hands the operator's word to the payments, with nothing that was not said, and tells how the payment stands", async () => {
    const { asked, resolve } = payments({ ok: true, value: { payment: VIEW, gateway: "no-answer" } });
    const reply = await resolve({ reference: "4711", as: "reversed", reason: "not there", by: "anna" });
    expect(asked).toEqual([[{ reference: "4711" }, { as: "reversed", reason: "not there", by: "anna" }]]);
    const { terminal: _, gateway, reason, ...same } = VIEW;
    expect(reply).toEqual({
      ok: true,
      value: {
        ...same,
        gatewayId: gateway.id,
        gateway: "no-answer",
        reason: { code: reason.code, message: reason.message },
      },
    });
    expect(reply.ok && paymentsResolve.result.parse(reply.value)).toEqual(reply.ok && reply.value);
  });

  it("tells what became of the capture of an approved sale", async () => {
    const payment = { id: "p", reference: "r", register: "t", state: "FINAL", outcome: "APPROVED", capture: "failed" };
    const { resolve } = payments({ ok: true, value: { payment, gateway: "refused" } });
    const reply = await resolve({ reference: "r", as: "reversed", reason: "x", by: "y" });
    expect(reply).toMatchObject({ ok: true, value: { outcome: "APPROVED", capture: "failed" } });
    expect(reply.ok && paymentsResolve.result.parse(reply.value)).toEqual(reply.ok && reply.value);
  });

  it("hands on register and gateway id where they were said", async () => {
    const { asked, resolve } = payments({
      ok: true,
      value: { payment: { id: "p", reference: "r", register: "t", state: "RESOLVING" }, gateway: "booked" },
    });
    const reply = await resolve({
      reference: "r",
      register: "t",
      as: "approved",
      reason: "x",
      by: "y",
      gatewayId: "8ac7",
    });
    expect(asked).toEqual([
      [
        { reference: "r", register: "t" },
        { as: "approved", reason: "x", by: "y", gatewayId: "8ac7" },
      ],
    ]);
    expect(reply).toEqual({
      ok: true,
      value: { id: "p", reference: "r", register: "t", state: "RESOLVING", gateway: "booked" },
    });
  });

  it("hands a refusal back as its one line", async () => {
    const { resolve } = payments({ ok: false, refusal: { message: "the gateway may still be at work on it" } });
    expect(await resolve({ reference: "r", as: "reversed", reason: "x", by: "y" })).toEqual({
      ok: false,
      message: "the gateway may still be at work on it",
    });
  });
});
