import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Json } from "../../../src/engine/ports.ts";
import { proveFolder } from "../../../src/journal/prove-folder.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { JournalRefused } from "../../../src/journal/refusal.ts";
import { type OpenJournal, openJournal } from "../../../src/journal/sqlite-journal.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { runsOf } from "../../support/dose.ts";
import { afterPowerCut, freshFolder, open } from "./folder.ts";
import { DATABASE } from "./image.ts";
import { AT, paymentRow } from "./payment-row.ts";

/*
 * A start proves what follows the checkpoint and every open payment; all else is proved when it is read, and behind.
 * These tests change closed payments before the checkpoint, where a start does not look.
 */

const CLOSED = { open: false, state: "FINAL", outcome: "APPROVED" } as const;
const factsNumbered = (n: number): readonly Json[] => [
  { fact: "attempt-intended", operation: { merchantTransactionId: `name-${n}`, sequenceNumber: n } },
  { fact: "attempt-answered", answer: { id: `booking-${n}` } },
];

async function sell(journal: Pick<OpenJournal, "append">, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, at) => from + at);
  // Calls of one moment share commits.
  await Promise.all(
    numbers.flatMap((n) => [
      journal.append([{ fact: "accepted" }], AT, paymentRow(n)),
      journal.append(factsNumbered(n), AT, paymentRow(n, CLOSED)),
    ]),
  );
}

/** Forty closed payments and two open ones, stopped in an orderly way: nothing follows the checkpoint. */
async function stopped(): Promise<string> {
  const folder = freshFolder();
  const journal = await open(folder);
  await sell(journal, 1, 41);
  for (const n of [41, 42]) {
    await journal.append([{ fact: "accepted" }], AT, paymentRow(n));
    await journal.append(factsNumbered(n), AT, paymentRow(n, { state: "AUTHORIZING" }));
  }
  await journal.close();
  return folder;
}

function change(folder: string, sql: string): void {
  const database = new DatabaseSync(path.join(folder, DATABASE), { enableForeignKeyConstraints: false });
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  database.exec(sql);
  for (const trigger of triggers) database.exec(String(trigger["sql"]));
  database.close();
}

