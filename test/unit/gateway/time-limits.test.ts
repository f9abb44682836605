import { expect, test } from "vitest";
import { limited } from "../../../src/agent/gateway.ts";
import type { Gateway, GatewayOrder } from "../../../src/engine/ports.ts";

const ENTITY = "8a8294174b7ecb28014b9699220015ca";
const channel = { environment: "test", entityId: ENTITY, settlement: "dual" } as const;
const LIMITS = { queryMs: 1, captureMs: 90_000, reversalMs: 3, refundMs: 4, registrationMs: 5 };

function deadlines(limits: Parameters<typeof limited>[1]) {
  const told: number[] = [];
  const answering: Gateway = {
    reaches: () => true,
    warm: () => undefined,
    post: async (_, deadlineMs) => {
      told.push(deadlineMs);
      return { is: "unknown", description: "" };
    },
    search: async (_, deadlineMs) => {
      told.push(deadlineMs);
      return { is: "absent" };
    },
    look: async () => ({ is: "no-answer", description: "" }),
  };
  const gateway = limited(answering, limits);
  const order = (paymentType: GatewayOrder["operation"]["paymentType"]): GatewayOrder => ({
    ...{ channel, device: { terminalId: "1", pinEntry: true }, parameters: {} },
    operation: { merchantTransactionId: "0123456789abcdef", paymentType, amount: 1, currency: "EUR", entityId: ENTITY },
  });
  const posted = async (paymentType: GatewayOrder["operation"]["paymentType"]): Promise<number | undefined> => {
    await gateway.post(order(paymentType), 45_000);
    return told.at(-1);
  };
  const searched = async (): Promise<number | undefined> => {
    await gateway.search({ channel, of: { merchantTransactionId: "0123456789abcdef" } }, 45_000);
    return told.at(-1);
  };
  return { posted, searched };
}

test.each([
  ["PA", 45_000],
  ["DB", 45_000],
  ["CD", 45_000],
  ["CP", 90_000],
  ["RV", 3],
  ["RF", 4],
  ["RG", 5],
  ["DR", 5],
] as const)(
  "an answer to %s is waited for %i ms: a card's own limit is not touched, everything else has its own",
  async (paymentType, deadlineMs) => {
    const { posted, searched } = deadlines(LIMITS);
    expect(await posted(paymentType)).toBe(deadlineMs);
    expect(await searched()).toBe(1);
  },
);

test("a card that is to be stored waits too: its limit is never longer than the card's", async () => {
  expect(await deadlines({ registrationMs: 60_000 }).posted("RG")).toBe(45_000);
});

test("where nothing is said the engine's limit counts", async () => {
  const { posted, searched } = deadlines({});
  expect([await posted("CP"), await posted("RV"), await posted("RG"), await searched()]).toEqual([
    45_000, 45_000, 45_000, 45_000,
  ]);
});
