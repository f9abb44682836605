import { describe, expect, test } from "vitest";
import { riskOf } from "../../../packages/sandbox/gateway/payments/risk.ts";
import { SEPA, shop, VISA } from "./accounts-bench.ts";

describe("a payment with anything under risk.", () => {
  test("tells its score, which falls with the amount and never below zero by that", async () => {
    const { told } = shop();
    expect(await told(VISA, { "risk.merchantWebsite": "shop.example" })).toMatchObject({
      risk: { score: "100", merchantWebsite: "shop.example" },
    });
    expect(riskOf(new Map([["risk.brand", "x"]]), 2_500_00, false)?.score).toBe(75);
    expect(riskOf(new Map([["risk.brand", "x"]]), 99_999_999_99, false)).toEqual({ score: 0, refusal: undefined });
  });

  test.each([
    ["-1", -1, "100.400.319"],
    ["-99999", -99_999, "100.400.319"],
    ["0", 0, undefined],
    ["+99999", 99_999, undefined],
    ["no number", 100, undefined],
  ])("has the score that its test asks for: %s", (said, score, resultCode) => {
    const risk = riskOf(new Map([["risk.parameters[SCORE]", said]]), 100, false);
    expect([risk?.score, risk?.refusal?.resultCode]).toEqual([score, resultCode]);
  });

  test("is refused below zero, before its amount's magic and whatever its holder would say", async () => {
    const { pay, told } = shop();
    const bad = { "risk.parameters[SCORE]": "-3" };
    expect((await pay(VISA, bad, { amount: "9200.10" })).code).toBe("100.400.319");
    expect(await told(VISA, bad, { "card.number": "4200000000000042" })).toMatchObject({
      result: { code: "100.400.319" },
      risk: { score: "-3" },
    });
  });

  test("is refused for what is wrong with the account first", async () => {
    expect((await shop().pay(VISA, { "risk.parameters[SCORE]": "-3", "card.number": "4000000000000002" })).code).toBe(
      "800.100.152",
    );
  });
});

describe("a risk check alone (RI)", () => {
  test("passes without asking the issuer, and moves no money", async () => {
    const { told, pay } = shop();
    expect(await told(VISA, { paymentType: "RI" })).toMatchObject({
      paymentType: "RI",
      paymentMethod: "RM",
      result: { code: "000.300.100" },
      risk: { score: "100" },
    });
    expect((await pay(SEPA, { paymentType: "RI" })).code).toBe("000.300.101");
    expect((await pay(VISA, { paymentType: "RI", "card.number": "4000000000000002" })).code).toBe("000.300.100");
  });

  test("still says what is wrong with the account itself", async () => {
    expect((await shop().pay(VISA, { paymentType: "RI", "card.number": "4200000000000001" })).code).toBe("100.100.101");
  });
});

test("a payment that was checked is told as RISK besides, and one that was not is not", async () => {
  const told: string[] = [];
  const { pay, raw, clock } = shop({
    orderlyWebhooks: true,
    send: async ({ url }) => ({ ok: true, status: told.push(url) && 204 }),
  });
  const json = { "content-type": "application/json" };
  const hook = { url: "https://shop.example/risks", key: "00".repeat(32), events: ["RISK"] };
  const added = await raw("POST", "/sandbox/v1/webhooks", JSON.stringify(hook), json);
  const { id } = added.is === "reply" ? JSON.parse(added.body) : {};
  await raw("POST", `/sandbox/v1/webhooks/${id}/test`, "{}", json);
  told.length = 0;
  await pay(VISA);
  await clock.advance(60_000);
  expect(told).toEqual([]);
  await pay(VISA, { "risk.brand": "VISA" });
  await pay(VISA, { paymentType: "RI" });
  await clock.advance(60_000);
  expect(told).toHaveLength(2);
});

test("without anything under risk. there is no score", async () => {
  expect(await shop().told(VISA)).not.toHaveProperty("risk");
});