/** Builds the index without the rows of which the condition does not hold, as if damage had taken them out of it. */
function reindex(folder: string, index: string, condition: string): void {
  const database = new DatabaseSync(path.join(folder, DATABASE));
  const allow: unknown = Reflect.get(database, "enableDefensive");
  if (typeof allow === "function") Reflect.apply(allow, database, [false]);
  const sql = String(database.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").get(index)?.["sql"]);
  const name = (text: string): void => {
    database.exec("PRAGMA writable_schema = ON");
    database.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = ?").run(text, index);
    database.exec("PRAGMA writable_schema = RESET");
  };
  name(sql.includes(" WHERE ") ? `${sql} AND ${condition}` : `${sql} WHERE ${condition}`);
  database.exec(`REINDEX ${index}`);
  name(sql);
  database.close();
}

const hide = (folder: string, index: string, payment: string): void =>
  reindex(folder, index, `payment <> '${payment}'`);

function checkpointIn(folder: string): { readonly number: number; readonly open: number } | undefined {
  const database = new DatabaseSync(path.join(folder, DATABASE), { readOnly: true });
  const found = database.prepare("SELECT number, json_array_length(open) AS open FROM checkpoint").get();
  database.close();
  return found && { number: Number(found["number"]), open: Number(found["open"]) };
}

async function openTelling(folder: string): Promise<{ journal: OpenJournal; damages: JournalRefused[] }> {
  const damages: JournalRefused[] = [];
  const journal = await openJournal({
    ...{ dataDir: folder, environment: "test" as const, clock: systemClock, random: systemRandom },
    damaged: (damage) => void damages.push(damage),
  });
  onTestFinished(() => journal.close());
  return { journal, damages };
}

describe("the checkpoint", () => {
  it("is at the last fact after an orderly stop, and names the open payments", async () => {
    expect(checkpointIn(await stopped())).toEqual({ number: 126, open: 2 });
  });

  it("moves on every 2,000 facts, so that a start after a crash has few facts to prove", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    await sell(journal, 1, 1100);
    const { number = 0 } = checkpointIn(folder) ?? {};
    expect(3297 - number).toBeLessThan(2000);
    expect(number).toBeGreaterThan(1999);
    const next = await open(afterPowerCut(folder));
    expect([await next.lastNumber(), await next.lastSequenceNumber()]).toEqual([3297, 1099]);
  });

  it("keeps the highest sequence number of the requests before it", async () => {
    const folder = await stopped();
    expect(await (await open(folder)).lastSequenceNumber()).toBe(42);
  });

  it.each([
    ["is gone", "DELETE FROM checkpoint"],
    ["has a wrong bit", "UPDATE checkpoint SET sequence_number = 43"],
    ["is of another folder", "UPDATE checkpoint SET seal = hex(randomblob(32))"],
    ["names another fact than the journal has", "UPDATE checkpoint SET hash = hex(randomblob(32))"],
  ])("is made anew where it %s, after everything was proved", async (_, sql) => {
    const folder = await stopped();
    change(folder, sql);
    const journal = await open(folder);
    expect([checkpointIn(folder), await journal.lastSequenceNumber()]).toEqual([{ number: 126, open: 2 }, 42]);
  });

  it("is not believed where the witness knows of fewer facts", async () => {
    const folder = await stopped();
    const older = fs.readFileSync(path.join(folder, "journal.witness"));
    const journal = await open(folder);
    await sell(journal, 43, 44);
    await journal.close();
    fs.writeFileSync(path.join(folder, "journal.witness"), older);
    change(folder, "UPDATE facts SET fact = '{}' WHERE number = 3");
    await expect(open(folder)).rejects.toThrow("fact 3 was changed");
  });
});

describe("what a start proves of open payments and of what follows the checkpoint", () => {
  it.each([
    ["UPDATE payments SET open = 0 WHERE reference = 'sale 41'", "view-damaged"],
    ["UPDATE payments SET state = 'FINAL' WHERE reference = 'sale 41'", "view-damaged"],
    ["UPDATE payments SET facts = 2 WHERE reference = 'sale 41'", "view-damaged"],
    ["UPDATE facts SET fact = '{}' WHERE number = 122", "chain-broken"],
    ["DELETE FROM facts WHERE number = 122", "chain-broken"],
    ["DELETE FROM payments WHERE reference = 'sale 41'", "view-damaged"],
  ])("%s is refused", async (sql, problem) => {
    const folder = await stopped();
    change(folder, sql);
    await expect(open(folder)).rejects.toMatchObject({ problem });
    expect(() => openReadOnly(folder)).toThrow(JournalRefused);
  });

  it.each(["payments_open", "payments_reference", "payments_any_register", "payments_newest", "payments_of_register"])(
    "an open payment that the index %s does not find is refused",
    async (index) => {
      const folder = await stopped();
      hide(folder, index, paymentRow(41).payment);
      await expect(open(folder)).rejects.toMatchObject({ problem: "database-damaged" });
    },
  );

  it("a row whose earlier form came back is refused, although its seal holds", async () => {
    const folder = await stopped();
    const image = fs.readFileSync(path.join(folder, DATABASE));
    const old = new DatabaseSync(path.join(folder, DATABASE), { readOnly: true });
    const row = old.prepare("SELECT seal, facts, state, last FROM payments WHERE reference = 'sale 42'").get();
    old.close();
    const journal = await open(folder);
    await journal.append([{ fact: "released" }], AT, paymentRow(42, { state: "RESOLVING" }));
    const copy = afterPowerCut(folder);
    expect(image.length).toBeGreaterThan(0);
    change(
      copy,
      `UPDATE payments SET seal = '${String(row?.["seal"])}', facts = ${String(row?.["facts"])},
        state = '${String(row?.["state"])}', last = ${String(row?.["last"])} WHERE reference = 'sale 42'`,
    );
    await expect(open(copy)).rejects.toMatchObject({ problem: "view-damaged" });
  });
});

