import { describe, expect, test } from "vitest";
import { simulators } from "../../drivers/simulators.ts";
import { deck } from "../../packages/sandbox/testbed/deck.ts";
import type { AuthorizationRequest } from "../../packages/sandbox/testbed/issuer.ts";
import type { Capabilities } from "../../src/card/capabilities.ts";
import type { CardData, CardInterface } from "../../src/card/card-data.ts";
import type { PromptCode } from "../../src/card/notice.ts";
import { receiptDataOf } from "../../src/emv/receipt-data.ts";
import { cardReadOf } from "../../src/engine/terminal/card-reading.ts";
import { shortOrLong } from "../support/dose.ts";
import { devices, FACTS, pairs } from "./models.ts";
import { APPROVED, openShop, SALE, type Shop } from "./shop.ts";
import { authorization, cardIn, collect, issuerOfDeck, KEYED, promptsOf, REFUND, ready, responseOf } from "./till.ts";

/*
 * Every card of the deck at every driver that has a simulator, presented by its holder in his own way, verified by its
 * issuer, and told the issuer's answer; on
 * every line of the driver in the long tests.
 */

const TAP: readonly PromptCode[] = ["INSERT_OR_TAP"];
const TAP_AND_PIN: readonly PromptCode[] = [...TAP, "ENTER_PIN", "PROCESSING"];
const CHIP: readonly PromptCode[] = ["INSERT_OR_TAP", "PROCESSING"];
const CHIP_AND_PIN: readonly PromptCode[] = [...CHIP, "ENTER_PIN", "PROCESSING"];
const CHIP_AND_WRONG_PIN: readonly PromptCode[] = [...CHIP, "ENTER_PIN", "WRONG_PIN", "PROCESSING"];

interface Story {
  readonly interface: CardInterface;
  /** What the driver reports last. */
  readonly ends: string;
  readonly prompts: readonly PromptCode[];
  readonly cvm: string;
  readonly pin: boolean;
  /** The card compares the PIN; a device that takes none has it signed for. */
  readonly byCard?: true;
}

