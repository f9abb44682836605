import { describe, expect, test } from "vitest";
import type { GatewaySearch } from "../../../src/engine/ports.ts";
import { createMemoryJournal } from "../../../src/journal/memory-journal.ts";
import type { SearchResult } from "../../../src/payment/fact/answer.ts";
import type { SearchKey } from "../../../src/payment/fact/operation.ts";
import type { PaymentChange } from "../../../src/register/ports.ts";
import { obliging, type Script } from "../../support/bench-terminal.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, silence } from "../../support/sale.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const DAY = 86_400_000;

/** A card that refuses after the host approved, and a gateway that answers the second reversal only. */
function reversing() {
  let reversals = 0;
  return openCounter({
    script: (command) =>
      command.do === "complete" ? [{ on: "finished", verdict: "declined", emv: [] }] : obliging(command),
    answer: ({ operation }) => {
      if (operation.paymentType !== "RV") return approval(operation.amount ?? 1234);
      reversals += 1;
      return reversals === 1 ? silence : approval(1234, "rv");
    },
    search: () => ({ is: "no-answer", description: "" }),
  });
}

describe("a wall clock that is set", () => {
  test.each([-1, -1_000, -DAY, -365 * DAY, DAY])(
    "by %i ms in the middle of a reversal does not stop it from being repeated",
    async (jump) => {
      const counter = reversing();
      void counter.payments.start(till, startRequest("R-1"));
      await counter.clock.advance(1_000);
      counter.clock.setWall(counter.clock.now() + jump);
      await counter.clock.advance(60_000);
      const payment = await counter.payments.get(till, { reference: "R-1" });
      expect(payment).toMatchObject({ ok: true, value: { state: "FINAL", outcome: "DECLINED" } });
    },
  );

  test("a year back right after the start does not keep a silent terminal for ever", async () => {
    const counter = openCounter({ script: () => [] });
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(1_000);
    counter.clock.setWall(counter.clock.now() - 365 * DAY);
    await counter.clock.advance(200_000);
    expect(await counter.payments.get(till, { reference: "R-1" })).toMatchObject({
      value: { outcome: "FAILED", reason: { code: "terminal-lost" } },
    });
  });

  test("a day ahead does not turn one empty answer into 'not there'", async () => {
    const counter = openCounter({
      answer: ({ operation }) => (operation.paymentType === "PA" ? silence : approval(1234)),
    });
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(5_000);
    counter.clock.setWall(counter.clock.now() + DAY);
    await counter.clock.advance(120_000);
    expect(await counter.payments.get(till, { reference: "R-1" })).toMatchObject({ value: { state: "RESOLVING" } });
  });
});

test("timers that fire early are armed again, however long the wait", async () => {
  const counter = reversing();
  const early = counter.clock.after;
  // What real timers do: a little before their time.
  Object.assign(counter.clock, { after: (delayMs: number, run: () => void) => early(Math.max(0, delayMs - 0.4), run) });
  void counter.payments.start(till, startRequest("R-1"));
  await counter.clock.advance(60_000);
  expect(await counter.payments.get(till, { reference: "R-1" })).toMatchObject({
    value: { state: "FINAL", outcome: "DECLINED" },
  });
});

describe("changes of several payments", () => {
  test("appended in one commit are told in the order of their cursors", async () => {
    const counter = openCounter({ script: (command) => (command.do === "collect" ? [] : obliging(command)) });
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(10);
    const heard: PaymentChange[] = [];
    const following = counter.payments.follow({ register: "all", all: true }, "0", (change) => heard.push(change));
    await counter.clock.advance(1);
    await following;
    void counter.payments.cancel(till, { reference: "R-1" });
    void counter.payments.start({ register: "other", all: false }, startRequest("R-2", { queue: true }));
    await counter.clock.advance(1_000);
    const cursors = heard.map(({ cursor }) => Number(cursor));
    expect(cursors).toEqual([...cursors].sort((a, b) => a - b));
    expect(heard.filter(({ payment }) => payment.reference === "R-1").at(-1)?.payment.outcome).toBe("CANCELLED");
  });

  test("do not swallow a prompt of a payment whose newest fact is older", async () => {
    const counter = openCounter({ script: (command) => (command.do === "collect" ? [] : obliging(command)) });
    const heard: PaymentChange[] = [];
    const following = counter.payments.follow({ register: "all", all: true }, undefined, (change) =>
      heard.push(change),
    );
    await counter.clock.advance(1);
    await following;
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(20);
    void counter.payments.start(till, startRequest("R-2", { queue: true }));
    await counter.clock.advance(20);
    counter.terminal.say({ on: "prompt", prompt: "ENTER_PIN" }, 1);
    expect(heard.at(-1)?.payment).toMatchObject({ reference: "R-1", prompt: { code: "ENTER_PIN" } });
  });
});

