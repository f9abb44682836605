import { describe, expect, test } from "vitest";
import { verifoneP400 } from "../../../../drivers/verifone-p400/driver.ts";
import { verifoneP400Simulator, verifoneUx300Simulator } from "../../../../drivers/verifone-p400/simulator.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import type { SimulatorModel } from "../../../../src/simulator/simulated-terminal.ts";
import { openShop, type Shop } from "../../../drivers/shop.ts";
import {
  authorization,
  cardIn,
  collect,
  issuerOfDeck,
  promptsOf,
  REFUND,
  ready,
  responseOf,
} from "../../../drivers/till.ts";

/*
 * One sale for each way of presenting a card: driver and simulated device on one line, the issuer's own check behind
 * it.
 */

async function open(
  card: string | undefined,
  simulator: SimulatorModel = verifoneP400Simulator,
  transport: "serial" | "tcp" = "tcp",
): Promise<Shop> {
  const shop = await openShop({ model: verifoneP400, simulator, transport, card });
  await ready(shop);
  return shop;
}

async function sale(shop: Shop, changes: Partial<CollectRequest> = {}): Promise<readonly string[]> {
  const issuer = issuerOfDeck();
  const card = cardIn(await shop.does(collect(changes)));
  const entryMode = changes.again === "fallback" ? ({ entryMode: "MAGSTRIPE_AS_FALLBACK" } as const) : {};
  const verified = issuer.verify(authorization("VERIFONE_P400", card, entryMode));
  const finished = await shop.does({ do: "complete", issuer: responseOf(verified) });
  return [
    card.interface,
    verified.sred,
    verified.pin ?? "no PIN",
    verified.refusal?.reason ?? "no refusal",
    finished.on === "finished" ? finished.verdict : finished.on,
  ];
}

describe.each(["serial", "tcp"] as const)("over %s", (transport) => {
  test.each([
    ["visa-contact", {}, ["chip", "valid", "valid", "no refusal", "approved"]],
    ["signature", {}, ["chip", "valid", "no PIN", "no refusal", "approved"]],
    ["contact-declines-after-approval", {}, ["chip", "valid", "valid", "no refusal", "declined"]],
    ["visa-contactless", {}, ["contactless-chip", "valid", "no PIN", "no refusal", "read"]],
    ["mastercard-contactless-pin", {}, ["contactless-chip", "valid", "valid", "no refusal", "read"]],
    ["magstripe-contactless", {}, ["contactless-magstripe", "valid", "no PIN", "no refusal", "read"]],
    ["magstripe", {}, ["magstripe", "valid", "no PIN", "no refusal", "read"]],
    ["magstripe-pin", {}, ["magstripe", "valid", "valid", "no refusal", "read"]],
    ["fallback", { again: "fallback", interfaces: ["stripe"] }, ["magstripe", "valid", "no PIN", "no refusal", "read"]],
    ["manual", { interfaces: ["keyed"] }, ["keyed", "valid", "no PIN", "no refusal", "read"]],
  ] as const)("%s %j", async (card, changes, expected) => {
    const shop = await open(card, verifoneP400Simulator, transport);
    expect(await sale(shop, changes)).toEqual(expected);
    expect(await shop.does({ do: "idle" })).toMatchObject({ on: "done" });
    expect(await sale(shop, changes)).toEqual(expected);
  });
});

describe("the device as delivered, whose vector is not zero, with option sred", () => {
  const cards = [
    ["visa-contact", {}],
    ["visa-contactless", {}],
    ["magstripe", {}],
    ["manual", { interfaces: ["keyed"] }],
  ] as const;
  const sred = (form: string): SimulatorModel => ({ ...verifoneP400Simulator, options: { sred: form } });

  test.each(["template", "vector-and-data"])("%s: the issuer opens every card", async (form) => {
    for (const [card, changes] of cards) expect(await sale(await open(card, sred(form)), changes)).toContain("valid");
  });

  test("data: the issuer refuses what it cannot open, and says what is missing", async () => {
    for (const [card, changes] of cards) {
      const [, opened, , refusal] = await sale(await open(card, sred("data")), changes);
      expect([opened, refusal]).toEqual([
        expect.stringMatching(/a terminal that seals under a vector must send it/),
        "sred",
      ]);
    }
  });
});

