import { describe, expect, it } from "vitest";
import type { Card, Model, Screen, WireEntry } from "../../../../src/web/terminal/control-schema.ts";
import { gatewayFaults, orderOf, switchedOn } from "../../../../src/web/terminal/gateway-faults.ts";
import { bestWay, hintOf, waysFor } from "../../../../src/web/terminal/hint.ts";
import {
  customerOrder,
  FIRST_STATE,
  nextState,
  type PageEvent,
  type PageState,
} from "../../../../src/web/terminal/page-state.ts";
import { wireLines } from "../../../../src/web/terminal/wire-words.ts";

const CHIP: Card = {
  name: "visa-contact",
  title: "Visa",
  brand: "visa",
  last4: "0050",
  group: "chip",
  ways: ["insert", "swipe", "key"],
  pin: "1234",
};
const TAP: Card = { ...CHIP, name: "visa-contactless", group: "tap", ways: ["tap", "insert", "swipe", "key"] };
const TYPED: Card = {
  ...CHIP,
  name: "manual",
  group: "typed",
  ways: ["key", "insert"],
  typed: { number: "4761739001010705", expiry: "1231" },
};
const PHONE: Card = {
  name: "visa-phone",
  title: "Visa in a phone",
  brand: "visa",
  last4: "1109",
  group: "phone",
  ways: ["tap"],
};
const MODEL: Model = {
  id: "m",
  title: "M",
  serialNumber: "1",
  capabilities: { interfaces: ["chip", "contactless", "stripe", "keyed"], onlinePin: true },
  shape: {
    form: "hand",
    colour: "graphite",
    stripeAt: "top",
    display: true,
    keys: true,
    slot: true,
    stripe: true,
    contactless: true,
  },
};
const PROX: Model = {
  ...MODEL,
  capabilities: { interfaces: ["contactless"], onlinePin: false },
  shape: { ...MODEL.shape, display: false, keys: false, slot: false, stripe: false },
};
const SCREEN: Screen = {
  lines: ["Ready"],
  slot: { card: null },
  reader: { card: null },
  lights: { power: true, card: false, busy: false },
  waitsFor: null,
  plugged: true,
  hung: false,
  customer: { card: "visa-contact", acts: false },
};

const stateAfter = (...events: readonly PageEvent[]): PageState => events.reduce(nextState, FIRST_STATE);
const wire = (n: number, name: string, more: Partial<WireEntry> = {}): WireEntry => ({
  n,
  at: "2026-11-23T10:00:00.000Z",
  direction: "sent",
  name,
  objects: [],
  ...more,
});

describe("what can be done with a card", () => {
  it("is what card and model both can", () => {
    expect(waysFor(CHIP, MODEL)).toEqual(["insert", "swipe", "key"]);
    expect(waysFor(CHIP, PROX)).toEqual([]);
    expect(waysFor(TAP, PROX)).toEqual(["tap"]);
  });

  it.each([
    [CHIP, "card", "insert"],
    [TAP, "card", "tap"],
    [CHIP, "swipe", "swipe"],
    [TYPED, "number", "key"],
    [PHONE, "card", "tap"],
    [TYPED, null, "insert"],
  ] as const)("%j, where %s is wanted", (card, waitsFor, way) => {
    expect(bestWay(card, MODEL, { ...SCREEN, waitsFor })).toBe(way);
  });
});

describe("the hint", () => {
  const hint = (screen: Partial<Screen>, hand: Card = CHIP): string =>
    hintOf({ screen: { ...SCREEN, ...screen }, model: MODEL, hand, presented: CHIP, isPinWrong: false });

  it.each<[string, Partial<Screen>, RegExp]>([
    ["cable", { plugged: false }, /cable is out/],
    ["restart", { plugged: false, lights: { ...SCREEN.lights, power: false } }, /starts again/],
    ["hanging", { hung: true }, /Only a restart/],
    ["PIN", { waitsFor: "pin" }, /1234.*wrong PIN/],
    ["removal", { waitsFor: "removal" }, /Take it out/],
    ["application", { waitsFor: "application" }, /Press 1 or 2/],
    ["customer", { waitsFor: "pin", customer: { card: "visa-contact", acts: true } }, /customer is at it/],
    ["work", { lights: { ...SCREEN.lights, busy: true }, slot: { card: "visa-contact" } }, /Pull it out now/],
    ["a tap", { lights: { ...SCREEN.lights, busy: true } }, /asks the gateway/],
    ["rest", {}, /Start a sale/],
  ])("knows of %s", (_what, screen, words) => {
    expect(hint(screen)).toMatch(words);
  });

  it("of a customer who cannot pay with the card that was chosen says what to do", () => {
    const acting = { ...SCREEN, waitsFor: "card", customer: { card: "", acts: true } } as const;
    expect(hintOf({ screen: acting, model: PROX, hand: CHIP, presented: undefined, isPinWrong: false })).toMatch(
      /cannot read .* Choose another/,
    );
    expect(hint(acting, TYPED)).toMatch(/number typed/);
  });

  it("gives the number that is to be typed in fours", () => {
    expect(hint({ waitsFor: "number" }, TYPED)).toContain("4761 7390 0101 0705");
    expect(hint({ waitsFor: "number" }, CHIP)).toContain("manual");
  });
});

