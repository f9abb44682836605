import { describe, expect, test } from "vitest";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import { obliging, type Saying, type Script } from "../../support/bench-terminal.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";

/*
 * Whose card is in the slot: one that was seen to come is the next customer's, any other may be the last one's.
 */

const asks: Saying = { on: "prompt", prompt: "INSERT_CHIP" };
const reads: Saying = { on: "prompt", prompt: "PROCESSING" };
const isIn: Saying = { on: "slot", card: true };
const isEmpty: Saying = { on: "slot", card: false };

/** The card of the bench terminal, without a word of the slot. */
function cardOf(command: Parameters<Script>[0]): readonly Saying[] {
  return obliging(command).filter(({ on }) => on === "card");
}

/** Every collect says this, and the test the rest; of its slot it says nothing by itself. */
function collecting(said: (command: Parameters<Script>[0], at: number) => readonly Saying[]): Script {
  let collects = 0;
  return (command) => {
    if (command.do !== "collect") return obliging(command).filter(({ on }) => on !== "slot");
    collects += 1;
    return said(command, collects);
  };
}

/** A terminal that has just been connected and has told nothing of its slot. */
function doubted(script: Script): Counter {
  const counter = openCounter({ script });
  counter.terminal.become("offline");
  counter.terminal.become("ready");
  return counter;
}

async function sale(counter: Counter, reference = "R-1", waitMs = 1_000): Promise<PaymentView> {
  void counter.payments.start(till, startRequest(reference));
  await counter.clock.advance(waitMs);
  return shown(counter, reference);
}

async function shown(counter: Counter, reference = "R-1"): Promise<PaymentView> {
  const found = await counter.payments.get(till, { reference });
  if (!found.ok) throw new Error(found.refusal.message);
  return found.value;
}

const doings = ({ terminal }: Counter): readonly string[] => terminal.commands.map((command) => command.do);
const requests = ({ posted }: Counter): number =>
  posted.filter(({ operation }) => operation.paymentType === "PA").length;

const approved = { state: "FINAL", outcome: "APPROVED" };
const askedOut = { prompt: { code: "REMOVE_CARD" } };

describe("a card that is in the slot of an idle terminal", () => {
  test("pays for the next sale where the slot was empty before it", async () => {
    const counter = openCounter();
    counter.terminal.say(isIn);
    expect(await sale(counter)).toMatchObject(approved);
    expect(doings(counter)).toEqual(["collect", "complete", "display", "idle"]);
  });

  test("is asked out where it is the first thing that is told since the terminal was connected", async () => {
    const counter = doubted(obliging);
    counter.terminal.say(isIn);
    expect(await sale(counter)).toMatchObject({ state: "CREATED", ...askedOut });
    expect(doings(counter)).toEqual([]);
    counter.terminal.say(isEmpty);
    await counter.clock.advance(1_000);
    expect(await shown(counter)).toMatchObject(approved);
  });

  test("is asked out where it is told of a moment after the terminal was connected, and no card was asked for before that", async () => {
    const counter = doubted(obliging);
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(200);
    counter.terminal.say(isIn);
    await counter.clock.advance(1_000);
    expect([doings(counter), await shown(counter)]).toMatchObject([[], { state: "CREATED", ...askedOut }]);
    counter.terminal.say(isEmpty);
    await counter.clock.advance(1_000);
    expect(await shown(counter)).toMatchObject(approved);
  });

  test("is asked out where it is told of only after the sale has got the terminal", async () => {
    const counter = doubted(collecting((command) => cardOf(command)));
    const said: string[] = [];
    await counter.payments.follow({ register: "all", all: true }, undefined, ({ payment }) => {
      said.push(payment.state);
      if (payment.state === "AWAITING_CARD" && said.filter((state) => state === payment.state).length === 1)
        counter.terminal.say(isIn);
    });
    expect(await sale(counter)).toMatchObject({ state: "AWAITING_CARD", ...askedOut });
    expect([doings(counter).includes("complete"), requests(counter)]).toEqual([false, 0]);
  });
});