describe("damage of closed payments before the checkpoint", () => {
  const first = paymentRow(1);
  const damages: readonly (readonly [string, (folder: string) => void])[] = [
    ["a fact was changed", (folder) => change(folder, "UPDATE facts SET fact = '{}' WHERE number = 2")],
    ["a fact is missing", (folder) => change(folder, "DELETE FROM facts WHERE number = 2")],
    ["the last fact is missing", (folder) => change(folder, "DELETE FROM facts WHERE number = 3")],
    ["the row was changed", (folder) => change(folder, "UPDATE payments SET amount = 1 WHERE reference = 'sale 1'")],
    ["the index of facts does not find one", (folder) => reindex(folder, "facts_payment", "number <> 2")],
  ];

  it.each(damages)(
    "is noticed by whoever reads the payment, and ends trust in the checkpoint: %s",
    async (_, damage) => {
      const folder = await stopped();
      damage(folder);
      const { journal, damages: told } = await openTelling(folder);
      await expect(journal.facts(first.payment)).rejects.toThrow(JournalRefused);
      expect(told).toMatchObject([{ message: expect.stringContaining("restore the last backup") }]);
      // Others are not kept from going on until the process has ended.
      expect(await journal.facts(paymentRow(7).payment)).toHaveLength(3);
      await journal.append([{ fact: "released" }], AT, paymentRow(41));
      const copy = afterPowerCut(folder);
      await expect(open(copy)).rejects.toThrow(JournalRefused);
      expect(() => openReadOnly(copy)).toThrow(JournalRefused);
      await journal.close();
      await expect(open(folder)).rejects.toThrow(JournalRefused);
    },
  );

  it.each(damages)("is noticed by the proof of the whole journal, behind and as a command: %s", async (_, damage) => {
    const folder = await stopped();
    damage(folder);
    const { journal, damages: told } = await openTelling(folder);
    await expect(journal.prove(async () => true)).rejects.toThrow(JournalRefused);
    expect(told).toHaveLength(1);
    expect(() => proveFolder(folder)).toThrow(JournalRefused);
  });

  it.each(["payments_reference", "payments_any_register"])(
    "a reference that %s does not find is not sold again",
    async (index) => {
      const folder = await stopped();
      hide(folder, index, first.payment);
      const { journal, damages: told } = await openTelling(folder);
      await expect(journal.byReference(first.register, first.reference)).rejects.toMatchObject({
        problem: "view-damaged",
        message: expect.stringContaining("the indices of references do not agree"),
      });
      expect(told).toHaveLength(1);
      const again = journal.append([{ fact: "accepted" }], AT, { ...paymentRow(500), reference: first.reference });
      await expect(again).rejects.toMatchObject({ name: "ReferenceTaken" });
    },
  );

  it.each(["payments_newest", "payments_of_register", "facts_operation", "facts_gateway_id"])(
    "a payment or fact that %s does not find is noticed by the proof of the whole journal",
    async (index) => {
      const folder = await stopped();
      hide(folder, index, first.payment);
      const { journal } = await openTelling(folder);
      await expect(journal.prove(async () => true)).rejects.toThrow(`the index ${index} does not find`);
    },
  );
});

describe("the proof of the whole journal", () => {
  it("goes in steps, lets others come first, and is remembered", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    await sell(journal, 1, 700);
    const before = journal.provedAt();
    let steps = 0;
    const pause = async (): Promise<boolean> => {
      steps += 1;
      await journal.append([{ fact: "queued" }], AT, paymentRow(1000 + steps));
      return true;
    };
    expect(await journal.prove(pause)).toBe(true);
    expect(steps).toBeGreaterThan(8);
    expect(journal.provedAt() >= before).toBe(true);
    await journal.close();
    const again = await open(folder);
    expect(again.provedAt()).toBe(journal.provedAt());
  });

  it("stops when it is told to", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    await sell(journal, 1, 300);
    expect(await journal.prove(async () => false)).toBe(false);
  });

  it("tells what it has proved", async () => {
    const folder = await stopped();
    expect(proveFolder(folder)).toMatchObject({ facts: 126, open: 2, segments: 0, archiveBytes: 0 });
  });
});