/** How each card's sale of 12.34 goes, chip, tap and magstripe being offered. */
const SALES: Readonly<Record<string, Story>> = {
  "visa-contact": { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  "visa-contact-cvn18": { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  "mastercard-contact": { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  signature: { interface: "chip", ends: "approved", prompts: CHIP, cvm: "signature", pin: false },
  "contact-declines-after-approval": {
    interface: "chip",
    ends: "declined",
    prompts: CHIP_AND_PIN,
    cvm: "online-pin",
    pin: true,
  },
  "refund-aac": { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  "wrong-arpc": { interface: "chip", ends: "declined", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  "two-applications": {
    interface: "chip",
    ends: "approved",
    prompts: ["INSERT_OR_TAP", "PROCESSING", "SELECT_APPLICATION", "ENTER_PIN", "PROCESSING"],
    cvm: "online-pin",
    pin: true,
  },
  "offline-pin": {
    interface: "chip",
    ends: "approved",
    prompts: CHIP_AND_PIN,
    cvm: "offline-pin",
    pin: false,
    byCard: true,
  },
  "offline-pin-enciphered": {
    interface: "chip",
    ends: "approved",
    prompts: CHIP_AND_WRONG_PIN,
    cvm: "offline-pin",
    pin: false,
    byCard: true,
  },
  "signature-only": { interface: "chip", ends: "approved", prompts: CHIP, cvm: "signature", pin: false },
  cda: { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  amex: { interface: "chip", ends: "approved", prompts: CHIP, cvm: "signature", pin: false },
  discover: { interface: "chip", ends: "approved", prompts: CHIP, cvm: "signature", pin: false },
  jcb: { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  unionpay: { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  interac: { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  "us-common-debit": { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  languages: { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  attacker: { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  "long-data": { interface: "chip", ends: "approved", prompts: CHIP_AND_PIN, cvm: "online-pin", pin: true },
  "visa-contactless": { interface: "contactless-chip", ends: "read", prompts: TAP, cvm: "none", pin: false },
  "mastercard-contactless": { interface: "contactless-chip", ends: "read", prompts: TAP, cvm: "none", pin: false },
  "visa-contactless-pin": {
    interface: "contactless-chip",
    ends: "read",
    prompts: TAP_AND_PIN,
    cvm: "online-pin",
    pin: true,
  },
  "mastercard-contactless-pin": {
    interface: "contactless-chip",
    ends: "read",
    prompts: TAP_AND_PIN,
    cvm: "online-pin",
    pin: true,
  },
  "visa-phone": {
    interface: "contactless-chip",
    ends: "read",
    prompts: ["INSERT_OR_TAP", "SEE_PHONE"],
    cvm: "device",
    pin: false,
  },
  "mastercard-phone": { interface: "contactless-chip", ends: "read", prompts: TAP, cvm: "device", pin: false },
  "magstripe-contactless": { interface: "contactless-magstripe", ends: "read", prompts: TAP, cvm: "none", pin: false },
  magstripe: { interface: "magstripe", ends: "read", prompts: TAP, cvm: "unknown", pin: false },
  "magstripe-pin": { interface: "magstripe", ends: "read", prompts: TAP_AND_PIN, cvm: "unknown", pin: true },
};

/** The way of presenting a card that each interface is. */
const WAYS: Readonly<Record<CardInterface, Capabilities["interfaces"][number]>> = {
  chip: "chip",
  "contactless-chip": "contactless",
  "contactless-magstripe": "contactless",
  magstripe: "stripe",
  keyed: "keyed",
};

/** Cards whose sale is another story, told below. */
const OTHERS = [
  "offline-pin-blocked",
  "contactless-declines",
  "contactless-wants-slot",
  "offline-declines",
  "offline-approves",
  "wrong-pin-once",
  "blocked-application",
  "fallback",
  "manual",
];

test("every card of the deck is in one of the stories", () => {
  expect([...Object.keys(SALES), ...OTHERS].sort()).toEqual(deck.map(({ name }) => name).sort());
});

test("every simulated model has its facts, and they name cards of the deck", () => {
  expect(FACTS.map(({ simulator }) => simulator).sort()).toEqual(simulators.map(({ id }) => id).sort());
  const names = deck.map(({ name }) => name);
  for (const { without } of FACTS) expect(names).toEqual(expect.arrayContaining(Object.keys(without)));
});

describe.each(shortOrLong(devices, pairs))("$title", (pair) => {
  const { facts, can, simulator } = pair;
  const takes = (name: string, way: Capabilities["interfaces"][number]): boolean =>
    can.interfaces.includes(way) && facts.without[name] === undefined;
  const sales = Object.entries(SALES).filter(([name, story]) => takes(name, WAYS[story.interface]));
  const prompts = (usual: readonly PromptCode[]): readonly PromptCode[] =>
    facts.prompts(can.onlinePin || !usual.includes("ENTER_PIN") ? usual : usual.slice(0, usual.indexOf("ENTER_PIN")));
  const toldOfOfflinePin = (usual: readonly PromptCode[]): readonly PromptCode[] => {
    if (!can.onlinePin || facts.hidesOfflinePin === undefined) return usual;
    return facts.hidesOfflinePin.what === "end" ? usual.slice(0, -1) : usual.slice(0, usual.indexOf("ENTER_PIN"));
  };
  const masked = (name: string): object => {
    const pan = deck.find((one) => one.name === name)?.pan ?? "";
    if (facts.masked === "none") return { last4: "" };
    return { last4: pan.slice(-4), ...(facts.masked === "bin-and-last4" && { bin: pan.slice(0, 6) }) };
  };
  const request = (card: CardData, changes?: Parameters<typeof authorization>[2]): AuthorizationRequest =>
    authorization(simulator.deviceType, card, changes);
  const open = async (
    card: string | undefined,
    more: { readonly contactlessCvmLimit?: number } = {},
  ): Promise<Shop> => {
    const shop = await openShop({ ...pair, ...more, card });
    await ready(shop);
    return shop;
  };

  test.each(sales)("a sale with %s", async (name, story) => {
    const shop = await open(name);
    const issuer = issuerOfDeck();
    const card = cardIn(await shop.does(collect()));
    expect(card).toMatchObject({ interface: story.interface, decision: "online", masked: masked(name) });
    const pin = story.pin && can.onlinePin;
    expect(card.pin !== undefined).toBe(pin && !can.sealed);
    if (can.sealed) expect(card.icc).toEqual([]);
    else if (facts.cvmUntold?.includes(name)) expect(receiptDataOf(card.icc).cvm).toBe("unknown");
    else if (story.byCard === true && !can.onlinePin) expect(receiptDataOf(card.icc).cvm).toBe("signature");
    else if (pin || story.cvm !== "online-pin") expect(receiptDataOf(card.icc).cvm).toBe(story.cvm);
    else expect(receiptDataOf(card.icc).cvm).not.toBe("online-pin");
    // Those of the deck that are swiped have no chip; not every device shows it.
    expect(card.hasChip ?? false).toBe(false);
    const verified = issuer.verify(request(card));
    expect(verified).toMatchObject({ sred: "valid", pin: pin ? "valid" : undefined, refusal: undefined });
    expect(await shop.does({ do: "complete", issuer: responseOf(verified) })).toMatchObject({
      on: "finished",
      verdict: story.ends,
    });
    expect(promptsOf(shop)).toEqual(prompts(story.byCard ? toldOfOfflinePin(story.prompts) : story.prompts));
    expect(await shop.does({ do: "idle" })).toMatchObject({ on: "done" });
  });

  const tapped = ["visa-contactless", "magstripe-contactless", "mastercard-contactless"].filter((name) =>
    takes(name, "contactless"),
  );
  test.each(can.pinAfterTap ? tapped : [])("a soft decline after a tap of %s is answered by a PIN", async (name) => {
    const shop = await open(name);
    const issuer = issuerOfDeck();
    const card = cardIn(await shop.does(collect()));
    issuer.verify(request(card)).conclude({ approved: false, arc: "65", variation: undefined });
    const asked = await shop.does({ do: "ask-pin", request: SALE.request });
    if (asked.on !== "pin") throw new Error(`no PIN but ${JSON.stringify(asked)}`);
    const again = issuer.verify(request({ ...card, pin: asked.pin }));
    expect(again).toMatchObject({ pin: "valid", refusal: undefined });
    expect(await shop.does({ do: "complete", issuer: responseOf(again) })).toMatchObject({
      on: "finished",
      verdict: "read",
    });
    expect(promptsOf(shop, asked.n)).toEqual(prompts(["ENTER_PIN", "PROCESSING"]));
  });

  if (can.interfaces.includes("keyed")) {
    test("a number that is typed", async () => {
      const shop = await open("manual");
      const card = cardIn(await shop.does(KEYED));
      expect(card).toMatchObject({ interface: "keyed", decision: "online", icc: [], masked: masked("manual") });
      expect(issuerOfDeck().verify(request(card))).toMatchObject({
        sred: "valid",
        refusal: undefined,
        card: { last4: "0705" },
      });
      expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({ on: "finished", verdict: "read" });
      expect(promptsOf(shop)).toEqual(["ENTER_CARD_NUMBER"]);
    });
  }

  if (takes("fallback", "chip") && can.interfaces.includes("stripe")) {
    test("a broken chip: tried again, then its stripe", async () => {
      const shop = await open("fallback");
      const first = shop.begins(collect());
      expect(await shop.ended(first)).toMatchObject({ on: "no-card", why: "chip-unreadable" });
      const second = shop.begins(collect({ again: "chip-unreadable" }));
      expect(await shop.ended(second)).toMatchObject({ on: "no-card", why: "chip-unreadable" });
      const third = shop.begins(collect({ again: "fallback", interfaces: ["stripe"] }));
      const card = cardIn(await shop.ended(third));
      expect(card.interface).toBe("magstripe");
      expect(issuerOfDeck().verify(request(card, { entryMode: "MAGSTRIPE_AS_FALLBACK" }))).toMatchObject({
        sred: "valid",
        refusal: undefined,
      });
      expect([promptsOf(shop, first), promptsOf(shop, second), promptsOf(shop, third)]).toEqual([
        facts.prompts(["INSERT_OR_TAP", "PROCESSING"]),
        facts.prompts(["REMOVE_CARD", "INSERT_OR_TAP", "PROCESSING"]),
        facts.prompts(["REMOVE_CARD", "SWIPE"]),
      ]);
      expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({ on: "finished", verdict: "read" });
    });
  }

  if (takes("wrong-pin-once", "chip") && can.onlinePin && !can.sealed) {
    test("a wrong PIN: the card in the slot makes a new cryptogram with the next one", async () => {
      const shop = await open("wrong-pin-once");
      const issuer = issuerOfDeck();
      const first = cardIn(await shop.does(collect()));
      const refused = issuer.verify(request(first));
      expect(refused.refusal?.reason).toBe("wrong-pin");
      expect(await shop.does({ do: "complete", issuer: responseOf(refused) })).toMatchObject({
        on: "finished",
        verdict: "declined",
      });
      const n = shop.begins(collect({ again: "wrong-pin", interfaces: ["chip"] }));
      const second = cardIn(await shop.ended(n));
      const verified = issuer.verify(request(second));
      expect(verified).toMatchObject({ pin: "valid", refusal: undefined });
      expect(receiptDataOf(second.icc).atc).not.toBe(receiptDataOf(first.icc).atc);
      expect(await shop.does({ do: "complete", issuer: responseOf(verified) })).toMatchObject({
        on: "finished",
        verdict: "approved",
      });
      expect(promptsOf(shop, n)).toEqual(facts.prompts(["WRONG_PIN", "ENTER_PIN", "PROCESSING"]));
    });
  }

  test.each(
    [
      ["offline-declines", "declined-offline"],
      ["offline-approves", "approved-offline"],
    ].filter(([name = ""]) => takes(name, "chip")),
  )("%s decides by itself", async (name, decision) => {
    const shop = await open(name);
    expect(cardIn(await shop.does(collect()))).toMatchObject({ interface: "chip", decision });
    expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({ on: "fault", code: "refused" });
  });

  if (takes("offline-pin-blocked", "chip") && can.onlinePin) {
    test("a PIN that the card blocks after three tries is refused by its issuer, and nobody is asked for it again", async () => {
      const shop = await open("offline-pin-blocked");
      const issuer = issuerOfDeck();
      const card = cardIn(await shop.does(collect()));
      const refused = issuer.verify(request(card));
      expect(refused.refusal).toMatchObject({ reason: "pin-tries-exceeded", arc: "75" });
      if (!can.sealed) expect(receiptDataOf(card.icc)).toMatchObject({ cvm: "failed", tvr: "8000A08000" });
      expect(await shop.does({ do: "complete", issuer: responseOf(refused) })).toMatchObject({
        on: "finished",
        verdict: "declined",
      });
      await shop.does({ do: "idle" });
      await shop.clock.advance(1000);
      const before = shop.notices.length;
      expect(issuer.verify(request(cardIn(await shop.does(collect())))).refusal?.reason).toBe("pin-tries-exceeded");
      expect(shop.notices.slice(before).some((notice) => notice.on === "prompt" && notice.prompt === "ENTER_PIN")).toBe(
        false,
      );
    });
  }

  if (takes("contactless-declines", "contactless")) {
    test("a tap that is answered with an AAC is declined offline", async () => {
      const shop = await open("contactless-declines");
      expect(cardIn(await shop.does(collect()))).toMatchObject({
        interface: "contactless-chip",
        decision: "declined-offline",
      });
      expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({ on: "fault", code: "refused" });
    });
  }

  test.each(sales.filter(([, story]) => story.interface === "magstripe"))(
    "the brand of %s is told by the digits that the device shows",
    async (name) => {
      const shop = await open(name);
      const card = cardIn(await shop.does(collect()));
      const { masked } = card;
      const isShown = masked.bin !== undefined || masked.beginning !== undefined;
      expect(isShown).toBe(facts.driver !== "pax-d180");
      expect(cardReadOf(card).brand).toBe(isShown ? { magstripe: "VISA", "magstripe-pin": "MASTER" }[name] : "UNKNOWN");
    },
  );

  if (takes("contactless-wants-slot", "contactless") && can.interfaces.includes("chip")) {
    test("a tapped card that wants the slot is asked for there", async () => {
      const shop = await open("contactless-wants-slot");
      // That the chip has to be inserted is told by the collect that follows; "try again" would have it tapped once
      // more.
      expect(await shop.does(collect())).toMatchObject({ on: "no-card", why: "use-chip" });
      expect(promptsOf(shop)).toEqual(["INSERT_OR_TAP"]);
      const card = cardIn(await shop.does(collect({ again: "use-chip", interfaces: ["chip"] })));
      expect(promptsOf(shop)[1]).toBe("INSERT_CHIP");
      expect(card).toMatchObject({ interface: "chip", decision: "online" });
      expect(issuerOfDeck().verify(request(card)).refusal).toBeUndefined();
    });
  }

  const taps = ["visa-contactless", "mastercard-contactless", "visa-phone", "mastercard-phone"].filter((name) =>
    takes(name, "contactless"),
  );
  test.each(taps)(
    "a tap of %s above the limit wants its holder verified, and a telephone has done so",
    async (name) => {
      const shop = await open(name, { contactlessCvmLimit: 5000 });
      const isPhone = name.endsWith("phone");
      const ended = await shop.does(collect({ amount: 8000 }));
      if (!isPhone && facts.without["visa-contactless-pin"] !== undefined && can.interfaces.includes("chip")) {
        expect(ended).toMatchObject({ on: "no-card", why: "use-chip" });
        return;
      }
      const card = cardIn(ended);
      const verified = isPhone ? "device" : can.onlinePin && can.pinAfterTap ? "online-pin" : undefined;
      if (!can.sealed && verified !== undefined) expect(receiptDataOf(card.icc).cvm).toBe(verified);
      expect(card.pin !== undefined).toBe(verified === "online-pin" && !can.sealed);
      expect(issuerOfDeck().verify(request(card, { amount: 8000 })).refusal).toBeUndefined();
    },
  );

  if (takes("blocked-application", "chip")) {
    test("a blocked application is no reason for the stripe", async () => {
      const shop = await open("blocked-application");
      expect(await shop.does(collect())).toMatchObject({ on: "no-card", why: "blocked" });
    });
  }

  test.each(
    sales.map(([name]) => name).filter((name) => ["visa-contact", "visa-contactless", "magstripe"].includes(name)),
  )("a registration of 0.00 with %s", async (name) => {
    const shop = await open(name);
    const card = cardIn(await shop.does(collect({ amount: 0 })));
    expect(issuerOfDeck().verify(request(card, { amount: 0 })).refusal).toBeUndefined();
  });

  const refundable = [
    ...sales.map(([name]) => name),
    ...["offline-declines", "wrong-pin-once"].filter((name) => takes(name, "chip")),
  ];
  test.each(refundable)("a refund to %s takes no PIN and leaves the terminal idle", async (name) => {
    const shop = await open(name);
    const issuer = issuerOfDeck();
    const card = cardIn(await shop.does(REFUND));
    expect(card.pin).toBeUndefined();
    expect(promptsOf(shop)).not.toContain("ENTER_PIN");
    expect(issuer.verify(request(card, { credit: true }))).toMatchObject({ sred: "valid", refusal: undefined });
    if (card.interface === "chip") expect(card.decision).toBe(facts.refund);
    expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({ on: "fault", code: "refused" });
    expect(cardIn(await shop.does(REFUND)).interface).toBe(card.interface);
  });

  if (can.interfaces.includes("keyed")) {
    test("a refund to a number that is typed", async () => {
      const shop = await open("manual");
      const card = cardIn(await shop.does({ ...KEYED, request: { ...KEYED.request, transactionType: "20" } }));
      expect(issuerOfDeck().verify(request(card, { credit: true })).refusal).toBeUndefined();
      expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({ on: "fault", code: "refused" });
    });
  }

  if (can.interfaces.includes("chip") && can.interfaces.includes("stripe") && facts.hidesServiceCode === undefined) {
    test("a chip card that is swiped is to be inserted, and then only that is offered", async () => {
      const shop = await open(undefined);
      const n = shop.begins(collect());
      await shop.clock.advance(100);
      shop.terminal.present("visa-contact", "swipe");
      expect(await shop.ended(n)).toMatchObject({ on: "no-card", why: "use-chip" });
      const next = shop.begins(collect({ again: "use-chip" }));
      await shop.clock.advance(100);
      shop.terminal.present("visa-contactless");
      shop.terminal.present("magstripe");
      await shop.clock.advance(1000);
      expect(promptsOf(shop, next)).toEqual(facts.prompts(["INSERT_CHIP"]));
      shop.terminal.present("visa-contact");
      await shop.clock.advance(500);
      if (can.onlinePin) shop.terminal.press(["1234", "ENTER"]);
      expect(await shop.ended(next)).toMatchObject({ on: "card", card: { interface: "chip" } });
    });
  }

  if (can.interfaces.length > 2 && can.interfaces.includes("contactless")) {
    test("a card that is not offered stays unread", async () => {
      const shop = await open(undefined);
      const n = shop.begins(collect({ interfaces: ["contactless"] }));
      await shop.clock.advance(100);
      shop.terminal.present("magstripe");
      await shop.clock.advance(100);
      shop.terminal.removeCard();
      shop.terminal.present("visa-contact", "insert");
      await shop.clock.advance(1000);
      expect(promptsOf(shop, n)).toEqual(facts.prompts(["TAP", "REMOVE_CARD"]));
      shop.terminal.removeCard();
      await shop.clock.advance(200);
      shop.terminal.present("mastercard-contactless");
      expect(await shop.ended(n)).toMatchObject({ on: "card", card: { interface: "contactless-chip" } });
    });
  }
});
