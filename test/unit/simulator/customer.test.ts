import { describe, expect, test } from "vitest";
import { createMemory, emptyMemoryImage } from "../../../packages/sandbox/testbed/memory.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { type AutomaticCustomer, automaticCustomer } from "../../../src/simulator/customer.ts";
import { createPanel, type Panel } from "../../../src/simulator/panel.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

const SOON_MS = 1_000;

function shop(card: string): {
  readonly panel: Panel;
  readonly clock: VirtualClock;
  readonly customer: AutomaticCustomer;
  readonly keys: string[];
} {
  const panel = createPanel();
  const clock = createVirtualClock(0);
  const keys: string[] = [];
  panel.onKey((key) => keys.push(key));
  return {
    panel,
    clock,
    keys,
    customer: automaticCustomer(panel, card, {
      clock,
      random: seededRandom(1),
      memory: createMemory(emptyMemoryImage),
    }),
  };
}

describe("a customer who acts by himself", () => {
  test("presents his card when one is wanted, and types its PIN", async () => {
    const { panel, clock, keys } = shop("visa-contact");
    panel.wishFor("card");
    await clock.advance(SOON_MS);
    expect(panel.screen().slot.card).toBe("visa-contact");
    panel.wishFor("pin");
    await clock.advance(SOON_MS);
    expect(keys).toEqual(["1", "2", "3", "4", "ENTER"]);
  });

  test("leaves the terminal to others when he is told to, in the middle of a PIN too", async () => {
    const { panel, clock, keys, customer } = shop("visa-contact");
    panel.wishFor("pin");
    panel.present("visa-contact");
    panel.wishFor(undefined);
    panel.wishFor("pin");
    await clock.advance(60);
    const begun = keys.length;
    customer.act(false);
    await clock.advance(SOON_MS);
    expect(keys).toHaveLength(begun);
    panel.remove();
    panel.wishFor("card");
    await clock.advance(SOON_MS);
    expect(panel.screen().slot.card).toBeNull();
  });

  test("takes away the card that he holds to the reader when others are to act", async () => {
    const { panel, clock, customer } = shop("visa-contactless");
    panel.wishFor("card");
    await clock.advance(SOON_MS);
    expect(panel.screen().reader.card).toBe("visa-contactless");
    customer.act(false);
    expect(panel.screen().reader.card).toBeNull();
  });

  test("presents the card that was chosen last, also while one is wanted already", async () => {
    const { panel, clock, customer } = shop("visa-contactless");
    panel.wishFor("card");
    await clock.advance(SOON_MS);
    expect(panel.screen().reader.card).toBe("visa-contactless");
    customer.use("visa-contact");
    expect(panel.screen().reader.card).toBeNull();
    await clock.advance(SOON_MS);
    expect([customer.acts(), panel.screen().slot.card]).toEqual([true, "visa-contact"]);
  });

  test("who was given a card while others act stands aside, and pays with it when he begins again", async () => {
    const { panel, clock, customer } = shop("visa-contact");
    customer.act(false);
    panel.wishFor("card");
    customer.use("attacker");
    await clock.advance(SOON_MS);
    expect([customer.acts(), panel.screen().slot.card]).toEqual([false, null]);
    customer.act(true);
    await clock.advance(SOON_MS);
    expect(panel.screen().slot.card).toBe("attacker");
  });

  test("serves what is wanted at the moment when he begins again", async () => {
    const { panel, clock, customer } = shop("visa-contact");
    customer.act(false);
    panel.wishFor("card");
    await clock.advance(SOON_MS);
    customer.act(true);
    await clock.advance(SOON_MS);
    expect(panel.screen().slot.card).toBe("visa-contact");
  });
});