/*
 * The law, for any flipped bit of a journal with a checkpoint: a start that takes it has every open payment whole, and
 * no used reference is taken for a new one. What else is wrong is refused when it is read, or by the next proof.
 */
it("a bit flipped anywhere never opens a payment anew, hides an open one or changes one in silence", async () => {
  const kept = await stopped();
  const sound = fs.readFileSync(path.join(kept, DATABASE));
  const whole = openReadOnly(kept);
  const facts = new Map<string, unknown>();
  for (let n = 1; n <= 42; n += 1) facts.set(paymentRow(n).payment, await whole.facts(paymentRow(n).payment));
  whole.close();
  const random = seededRandom(20_261_129);
  const verdicts = { refused: 0, noticed: 0, whole: 0 };
  for (let run = 0; run < runsOf(25, 300); run += 1) {
    const folder = afterPowerCut(kept);
    const bytes = Buffer.from(sound);
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    fs.writeFileSync(path.join(folder, DATABASE), bytes);
    verdicts[await verdictOf(folder, facts)] += 1;
    fs.rmSync(folder, { recursive: true });
    fs.mkdirSync(folder);
  }
  expect(verdicts.refused + verdicts.noticed).toBeGreaterThan(0);
});

it("a command that reads a damaged fact says so, whatever the damage makes of its columns", async () => {
  const kept = await stopped();
  const { payment } = paymentRow(1);
  const sound = fs.readFileSync(path.join(kept, DATABASE));
  // In a row of `facts` the time follows the payment; the types of all columns precede both. A page that was split
  // keeps old rows before the sound ones.
  const columns = sound.lastIndexOf(`${payment}${AT}`);
  const seen = new Set<string>();
  for (let bit = 0; bit < 8 * 8; bit += 1) {
    const folder = afterPowerCut(kept);
    const at = columns - 1 - (bit >> 3);
    fs.writeFileSync(path.join(folder, DATABASE), sound.with(at, (sound[at] ?? 0) ^ (1 << (bit & 7))));
    const journal = openReadOnly(folder);
    const told = await journal.facts(payment).catch((cause: unknown) => cause);
    journal.close();
    if (told instanceof JournalRefused) seen.add(told.problem);
    else expect(told).toHaveLength(3);
  }
  expect([...seen]).toEqual(["database-damaged"]);
});

async function verdictOf(
  folder: string,
  facts: ReadonlyMap<string, unknown>,
): Promise<"refused" | "noticed" | "whole"> {
  const opened = await openTelling(folder).catch((cause: unknown) => {
    if (cause instanceof JournalRefused) return undefined;
    throw cause;
  });
  if (opened === undefined) return "refused";
  const { journal, damages } = opened;
  const unlessRefused = async (check: () => Promise<void>): Promise<void> => {
    await check().catch((cause: unknown) => {
      if (!(cause instanceof JournalRefused)) throw cause;
    });
  };
  try {
    expect((await journal.openPayments()).toSorted()).toEqual([41, 42].map((n) => paymentRow(n).payment));
    for (const [n, payment] of [...facts.keys()].entries()) {
      await unlessRefused(async () => expect(await journal.facts(payment)).toEqual(facts.get(payment)));
      const { register, reference } = paymentRow(n + 1);
      await unlessRefused(async () => expect(await journal.byReference(register, reference)).toBe(payment));
    }
    await unlessRefused(async () => void (await journal.prove(async () => true)));
    return damages.length === 0 ? "whole" : "noticed";
  } finally {
    await journal.close();
  }
}