describe("a terminal that has told nothing of its slot since it was connected", () => {
  test.each<[string, readonly Saying[]]>([
    ["without a word of where it comes from", []],
    ["that is told of right away", [asks, isIn, reads]],
    ["that is told of before one is asked for", [isIn, asks]],
  ])("reads a card %s: it is asked out, and the next one is taken", async (_what, before) => {
    const counter = doubted(
      collecting((command, at) => (at === 1 ? [...before, ...cardOf(command)] : [asks, isIn, ...cardOf(command)])),
    );
    expect(await sale(counter)).toMatchObject({ state: "AWAITING_CARD", ...askedOut });
    expect([doings(counter), requests(counter)]).toEqual([["collect", "cancel"], 0]);
    counter.terminal.say(isEmpty);
    await counter.clock.advance(1_000);
    expect(await shown(counter)).toMatchObject(approved);
    expect([doings(counter).slice(2, 4), requests(counter)]).toEqual([["collect", "complete"], 1]);
  });

  test("takes a card that was put in once it had asked for one", async () => {
    const counter = doubted(collecting(() => [asks]));
    await sale(counter);
    counter.terminal.say(isIn);
    for (const saying of cardOf(commandOf(counter))) counter.terminal.say(saying, 1);
    await counter.clock.advance(1_000);
    expect(await shown(counter)).toMatchObject(approved);
    expect(doings(counter)).not.toContain("cancel");
  });

  test("takes a tap at once: what is in the slot does not matter to it", async () => {
    const tapped = (saying: Saying): Saying =>
      saying.on === "card" ? { ...saying, card: { ...saying.card, interface: "contactless-chip" } } : saying;
    const counter = doubted(collecting((command) => [asks, ...cardOf(command).map(tapped)]));
    expect(await sale(counter)).toMatchObject(approved);
  });

  test("waits for a card like any other, and its next sale does too: an empty slot closes nothing", async () => {
    const counter = doubted(collecting(() => [asks, { on: "no-card", why: "timeout" }]));
    expect(await sale(counter, "R-1")).toMatchObject({ outcome: "CANCELLED", reason: { code: "card-timeout" } });
    expect(await sale(counter, "R-2")).toMatchObject({ outcome: "CANCELLED", reason: { code: "card-timeout" } });
  });

  test("asks for a card also where one was in when its link was lost: it may be gone, and that is never told", async () => {
    const counter = openCounter({ script: collecting(() => [asks, { on: "no-card", why: "timeout" }]) });
    counter.terminal.say(isIn);
    counter.terminal.become("offline");
    counter.terminal.become("ready");
    expect(await sale(counter)).toMatchObject({ outcome: "CANCELLED", reason: { code: "card-timeout" } });
    expect(doings(counter)[0]).toBe("collect");
  });

  test("looks again where no word comes that the card is gone, and ends the sale where it stays", async () => {
    const counter = doubted(collecting((command) => [asks, ...cardOf(command)]));
    expect(await sale(counter, "R-1", 12_000)).toMatchObject({ state: "AWAITING_CARD", ...askedOut });
    expect(doings(counter)).toEqual(["collect", "cancel", "collect", "cancel", "collect", "cancel"]);
    await counter.clock.advance(60_000);
    expect(await shown(counter, "R-1")).toMatchObject({ outcome: "FAILED", reason: { code: "card-left-in" } });
    expect(await sale(counter, "R-2")).toMatchObject({ state: "AWAITING_CARD", ...askedOut });
    expect(requests(counter)).toBe(0);
  });

  test("takes a card without a word of the slot where nothing was read for long: it was not in before", async () => {
    const counter = doubted(collecting(() => [asks]));
    await sale(counter, "R-1", 6_000);
    for (const saying of [reads, ...cardOf(commandOf(counter))]) counter.terminal.say(saying, 1);
    await counter.clock.advance(1_000);
    expect(await shown(counter)).toMatchObject(approved);
  });

  test("asks for nothing more once the sale was cancelled while a card was asked out", async () => {
    const counter = doubted(collecting((command) => cardOf(command)));
    await sale(counter);
    void counter.payments.cancel(till, { reference: "R-1" });
    await counter.clock.advance(5);
    counter.terminal.say(isEmpty);
    await counter.clock.advance(60_000);
    expect(await shown(counter)).toMatchObject({ outcome: "CANCELLED", reason: { code: "register-cancelled" } });
    expect(doings(counter).filter((doing) => doing === "collect")).toHaveLength(1);
  });

  test("is believed to tell again after it was away: what it had told is not true any more", async () => {
    const counter = doubted(collecting((command) => cardOf(command)));
    counter.terminal.say(isEmpty);
    counter.terminal.become("offline");
    counter.terminal.become("ready");
    expect(await sale(counter)).toMatchObject({ state: "AWAITING_CARD", ...askedOut });
  });
});

test("a terminal that never tells of its slot takes every card: nobody could say when one is gone", async () => {
  const counter = doubted(collecting((command) => [asks, ...cardOf(command)]));
  counter.terminal.say({ on: "slot-untold" });
  expect(await sale(counter)).toMatchObject(approved);
});

function commandOf({ terminal }: Counter): Parameters<Script>[0] {
  const [first] = terminal.commands;
  if (first === undefined) throw new Error("nothing was sent");
  return first;
}
