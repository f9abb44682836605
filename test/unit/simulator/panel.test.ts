import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPanel, readKeys } from "../../../src/simulator/panel.ts";
import { SimulatorProblem } from "../../../src/simulator/simulator-problem.ts";

test.each([
  ["1234", ["1", "2", "3", "4"]],
  ["12 enter", ["1", "2", "ENTER"]],
  [
    ["12", "CLEAR", "3", "CANCEL"],
    ["1", "2", "CLEAR", "3", "CANCEL"],
  ],
  ["", []],
])("the keys %j", (keys, expected) => {
  expect(readKeys(keys)).toEqual(expected);
});

test("whatever is given, there come keys or a problem that says what keys are", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.array(fc.string())), (keys) => {
      try {
        for (const key of readKeys(keys)) expect(key).toMatch(/^([0-9]|ENTER|CANCEL|CLEAR)$/);
      } catch (error) {
        expect(error).toBeInstanceOf(SimulatorProblem);
      }
    }),
  );
});

describe("a card", () => {
  test("is presented as its holder does it, or as it is said", () => {
    const panel = createPanel();
    panel.present("visa-contactless");
    expect(panel.screen()).toMatchObject({ slot: { card: null }, reader: { card: "visa-contactless" } });
    panel.remove();
    panel.present("visa-contactless", "insert");
    expect(panel.screen()).toMatchObject({ slot: { card: "visa-contactless" }, reader: { card: null } });
    expect(panel.lastCard()?.profile.name).toBe("visa-contactless");
    panel.present("magstripe");
    expect(panel.shown()?.way).toBe("swipe");
    panel.takeShown();
    expect(panel.shown()).toBeUndefined();
  });

  test("is swiped where the terminal asks for the stripe", () => {
    const panel = createPanel();
    panel.wishFor("swipe");
    panel.present("fallback");
    expect(panel.shown()?.way).toBe("swipe");
  });

  test("is typed where the terminal asks for its number, and its expiry when that is asked for", () => {
    const panel = createPanel();
    const keys: string[] = [];
    panel.onKey((key) => keys.push(key));
    panel.wishFor("number");
    panel.present("manual");
    expect(keys.join("")).toBe("4761739001010705ENTER");
    panel.wishFor(undefined);
    panel.wishFor("expiry");
    expect(keys.slice(17).join("")).toBe("1231ENTER");
    panel.wishFor("number");
    panel.wishFor("expiry");
    expect(keys).toHaveLength(22);
  });

  test.each([
    ["manual", undefined, "does not ask for a number"],
    ["visa-contact", "tap", "cannot be tapped"],
    ["nobody", undefined, "no card is called"],
  ] as const)("%s, %s: is refused with the reason", (name, way, reason) => {
    expect(() => createPanel().present(name, way)).toThrow(reason);
  });

  test("cannot be put into a slot that is taken, nor pulled from one that is empty", () => {
    const panel = createPanel();
    expect(() => panel.remove()).toThrow("no card is in the slot");
    panel.present("visa-contact");
    expect(() => panel.present("mastercard-contact")).toThrow("visa-contact is in the slot");
  });
});