test("a wrong PIN: the card in the slot makes a new cryptogram with the next one", async () => {
  const shop = await open("wrong-pin-once");
  const issuer = issuerOfDeck();
  const first = issuer.verify(authorization("VERIFONE_P400", cardIn(await shop.does(collect()))));
  expect(first.refusal?.reason).toBe("wrong-pin");
  expect(await shop.does({ do: "complete", issuer: responseOf(first) })).toMatchObject({
    on: "finished",
    verdict: "declined",
  });
  const n = shop.begins(collect({ again: "wrong-pin", interfaces: ["chip"] }));
  const second = issuer.verify(authorization("VERIFONE_P400", cardIn(await shop.ended(n))));
  expect(second).toMatchObject({ pin: "valid", refusal: undefined });
  expect(await shop.does({ do: "complete", issuer: responseOf(second) })).toMatchObject({
    on: "finished",
    verdict: "approved",
  });
  expect(promptsOf(shop, n)).toEqual(["WRONG_PIN", "ENTER_PIN", "PROCESSING"]);
});

test("a refund by chip is an AAC, by tap an ARQC that is ended, and the device is free after each", async () => {
  const shop = await open("refund-aac");
  for (const decision of ["declined-offline", "declined-offline"]) {
    const card = cardIn(await shop.does(REFUND));
    expect(card).toMatchObject({ interface: "chip", decision });
    expect(issuerOfDeck().verify(authorization("VERIFONE_P400", card, { credit: true })).refusal).toBeUndefined();
  }
  const tapped = await open("visa-contactless");
  for (let times = 0; times < 2; times += 1)
    expect(cardIn(await tapped.does(REFUND))).toMatchObject({ interface: "contactless-chip", decision: "online" });
});

test("a soft decline after a tap is answered by a PIN for the card that is gone", async () => {
  const shop = await open("visa-contactless");
  const issuer = issuerOfDeck();
  const card = cardIn(await shop.does(collect()));
  issuer.verify(authorization("VERIFONE_P400", card)).conclude({ approved: false, arc: "65", variation: undefined });
  const asked = await shop.does({ do: "ask-pin", request: collect().request });
  const pin = asked.on === "pin" ? asked.pin : undefined;
  const again = issuer.verify(authorization("VERIFONE_P400", pin ? { ...card, pin } : card));
  expect(again).toMatchObject({ pin: "valid", refusal: undefined });
  expect(await shop.does({ do: "complete", issuer: responseOf(again) })).toMatchObject({
    on: "finished",
    verdict: "read",
  });
});

test("key serial numbers rise from card to card, and each card is told once", async () => {
  const shop = await open("visa-contact");
  const ksns: string[] = [];
  for (let times = 0; times < 4; times += 1) {
    ksns.push(cardIn(await shop.does(collect())).sred?.ksn ?? "");
    await shop.does({ do: "cancel" });
  }
  expect(ksns.toSorted()).toEqual(ksns);
  expect(new Set(ksns).size).toBe(4);
  expect(shop.notices.filter(({ on }) => on === "card")).toHaveLength(4);
});

describe("a UX300", () => {
  test("says what it is and can", async () => {
    const shop = await openShop({
      model: verifoneP400,
      simulator: verifoneUx300Simulator,
      transport: "serial",
      card: undefined,
    });
    expect(await shop.does({ do: "identify" })).toMatchObject({
      on: "ready",
      identity: { serialNumber: "986272827", model: "UX300" },
      capabilities: { interfaces: ["chip", "stripe", "keyed"], pinAfterTap: false },
    });
  });

  test.each([
    ["visa-contact", {}, ["chip", "valid", "valid", "no refusal", "approved"]],
    ["magstripe", {}, ["magstripe", "valid", "no PIN", "no refusal", "read"]],
    ["manual", { interfaces: ["keyed"] }, ["keyed", "valid", "no PIN", "no refusal", "read"]],
  ] as const)("%s", async (card, changes, expected) => {
    expect(await sale(await open(card, verifoneUx300Simulator), changes)).toEqual(expected);
  });
});

test("a reboot in the middle of a sale ends it, and the next one after identification goes well", async () => {
  const shop = await open("visa-contact");
  const n = shop.begins(collect());
  await shop.clock.advance(200);
  shop.terminal.fault("reboot");
  expect(await shop.ended(n)).toMatchObject({ on: "fault" });
  await shop.clock.advance(5_000);
  await ready(shop);
  expect((await sale(shop)).at(-1)).toBe("approved");
});
