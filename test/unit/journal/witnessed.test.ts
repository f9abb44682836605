import { DatabaseSync, type StatementSync } from "node:sqlite";
import { expect, it } from "vitest";
import { JournalBroken } from "../../../src/engine/ports.ts";
import type { Tip } from "../../../src/journal/chain.ts";
import { createSchema } from "../../../src/journal/create.ts";
import { witnessed } from "../../../src/journal/witnessed.ts";
import { emptyJournal, journalWriter } from "../../../src/journal/writer.ts";
import { AT, paymentRow } from "./payment-row.ts";

const STAMP = { bridge: "brg_000000000000000000000001", environment: "test", createdAt: AT } as const;
const append = (n: number) => ({ facts: [JSON.stringify({ n })], at: AT, row: paymentRow(n), sequenceNumber: 0 });

/**
 * A database in memory, and a witness that fails from write number `failing` on. `requireInPlace`: whether the files
 * still are where they were.
 */
function bench(failing: number, requireInPlace = (): void => undefined) {
  const database = new DatabaseSync(":memory:");
  createSchema(database, STAMP);
  const seen: Tip[] = [];
  const witness = {
    write: (tip: Tip) => {
      if (seen.length + 1 >= failing) throw new Error("EIO: i/o error, write");
      seen.push(tip);
    },
    isIntact: () => true,
    close: () => undefined,
  };
  const writer = journalWriter(database, emptyJournal(STAMP));
  return { ...witnessed(writer, witness, "/data/journal.witness", requireInPlace), writer, seen };
}

it("every batch is witnessed with its last fact before it is acknowledged", () => {
  const { commit, writer, seen } = bench(9);
  expect(commit([append(1), append(2)])).toEqual([{ last: 1 }, { last: 2 }]);
  expect(seen).toEqual([writer.tip()]);
  expect(commit([append(3)])).toEqual([{ last: 3 }]);
  expect(seen.map(({ number }) => number)).toEqual([2, 3]);
});

it("a witness that cannot be written ends all writing in this process: what it did not witness is in the journal, and would be contradicted", () => {
  const { commit, probe, writer } = bench(2);
  commit([append(1)]);
  const message =
    "/data/journal.witness cannot be written: EIO: i/o error, write; check the disk (dmesg), then start posbridge again";
  expect(() => commit([append(2)])).toThrow(new JournalBroken(message));
  expect(writer.tip().number).toBe(2);
  expect(() => commit([append(3)])).toThrow(new JournalBroken(message));
  expect(probe).toThrow(new JournalBroken(message));
  expect(writer.tip().number).toBe(2);
});

it.each([
  ["has the witness say once more what was acknowledged", 9, [1, 1]],
  ["says so also where the witness cannot be written any more", 2, [1]],
])(
  "a journal in which something else wrote ends all writing in this process, and %s",
  (_, failing, witnessedNumbers) => {
    let isInPlace = true;
    const { commit, probe, writer, seen } = bench(failing, () => {
      if (!isInPlace) throw new JournalBroken("something else wrote in it");
    });
    commit([append(1)]);
    isInPlace = false;
    expect(() => commit([append(2)])).toThrow(new JournalBroken("something else wrote in it"));
    isInPlace = true;
    expect(probe).toThrow(new JournalBroken("something else wrote in it"));
    expect([writer.tip().number, seen.map(({ number }) => number)]).toEqual([1, witnessedNumbers]);
  },
);

it("a batch that was refused whole has nothing to be witnessed", () => {
  const { commit, seen } = bench(9);
  commit([append(1)]);
  expect(commit([{ ...append(2), row: paymentRow(2, { reference: paymentRow(1).reference }) }])).toMatchObject([
    { error: { name: "ReferenceTaken" } },
  ]);
  expect(seen).toHaveLength(1);
});

/** A database whose next commit reaches the disk or not: its sync fails, as a dying disk's does. */
class Unsynced extends DatabaseSync {
  failing = false;

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql);
    if (sql !== "COMMIT") return statement;
    const run = (): ReturnType<StatementSync["run"]> => {
      if (this.failing) throw Object.assign(new Error("disk I/O error"), { errcode: 1034 });
      return statement.run();
    };
    return Object.assign(super.prepare(sql), { run });
  }
}

it("a commit whose sync failed ends all writing in this process: the next one may find what this one would call unwritten", () => {
  const database = new Unsynced(":memory:");
  createSchema(database, STAMP);
  const witness = { write: () => undefined, isIntact: () => true, close: () => undefined };
  const { commit, probe } = witnessed(
    journalWriter(database, emptyJournal(STAMP)),
    witness,
    "/data/journal.witness",
    () => undefined,
  );
  commit([append(1)]);
  database.failing = true;
  const message =
    "the journal cannot be written: disk I/O error (in memory); make room on its disk, or check the disk (dmesg), then start posbridge again";
  expect(() => commit([append(2)])).toThrow(new JournalBroken(message));
  database.failing = false;
  expect(() => commit([append(3)])).toThrow(new JournalBroken(message));
  expect(probe).toThrow(new JournalBroken(message));
});