describe("the page", () => {
  const met: PageEvent = { on: "met", model: MODEL, deck: [CHIP, TAP, PHONE] };

  it("begins with a card in the hand that the model can read, and keeps it when it connects again", () => {
    expect(stateAfter(met).hand).toBe("visa-contact");
    expect(stateAfter({ ...met, model: PROX }).hand).toBe("visa-contactless");
    expect(stateAfter(met, { on: "taken", card: "visa-phone" }, { on: "lost" }, met).hand).toBe("visa-phone");
  });

  it("hears each frame once, also from a stream that was opened anew, and begins again with another terminal", () => {
    const twice = [wire(1, "a"), wire(2, "b"), wire(2, "b"), wire(3, "c")].map(
      (entry) => ({ on: "wire", entry }) as const,
    );
    expect(stateAfter(...twice).wire.map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(stateAfter(...twice, { on: "wire", entry: wire(1, "new") }).wire.map(({ name }) => name)).toEqual(["new"]);
  });

  it("gives the customer the card that was chosen, also where another window chose it", () => {
    const customer = (card: string): PageEvent => ({
      on: "screen",
      screen: { ...SCREEN, customer: { card, acts: true } },
    });
    const taken = stateAfter(
      met,
      customer("visa-contact"),
      { on: "taken", card: "visa-phone" },
      customer("visa-contact"),
    );
    expect(taken.hand).toBe("visa-phone");
    expect(customerOrder(taken, true)).toEqual({ acts: true, card: "visa-phone" });
    expect(customerOrder(taken, false)).toEqual({ acts: false });
    expect(nextState(taken, customer("visa-contactless")).hand).toBe("visa-contactless");
    expect(stateAfter(customer("visa-phone"), met).hand).toBe("visa-phone");
  });

  it("knows from the first display on that the PIN was wrong, until it is taken or the card is gone", () => {
    const shown = (screen: Partial<Screen>): PageEvent => ({
      on: "screen",
      screen: { ...SCREEN, slot: { card: "visa-contact" }, ...screen },
    });
    const steps: readonly (readonly [Partial<Screen>, RegExp])[] = [
      [{ lines: ["Enter PIN"], waitsFor: "pin" }, /^It asks for the PIN/],
      [{ lines: ["WRONG PIN", "TRY AGAIN"], waitsFor: "removal" }, /was wrong\. Leave the card in/],
      [{ lines: ["Please wait"] }, /./],
      [{ lines: ["Enter PIN"], waitsFor: "pin" }, /^The PIN was wrong, so it is asked for again: it is 1234\./],
      [{ lines: ["APPROVED"], waitsFor: "removal" }, /Take it out/],
      [{ lines: ["Enter PIN"], waitsFor: "pin" }, /^It asks for the PIN/],
      [{ lines: ["Wrong PIN. Last try"], waitsFor: "pin" }, /was wrong/],
      [{ lines: ["Welcome"], slot: { card: null } }, /Start a sale/],
      [{ lines: ["Enter PIN"], waitsFor: "pin" }, /^It asks for the PIN/],
    ];
    let state = stateAfter(met);
    for (const [screen, words] of steps) {
      state = nextState(state, shown(screen));
      expect(
        hintOf({
          screen: state.screen ?? SCREEN,
          model: MODEL,
          hand: CHIP,
          presented: CHIP,
          isPinWrong: state.isPinWrong,
        }),
      ).toMatch(words);
    }
  });

  it("says that the visitor took over until the customer acts again", () => {
    const taken = stateAfter(met, { on: "took-over" }, { on: "screen", screen: SCREEN });
    expect(taken.tookOver).toBe(true);
    expect(
      nextState(taken, { on: "screen", screen: { ...SCREEN, customer: { card: "visa-contact", acts: true } } })
        .tookOver,
    ).toBe(false);
  });

  it("knows whose PIN is asked for after a tap", () => {
    const tapped = stateAfter(
      met,
      { on: "presented", card: "visa-contactless" },
      { on: "screen", screen: { ...SCREEN, waitsFor: "pin" } },
    );
    expect(tapped.presented).toBe("visa-contactless");
  });
});

describe("the wire in words", () => {
  it("counts what repeats, and does not repeat it", () => {
    const lines = wireLines([
      wire(1, "card-status"),
      wire(2, "card-status"),
      wire(3, "answer 9000 (done)", { direction: "received" }),
    ]);
    expect(lines).toMatchObject([
      { from: "bridge", title: "Card status", times: 2 },
      { from: "terminal", title: "Answer 9000 (done)", times: 1 },
    ]);
  });

  it.each([
    ["9F02", "000000001234", "12.34"],
    ["9F02", "000000000005", "0.05"],
    ["9A", "261123", "2026-11-23"],
    ["9F27", "80", "ARQC: the issuer is to decide"],
    ["9F27", "40", "TC: the card agrees"],
    ["8A", "3030", "00: approved"],
    ["8A", "3535", "55: not approved"],
  ])("says what %s %s means", (tag, value, words) => {
    const [line] = wireLines([wire(1, "x", { objects: [{ tag, length: value.length / 2, value }] })]);
    expect(line?.objects).toMatchObject([{ tag, words }]);
  });
});

describe("the switches of the gateway", () => {
  it("each order one fault, and are on as long as it is there", () => {
    for (const fault of gatewayFaults) {
      const order = JSON.parse(JSON.stringify(orderOf(fault, "800.100.155")));
      expect([...switchedOn([{ times: 1, ...order }])]).toEqual([fault]);
    }
    expect(switchedOn([]).size).toBe(0);
  });
});
