import { expect, it } from "vitest";
import { openNow } from "../../../src/agent/open.ts";
import { query } from "../../../src/engine/gateway/query.ts";
import { createBudget } from "../../../src/engine/gateway/query-budget.ts";
import type { Gateway } from "../../../src/engine/ports.ts";
import { onlyOwn } from "../../../src/gateway/other-gateway.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, sale, silence } from "../../support/sale.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const HERE = "https://gateway.example/";
const BEFORE = "https://gateway.old.example/";
const OTHER = "https://other.example/";

const asked: string[] = [];
/** One that knows nothing and tells whoever asks. */
const gateway: Gateway = {
  reaches: () => true,
  warm: () => undefined,
  post: async () => ({
    is: "not-booked",
    why: "refused",
    lacks: "original",
    resultCode: "700.400.510",
    description: "",
  }),
  search: async ({ channel }) => {
    asked.push(channel.gateway ?? "");
    return { is: "absent" };
  },
  look: async () => ({ is: "expired" }),
};
const own = onlyOwn(gateway, [HERE, BEFORE]);

it.each([
  [HERE, "absent"],
  [BEFORE, "absent"],
  [undefined, "absent"],
  [OTHER, "no-answer"],
])("the gateway's word on what was begun at %s is %s", async (at, is) => {
  const channel = { ...sale.channel, ...(at !== undefined && { gateway: at }) };
  asked.length = 0;
  expect(await own.search({ channel, of: { id: "8ac7a4a1" } }, 1_000)).toMatchObject({ is });
  expect(asked).toEqual(is === "absent" ? [at ?? ""] : []);
  expect(await own.look({ channel, link: "8ac7a4a1" }, 1_000)).toMatchObject({
    is: is === "absent" ? "expired" : "no-answer",
  });
});

it("a capture or reversal of what was begun elsewhere is not sent, and is none that the gateway refused", async () => {
  const channel = { ...sale.channel, gateway: OTHER };
  const operation = {
    merchantTransactionId: "0123456789abcdef",
    paymentType: "RV" as const,
    entityId: channel.entityId,
    referencedId: "8ac7a4a1",
  };
  const answer = await own.post({ operation, channel, device: sale.device, parameters: {} }, 1_000);
  expect(answer).toEqual({
    is: "not-booked",
    why: "not-sent",
    resultCode: "",
    description: `not sent: it was begun with another gateway, at ${OTHER}`,
  });
});

it("what was begun elsewhere takes none of the few queries from what can be asked for", async () => {
  const clock = createVirtualClock(0);
  const budget = createBudget(clock);
  const answers: string[] = [];
  const ask = (at: string): void => {
    const channel = { ...sale.channel, gateway: at };
    query(
      { budget, gateway: own },
      { channel, of: { id: "8ac7a4a1" }, turn: "recovery", deadlineMs: 1_000 },
      ({ is }) => answers.push(is),
    );
  };
  for (let times = 0; times < 20; times += 1) ask(OTHER);
  ask(HERE);
  await clock.advance(1);
  expect(answers.toSorted()).toEqual(["absent", ...Array.from({ length: 20 }, () => "no-answer")]);
});

it("the alarm of a payment that was begun elsewhere says what a person can do about it", async () => {
  const counter = openCounter({
    answer: ({ operation }) => (operation.paymentType === "PA" ? silence : approval(1234)),
  });
  void counter.payments.start(till, startRequest("R-1"));
  await counter.clock.advance(5_000);
  expect(openNow(counter.engine, { reaches: () => false })).toMatchObject([
    { reference: "R-1", mend: expect.stringContaining("gateway.formerBaseUrls") },
  ]);
  expect(openNow(counter.engine, { reaches: () => true })).toMatchObject([
    { reference: "R-1", mend: expect.not.stringContaining("formerBaseUrls") },
  ]);
});
