import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { JournalBroken } from "../../../src/engine/ports.ts";
import { type Tip, tipOfStamp } from "../../../src/journal/chain.ts";
import { createSchema } from "../../../src/journal/create.ts";
import { witnessed } from "../../../src/journal/witnessed.ts";
import { journalWriter } from "../../../src/journal/writer.ts";
import { AT, paymentRow } from "./payment-row.ts";

const STAMP = { bridge: "brg_000000000000000000000001", environment: "test", createdAt: AT } as const;
const append = (n: number) => ({ facts: [JSON.stringify({ n })], at: AT, row: paymentRow(n) });

/** A database in memory, and a witness that fails from write number `failing` on. */
function bench(failing: number) {
  const database = new DatabaseSync(":memory:");
  createSchema(database, STAMP);
  const seen: Tip[] = [];
  const witness = {
    write: (tip: Tip) => {
      if (seen.length + 1 >= failing) throw new Error("EIO: i/o error, write");
      seen.push(tip);
    },
    close: () => undefined,
  };
  const writer = journalWriter(database, tipOfStamp(STAMP));
  return { ...witnessed(writer, witness, "/data/journal.witness"), writer, seen };
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
  const message = "/data/journal.witness cannot be written: EIO: i/o error, write; mend the disk and start posbridge again";
  expect(() => commit([append(2)])).toThrow(new JournalBroken(message));
  expect(writer.tip().number).toBe(2);
  expect(() => commit([append(3)])).toThrow(new JournalBroken(message));
  expect(probe).toThrow(new JournalBroken(message));
  expect(writer.tip().number).toBe(2);
});