describe("a refund whose card is gone before anything is known of it", () => {
  const read: Script = (command) =>
    obliging(command).map((saying) =>
      saying.on === "card" ? { ...saying, card: { ...saying.card, decision: "declined-offline" } } : saying,
    );

  test.each([
    ["found", "APPROVED"],
    ["not found", "FAILED"],
  ])(
    "and is then %s does not say that its terminal shows anything: that was given back before",
    async (what, outcome) => {
      const found = (of: SearchKey): SearchResult => ({
        is: "found",
        bookings: [{ id: "cd-1", paymentType: "CD", answer: approval(1234, "cd-1"), ...of }],
      });
      const clock = createVirtualClock(Date.UTC(2026, 0, 15));
      const search = ({ of }: GatewaySearch): SearchResult =>
        clock.monotonic() < 60_000 || what === "not found" ? { is: "absent" } : found(of);
      const counter = openCounter(
        { script: read, answer: () => silence, search },
        { clock, journal: createMemoryJournal({ clock, appendDelayMs: 1 }) },
      );
      const prompts: unknown[] = [];
      const following = counter.payments.follow({ register: "all", all: true }, undefined, ({ payment }) =>
        prompts.push(payment.prompt?.code ?? payment.state),
      );
      void counter.payments.start(till, startRequest("R-1", { type: "REFUND" }));
      await counter.clock.advance(DAY / 2);
      await following;
      const now = await counter.payments.get(till, { reference: "R-1" });
      expect([now.ok && now.value.outcome, counter.engine.active().length]).toEqual([
        outcome,
        what === "found" ? 0 : 1,
      ]);
      expect(
        prompts.slice(prompts.lastIndexOf("REMOVE_CARD") + 1).filter((one) => one !== "RESOLVING" && one !== "FINAL"),
      ).toEqual([]);
    },
  );
});

describe("a bridge that stops", () => {
  test("grants no terminal to those who wait, and takes nothing that was on its way", async () => {
    const counter = openCounter({ hostMs: 500 });
    void counter.payments.start(till, startRequest("R-1"));
    void counter.clock.after(10, () => void counter.payments.start(till, startRequest("R-2", { queue: true })));
    await counter.clock.advance(100);
    counter.payments.close();
    const stopping = counter.engine.stop(() => 20_000);
    await counter.clock.advance(5_000);
    await stopping;
    const sold = counter.posted.filter(({ operation }) => operation.paymentType === "PA");
    expect(sold).toHaveLength(1);
    const again = openCounter({}, { clock: counter.clock, journal: counter.journal.crash(0) });
    await again.engine.recover();
    await again.clock.advance(1_000);
    expect(await again.payments.get(till, { reference: "R-2" })).toMatchObject({
      value: { state: "FINAL", outcome: "CANCELLED" },
    });
  });

  test("waits no longer for a terminal once that is known to be in vain", async () => {
    const counter = openCounter({ script: () => [] });
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(100);
    let graceMs = 20_000;
    let stopped = false;
    const stopping = counter.engine.stop(() => graceMs).then(() => (stopped = true));
    await counter.clock.advance(5_000);
    expect(stopped).toBe(false);
    graceMs = 0;
    await counter.clock.advance(100);
    await stopping;
  });

  test("does not say that a cancel was accepted which nothing wrote down", async () => {
    const counter = openCounter({ script: () => [] });
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(100);
    const stopping = counter.engine.stop(() => 0);
    await counter.clock.advance(100);
    await stopping;
    const asked = counter.payments.cancel(till, { reference: "R-1" });
    await counter.clock.advance(100);
    expect(await asked).toMatchObject({ ok: false, refusal: { code: "shutting-down" } });
  });
});

describe("a card that its owner left in the terminal", () => {
  const forgetful = (command: Parameters<typeof obliging>[0]) =>
    obliging(command).filter((saying) => saying.on !== "slot" || saying.card);

  test("is not used by the next payment: it is asked out first", async () => {
    const counter = openCounter({ script: forgetful });
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(40_000);
    void counter.payments.start(till, startRequest("R-2"));
    await counter.clock.advance(1_000);
    expect(counter.terminal.commands.filter((command) => command.do === "collect")).toHaveLength(1);
    expect(await counter.payments.get(till, { reference: "R-2" })).toMatchObject({
      value: { state: "CREATED", prompt: { code: "REMOVE_CARD" } },
    });
    counter.terminal.say({ on: "slot", card: false });
    await counter.clock.advance(100);
    expect(counter.terminal.commands.filter((command) => command.do === "collect")).toHaveLength(2);
  });

  test("is remembered when the line blips, and asked out when the terminal is back", async () => {
    const counter = openCounter({ script: forgetful });
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(40_000);
    counter.terminal.become("offline");
    counter.terminal.become("ready");
    counter.terminal.say({ on: "slot", card: true });
    void counter.payments.start(till, startRequest("R-2"));
    await counter.clock.advance(1_000);
    expect(counter.terminal.commands.filter((command) => command.do === "collect")).toHaveLength(1);
    counter.terminal.become("offline");
    counter.terminal.become("ready");
    await counter.clock.advance(1_000);
    expect(counter.terminal.commands.filter((command) => command.do === "collect")).toHaveLength(1);
  });

  test("ends the next payment where nobody takes it out", async () => {
    const counter = openCounter({ script: forgetful });
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(40_000);
    void counter.payments.start(till, startRequest("R-2"));
    await counter.clock.advance(61_000);
    expect(await counter.payments.get(till, { reference: "R-2" })).toMatchObject({
      value: { outcome: "FAILED", reason: { code: "card-left-in" } },
    });
    expect(counter.posted.filter(({ operation }) => operation.paymentType === "PA")).toHaveLength(1);
    expect(counter.engine.leases.holder("till-1")).toBeUndefined();
  });
});
