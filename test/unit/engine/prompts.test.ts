import { describe, expect, test } from "vitest";
import type { StartRequest } from "../../../src/payment/fact/request.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import { obliging, type Script } from "../../support/bench-terminal.ts";
import { type Counter, type CounterOptions, openCounter, startRequest, till } from "../../support/counter.ts";
import { refusal, silence } from "../../support/sale.ts";

/*
 * The cashier sees the open ways to pay, and then the outcome. The outcome stays until the terminal is free, with the
 * card that must come out.
 */

/** Nobody takes the card out. */
const cardStays: Script = (command) => (command.do === "display" ? [{ on: "done" }] : obliging(command));

const chipDeclines: Script = (command) =>
  command.do === "complete" ? [{ on: "finished", verdict: "declined", emv: [] }] : cardStays(command);
/** The card as it is read, but with something of it otherwise. */
const card =
  (changes: object): Script =>
  (command) =>
    cardStays(command).map((saying) =>
      saying.on === "card" ? { ...saying, card: { ...saying.card, ...changes } } : saying,
    );
const declinesOffline = card({ decision: "declined-offline" });
const tap: Script = (command) => card({ interface: "contactless-chip" })(command).filter(({ on }) => on !== "slot");
const promptsFirst: Script = (command) =>
  command.do === "collect" ? [{ on: "prompt", prompt: "INSERT_OR_TAP" }, ...tap(command)] : tap(command);

type Seen = Pick<PaymentView, "state" | "prompt">;

/** Everything that a register is told of the payment, in order. */
function watched(counter: Counter): Seen[] {
  const seen: Seen[] = [];
  counter.engine.feed.live(({ payment: { state, prompt } }) =>
    seen.push({ state, ...(prompt !== undefined && { prompt }) }),
  );
  return seen;
}

async function sold(
  options: CounterOptions,
  changes: Partial<StartRequest> = {},
): Promise<{ counter: Counter; seen: Seen[] }> {
  const counter = openCounter({ script: cardStays, ...options });
  const seen = watched(counter);
  void counter.payments.start(till, startRequest("R-1", changes));
  await counter.clock.advance(5_000);
  return { counter, seen };
}

const promptNow = async (counter: Counter): Promise<PaymentView["prompt"]> => {
  const now = await counter.payments.get(till, { reference: "R-1" });
  return now.ok ? now.value.prompt : undefined;
};

describe("the end of a chip payment", () => {
  test.each([
    ["is approved", {}, "APPROVED", "Approved"],
    ["is declined", { answer: () => refusal() }, "NOT_APPROVED", "Not approved"],
  ] satisfies [string, CounterOptions, string, string][])(
    "that %s stays before the cashier while the card is in, and says that it has to come out",
    async (_what, options, code, text) => {
      const { counter, seen } = await sold(options);
      expect(await promptNow(counter)).toEqual({ code, text: `${text}. Take the card out`, removeCard: true });
      await counter.clock.advance(10_000);
      expect((await promptNow(counter))?.code).toBe(code);
      counter.terminal.say({ on: "slot", card: false });
      await counter.clock.advance(1);
      expect(await promptNow(counter)).toEqual({ code, text });
      await counter.clock.advance(1_000);
      expect(await promptNow(counter)).toBeUndefined();
      expect(seen.map(({ prompt }) => prompt?.code)).not.toContain("REMOVE_CARD");
      const codes = seen.map(({ prompt }) => prompt?.code);
      expect(new Set(codes.slice(codes.indexOf(code), codes.lastIndexOf(code) + 1))).toEqual(new Set([code]));
      expect(codes.at(-1)).toBeUndefined();
    },
  );

  test.each([
    ["an approval", {}, "FINAL", "APPROVED"],
    ["a decline", { answer: () => refusal() }, "FINAL", "NOT_APPROVED"],
    ["a decline by the card, which is taken back", { script: chipDeclines }, "REVERSING", "NOT_APPROVED"],
    ["a decline by the card alone", { script: declinesOffline }, "FINAL", "NOT_APPROVED"],
  ] satisfies [string, CounterOptions, string, string][])(
    "says in its first change that the card has to come out: %s",
    async (_what, options, state, code) => {
      const { seen } = await sold(options);
      expect(seen.find((change) => change.state === state)?.prompt).toMatchObject({ code, removeCard: true });
      expect(
        seen.filter(
          (change) => change.state === state && change.prompt !== undefined && change.prompt.removeCard !== true,
        ),
      ).toEqual([]);
    },
  );

  test("names no card to be taken out where none is in", async () => {
    const { seen } = await sold({ script: tap });
    expect(seen.find(({ state }) => state === "FINAL")?.prompt).toEqual({ code: "APPROVED", text: "Approved" });
    expect(seen.filter(({ prompt }) => prompt?.removeCard)).toEqual([]);
  });

  test("says that the card has to come out for as long as it is in, and no longer than the terminal waits for that", async () => {
    const { counter } = await sold({});
    await counter.clock.advance(120_000);
    expect(counter.engine.leases.holder("till-1")).toBeUndefined();
    expect(await promptNow(counter)).toBeUndefined();
  });

  test("that is not known yet asks for the card to be taken out, and says nothing of how it ended", async () => {
    const { counter } = await sold({ script: declinesOffline, answer: () => silence }, { type: "REFUND" });
    expect(await promptNow(counter)).toEqual({ code: "REMOVE_CARD", text: "Take the card out" });
  });
});

test("The bank is asked with the prompt that fits: nobody is told to tap a card that was just tapped", async () => {
  const { seen } = await sold({ script: promptsFirst, can: { interfaces: ["chip", "contactless"] } });
  const asking = seen.filter(({ state }) => state === "AUTHORIZING");
  expect(asking.map(({ prompt }) => prompt?.code)).toEqual(["PROCESSING"]);
  expect(seen.map(({ prompt }) => prompt?.code)).toContain("INSERT_OR_TAP");
});

test.each([
  [["chip"], "INSERT_CHIP", undefined, "Insert the card"],
  [["chip", "stripe"], "INSERT_CHIP", true, "Insert or swipe the card"],
  [["chip", "contactless"], "INSERT_OR_TAP", undefined, "Insert or tap the card"],
  [["chip", "contactless", "stripe"], "INSERT_OR_TAP", true, "Insert, tap or swipe the card"],
  [["contactless"], "TAP", undefined, "Tap the card"],
  [["contactless", "stripe"], "TAP", true, "Tap or swipe the card"],
  [["stripe"], "SWIPE", undefined, "Swipe the card"],
  [["keyed"], "ENTER_CARD_NUMBER", undefined, "The card number is typed on the terminal"],
] as const)(
  "a terminal that takes %j prompts by %s, swiped too: %j, which reads: %s",
  async (interfaces, prompt, swipe, text) => {
    const asks: Script = (command) =>
      command.do === "collect" ? [{ on: "prompt", prompt, ...(swipe && { swipe }) }] : obliging(command);
    const counter = openCounter({ script: asks, can: { interfaces } });
    const request = interfaces[0] === "keyed" ? { entryModes: ["manual" as const] } : {};
    void counter.payments.start(till, startRequest("R-1", request));
    await counter.clock.advance(100);
    expect(await promptNow(counter)).toEqual({ code: prompt, text });
  },
);
