import { describe, expect, it } from "vitest";
import { type Journal, ReferenceTaken } from "../../../src/engine/ports.ts";
import { createMemoryJournal } from "../../../src/journal/memory-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { freshFolder, open } from "./folder.ts";
import { AT, paymentRow, rowIn } from "./payment-row.ts";

/** What every journal promises (src/engine/ports.ts), on the disk and in memory. */
const journals: readonly (readonly [string, () => Promise<Journal>])[] = [
  ["on disk", () => open(freshFolder())],
  ["in memory", async () => createMemoryJournal({ clock: systemClock, appendDelayMs: 0 })],
];

describe.each(journals)("the journal %s", (_, make) => {
  it("is empty at first", async () => {
    const journal = await make();
    expect(await journal.lastNumber()).toBe(0);
    expect(await journal.openPayments()).toEqual([]);
    expect(await journal.after(0, 10)).toEqual([]);
    expect(await journal.list({ limit: 10 })).toEqual({ rows: [] });
    expect(await journal.facts("pay_1")).toEqual([]);
    expect(await rowIn(journal, paymentRow(1))).toBeUndefined();
    expect(await journal.byReference("till-1", "sale 1")).toBeUndefined();
  });

  it("names each gateway and entity by which a payment went, once", async () => {
    const journal = await make();
    const accepted = (channel: { readonly gateway?: string; readonly entityId: string }) => ({
      fact: "accepted",
      channel,
    });
    await journal.append(
      [accepted({ entityId: "e1" }), { fact: "followed", channel: { entityId: "e9" } }],
      AT,
      paymentRow(1),
    );
    await journal.append([accepted({ gateway: "https://a.example/", entityId: "e1" })], AT, paymentRow(2));
    await journal.append([accepted({ gateway: "https://a.example/", entityId: "e1" })], AT, paymentRow(3));
    await journal.append([accepted({ gateway: "https://b.example/", entityId: "e2" })], AT, paymentRow(4));
    expect(await journal.channels()).toEqual([
      { entityId: "e1" },
      { gateway: "https://a.example/", entityId: "e1" },
      { gateway: "https://b.example/", entityId: "e2" },
    ]);
  });

  it("numbers facts from 1 without gaps over all payments and gives them back as they were", async () => {
    const journal = await make();
    const [one, two] = [paymentRow(1), paymentRow(2)];
    const odd = {
      fact: "accepted",
      text: 'line\nbreak, "quotes", ü, \u0000, \u2028',
      list: [1, 0.5, -0, null, true],
      nested: { __proto__x: {} },
    };
    expect(await journal.append([odd, "text"], AT, one)).toEqual({ last: 2 });
    expect(await journal.append([null], "2027-01-01T00:00:00.000Z", two)).toEqual({ last: 3 });
    expect(await journal.append([[]], AT, one)).toEqual({ last: 4 });
    expect(await journal.facts(one.payment)).toEqual([
      { number: 1, payment: one.payment, at: AT, fact: { ...odd, list: [1, 0.5, 0, null, true] } },
      { number: 2, payment: one.payment, at: AT, fact: "text" },
      { number: 4, payment: one.payment, at: AT, fact: [] },
    ]);
    expect((await journal.after(1, 2)).map(({ number, payment }) => [number, payment])).toEqual([
      [2, one.payment],
      [3, two.payment],
    ]);
    expect(await journal.lastNumber()).toBe(4);
  });

  it("knows the highest number of a request, in whatever order requests were written", async () => {
    const journal = await make();
    expect(await journal.lastSequenceNumber()).toBe(0);
    const request = (merchantTransactionId: string, numbered: object) => ({
      fact: "attempt-intended",
      operation: { merchantTransactionId, ...numbered },
    });
    await journal.append(
      [request("a", { sequenceNumber: 9 }), request("b", { sequenceNumber: 10 })],
      AT,
      paymentRow(1),
    );
    await journal.append(
      [request("c", { sequenceNumber: 8 }), request("d", {}), { fact: "queued", sequenceNumber: 99 }],
      AT,
      paymentRow(2),
    );
    expect(await journal.lastSequenceNumber()).toBe(10);
  });

  it("keeps the order of the calls when many append at once", async () => {
    const journal = await make();
    const all = await Promise.all(
      Array.from({ length: 600 }, (_unused, n) => journal.append([{ n }], AT, paymentRow(n % 7))),
    );
    expect(all.map(({ last }) => last)).toEqual(all.map((_unused, n) => n + 1));
    expect((await journal.after(0, 1000)).map(({ fact }) => fact)).toEqual(all.map((_unused, n) => ({ n })));
  });

  it("shows the row as it was appended last, and the payment among the open ones as long as it is", async () => {
    const journal = await make();
    await journal.append([1], AT, paymentRow(2));
    await journal.append([1], AT, paymentRow(1, { order: "order 7" }));
    expect(await journal.openPayments()).toEqual([paymentRow(1).payment, paymentRow(2).payment]);
    const final = paymentRow(1, { order: "order 7", state: "FINAL", outcome: "APPROVED", open: false, amount: 0 });
    await journal.append([2], AT, final);
    expect(await rowIn(journal, final)).toEqual(final);
    expect(await journal.openPayments()).toEqual([paymentRow(2).payment]);
  });

  it("finds a payment by register and reference, exactly", async () => {
    const journal = await make();
    await journal.append([1], AT, paymentRow(1, { reference: "A" }));
    await journal.append([1], AT, paymentRow(2, { reference: "A", register: "till-2" }));
    await journal.append([1], AT, paymentRow(3, { reference: "a" }));
    expect(await journal.byReference("till-1", "A")).toBe(paymentRow(1).payment);
    expect(await journal.byReference("till-2", "A")).toBe(paymentRow(2).payment);
    expect(await journal.byReference("till-1", "a")).toBe(paymentRow(3).payment);
    expect(await journal.byReference("till-2", "a")).toBeUndefined();
  });

  it("refuses a second payment of the same reference, alone, and without a trace", async () => {
    const journal = await make();
    await journal.append([1], AT, paymentRow(1));
    const [before, conflict, after] = await Promise.allSettled([
      journal.append([2], AT, paymentRow(2)),
      journal.append([3], AT, paymentRow(3, { reference: "sale 1" })),
      journal.append([4], AT, paymentRow(4)),
    ]);
    expect(before).toEqual({ status: "fulfilled", value: { last: 2 } });
    expect(conflict).toMatchObject({ status: "rejected", reason: expect.any(ReferenceTaken) });
    expect(after).toEqual({ status: "fulfilled", value: { last: 3 } });
    expect(await rowIn(journal, paymentRow(3))).toBeUndefined();
    expect(await journal.facts(paymentRow(3).payment)).toEqual([]);
    expect(await journal.byReference("till-1", "sale 1")).toBe(paymentRow(1).payment);
  });

  it("refuses to give a payment another register, reference or time of birth", async () => {
    const journal = await make();
    await journal.append([1], AT, paymentRow(1));
    for (const change of [{ register: "till-2" }, { reference: "other" }, { createdAt: AT }]) {
      await expect(journal.append([2], AT, paymentRow(1, change))).rejects.toThrow(
        "cannot change its register, reference or createdAt",
      );
    }
    expect(await rowIn(journal, paymentRow(1))).toEqual(paymentRow(1));
    expect(await journal.lastNumber()).toBe(1);
  });

  it("refuses an append without facts, and a row that its table does not take", async () => {
    const journal = await make();
    await expect(journal.append([], AT, paymentRow(1))).rejects.toThrow("without a fact");
    const [wrong, right] = await Promise.allSettled([
      journal.append([1], AT, paymentRow(1, { amount: 0.5 })),
      journal.append([1], AT, paymentRow(2)),
    ]);
    expect(wrong).toMatchObject({ status: "rejected", reason: expect.any(RangeError) });
    expect(right).toEqual({ status: "fulfilled", value: { last: 1 } });
  });
});
