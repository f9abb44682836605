import { describe, expect, it } from "vitest";
import { timedGateway, timedJournal } from "../../../src/agent/telling.ts";
import { type Gateway, type GatewayOrder, type Journal, JournalUnwritable } from "../../../src/engine/ports.ts";
import { createMemoryJournal } from "../../../src/journal/memory-journal.ts";
import type { Took } from "../../../src/observe/metrics-steps.ts";
import { approval, sale } from "../../support/sale.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const { channel, device } = sale;
const operation = {
  merchantTransactionId: "mtid-1",
  paymentType: "PA",
  amount: 1234,
  currency: "EUR",
  entityId: channel.entityId,
} as const;
const order: GatewayOrder = { operation, channel, device, parameters: {} };
const row = {
  ...{
    payment: "pay_1",
    register: "till",
    reference: "R-1",
    terminal: "till-1",
    order: null,
    type: "SALE",
    currency: "EUR",
    amount: 1234,
  },
  ...{ state: "CREATED", outcome: null, open: true, createdAt: "2026-01-15T00:00:00.000Z" },
};

function openFigures() {
  const clock = createVirtualClock(0);
  const took: Took[] = [];
  const answers: string[] = [];
  const metrics = {
    took: (one: Took) => void took.push(one),
    gatewayAnswered: (...words: readonly string[]) => void answers.push(words.join(" ")),
  };
  const later = async <T>(ms: number, value: T): Promise<T> => {
    await new Promise<void>((resolve) => void clock.after(ms, resolve));
    return value;
  };
  return { clock, took, answers, metrics, later };
}

describe("how long something takes is measured by what really went by", () => {
  it("of each request to the gateway, by what it is for", async () => {
    const { clock, took, answers, metrics, later } = openFigures();
    const plain: Gateway = {
      reaches: () => true,
      warm: () => undefined,
      post: () => later(300, approval()),
      search: () => later(40, { is: "absent" }),
      look: () => later(20, { is: "expired" }),
    };
    const gateway = timedGateway(plain, metrics, clock);
    const asked = [
      gateway.post(order, 1_000),
      gateway.search({ channel, of: { id: "b1" } }, 1_000),
      gateway.look({ channel, link: "l1" }, 1_000),
    ];
    clock.setWall(-3_600_000);
    await clock.advance(1_000);
    await Promise.all(asked);
    expect(took.toSorted((a, b) => a.ms - b.ms)).toEqual([
      { of: "gateway", operation: "link", ms: 20 },
      { of: "gateway", operation: "query", ms: 40 },
      { of: "gateway", operation: "PA", ms: 300 },
    ]);
    expect(answers).toEqual(["PA approved"]);
  });

  it("of each append to the journal, also of one that it refuses", async () => {
    const { clock, took, metrics, later } = openFigures();
    const journal = timedJournal(createMemoryJournal({ clock, appendDelayMs: 7 }), metrics, clock);
    const appended = journal.append([{ ...sale }], "2026-01-15T00:00:00.000Z", row);
    await clock.advance(10);
    expect(await appended).toEqual({ last: 1 });
    const refusing: Journal = {
      ...journal,
      append: () => later(3, undefined).then(() => Promise.reject(new JournalUnwritable("full"))),
    };
    const refused = expect(timedJournal(refusing, metrics, clock).append([], "", row)).rejects.toThrow("full");
    await clock.advance(10);
    await refused;
    expect(took).toEqual([
      { of: "journal", ms: 7 },
      { of: "journal", ms: 3 },
    ]);
  });
});
