import fs from "node:fs";
import path from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { JournalBroken, JournalUnwritable } from "../../../src/engine/ports.ts";
import { upgradeSchema } from "../../../src/journal/create.ts";
import { openForWriting } from "../../../src/journal/database.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { type JournalReader, PAYMENT_OF_OPERATION, PAYMENTS_OF_GATEWAY_ID } from "../../../src/journal/reader.ts";
import { JournalRefused } from "../../../src/journal/refusal.ts";
import { SCHEMA_VERSION } from "../../../src/journal/schema.ts";
import { sampleOf } from "../../support/dose.ts";
import { afterPowerCut, freshFolder, open } from "./folder.ts";
import { DATABASE, factsIn, LOG, WITNESS } from "./image.ts";
import { readOnly, smallDisk } from "./mounted.ts";
import { AT, paymentRow } from "./payment-row.ts";
import { putRecorded, versionIn } from "./recorded.ts";

const versions = Array.from({ length: SCHEMA_VERSION }, (_, n) => n + 1);
const older = versions.slice(0, -1);

const payment = (n: number): string => `pay_${String(n).padStart(24, "0")}`;

/**
 * Every question of the port, and its answer from a recorded journal: six payments, of which the third and the sixth
 * wait for the gateway.
 */
async function requireAnswers(journal: JournalReader): Promise<void> {
  expect(await journal.lastNumber()).toBe(44);
  // The first three versions were recorded before requests had numbers.
  expect([0, 4]).toContain(await journal.lastSequenceNumber());
  expect(await journal.after(0, 1000)).toHaveLength(44);
  expect(await journal.facts(payment(3))).toHaveLength(4);
  expect(await journal.openPayments()).toHaveLength(6);
  expect(await journal.byReference("till", "R-2")).toBe(payment(2));
  expect((await journal.byReferenceOfAny("R-2")).map((row) => row.payment)).toEqual([payment(2)]);
  expect(await journal.byMerchantTransactionId("name-5-4")).toBe(payment(5));
  expect(await journal.byMerchantTransactionId("name-9-4")).toBeUndefined();
  expect(await journal.byGatewayId("booking-4")).toEqual([payment(4)]);
  expect(await journal.byGatewayId("booking-9")).toEqual([]);
  expect(await journal.naming("booking-4")).toEqual([payment(4)]);
  expect(await journal.byReferenceOfAny("R-6")).toMatchObject([{ payment: payment(6), outcome: null }]);
  const { rows, next } = await journal.list({ limit: 4 });
  expect(rows.map(({ reference }) => reference)).toEqual(["R-6", "R-5", "R-4", "R-3"]);
  expect((await journal.list({ limit: 4, ...(next !== undefined && { after: next }) })).rows).toHaveLength(2);
}

function planOf(folder: string, sql: string): string {
  const database = new DatabaseSync(path.join(folder, DATABASE), { readOnly: true });
  try {
    return JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all("name"));
  } finally {
    database.close();
  }
}

/** Of an older version or of this one, and nothing between: every fact is there, it opens, and is then of this one. */
async function requireWhole(folder: string, version: number, facts: ReturnType<typeof factsIn>): Promise<number> {
  const left = versionIn(folder);
  expect([version, SCHEMA_VERSION]).toContain(left);
  expect(factsIn(folder)).toEqual(facts);
  const reader = openReadOnly(folder);
  await requireAnswers(reader);
  reader.close();
  const journal = await open(folder);
  await requireAnswers(journal);
  await journal.close();
  expect([versionIn(folder), factsIn(folder)]).toEqual([SCHEMA_VERSION, facts]);
  return left;
}

describe.each(versions)("a journal as the program of version %i left it", (version) => {
  it("is of this program's version once it was opened for writing, with every fact and every index, and goes on", async () => {
    const folder = putRecorded(version, freshFolder());
    const before = [factsIn(folder), fs.readFileSync(path.join(folder, WITNESS))];
    expect(versionIn(folder)).toBe(version);
    const journal = await open(folder);
    expect(versionIn(folder)).toBe(SCHEMA_VERSION);
    expect([factsIn(folder), fs.readFileSync(path.join(folder, WITNESS))]).toEqual(before);
    expect(planOf(folder, PAYMENT_OF_OPERATION)).toContain("USING INDEX facts_operation");
    expect(planOf(folder, PAYMENTS_OF_GATEWAY_ID)).toContain("USING INDEX facts_gateway_id");
    await requireAnswers(journal);
    expect(await journal.append([{ fact: "queued" }], AT, paymentRow(7))).toEqual({ last: 45 });
    await journal.close();
    // Looked through once more as what it is now.
    expect(await (await open(folder)).lastNumber()).toBe(45);
  });
});

describe.each(older)("a journal of version %i", (version) => {
  it("answers commands that only read as it is, untouched, also while a daemon upgrades it beside them", async () => {
    const folder = putRecorded(version, freshFolder());
    const bytes = fs.readFileSync(path.join(folder, DATABASE));
    const reader = openReadOnly(folder);
    await requireAnswers(reader);
    expect(fs.readFileSync(path.join(folder, DATABASE)).equals(bytes)).toBe(true);
    expect(versionIn(folder)).toBe(version);
    const journal = await open(folder);
    await requireAnswers(reader);
    reader.close();
    await journal.close();
    expect(versionIn(folder)).toBe(SCHEMA_VERSION);
  });

  it("is of the older version or of this one, whole, wherever a power cut ends the log of its upgrade", async () => {
    const folder = putRecorded(version, freshFolder());
    const facts = factsIn(folder);
    const database = openForWriting(path.join(folder, DATABASE));
    upgradeSchema(database);
    const cut = afterPowerCut(folder);
    database.close();
    const log = fs.readFileSync(path.join(cut, LOG));
    const frames = Array.from({ length: Math.floor((log.length - 32) / 4120) }, (_, n) => 32 + n * 4120);
    expect(frames.length).toBeGreaterThan(1);
    const left = [];
    const lengths = [0, 31, ...frames.flatMap((end) => [end, end + 24, end + 2000]), log.length];
    for (const length of sampleOf(lengths, 8)) {
      const again = afterPowerCut(cut);
      fs.writeFileSync(path.join(again, LOG), log.subarray(0, length));
      left.push(await requireWhole(again, version, facts));
    }
    expect(left).toEqual(left.toSorted());
    expect(new Set(left)).toEqual(new Set([version, SCHEMA_VERSION]));
  });

  it("stays of it where the commit of its upgrade fails, says so as every write does, and is upgraded by the next start", async () => {
    const folder = putRecorded(version, freshFolder());
    const facts = factsIn(folder);
    const file = path.join(folder, DATABASE);
    const database = new FailingCommit(file);
    const message = `the journal cannot be written: disk I/O error (${file}); make room on its disk, or check the disk (dmesg), then start posbridge again`;
    expect(() => upgradeSchema(database)).toThrow(new JournalBroken(message));
    expect(await requireWhole(afterPowerCut(folder), version, facts)).toBe(version);
    database.close();
    expect(await requireWhole(folder, version, facts)).toBe(version);
  });

  it("asks for room where its disk is full, loses nothing, and is upgraded when there is room", async () => {
    const disk = smallDisk(2 * 1_048_576);
    const left = new Set<number>();
    const rooms = Array.from({ length: 23 }, (_, pages) => pages * 4096);
    for (const room of sampleOf(rooms, 8)) {
      const facts = factsIn(putRecorded(version, disk.folder));
      for (const name of ["lock.db", "lock.pid"]) fs.rmSync(path.join(disk.folder, name), { force: true });
      disk.fill(room);
      const refusal: unknown = await open(disk.folder).then(
        (journal) => journal.close(),
        (cause: unknown) => cause,
      );
      disk.free();
      if (refusal instanceof JournalUnwritable) {
        expect(refusal.message).toMatch(/^the journal cannot be written: .* \(.*journal\.db\); make room on its disk/);
        left.add(await requireWhole(disk.folder, version, facts));
      } else expect(refusal === undefined || refusal instanceof JournalRefused).toBe(true);
      await requireWhole(disk.folder, version, facts);
    }
    expect(left).toContain(version);
  });

  it("is not opened for writing where nothing can be written, is read there, and upgraded where it can be", async () => {
    const folder = putRecorded(version, freshFolder());
    const facts = factsIn(folder);
    // A reader that is not closed leaves the log and its index, without which a disk mounted read-only cannot be read.
    const reader = openReadOnly(folder);
    const where = readOnly(folder);
    await expect(open(where)).rejects.toThrow(/let this user write in the folder, and mount its disk for writing/);
    const other = openReadOnly(where);
    await requireAnswers(other);
    other.close();
    reader.close();
    expect(await requireWhole(folder, version, facts)).toBe(version);
  });
});

/** A database of which no commit's sync succeeds, as on a dying disk. */
class FailingCommit extends DatabaseSync {
  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql);
    if (sql !== "COMMIT") return statement;
    const run = (): never => {
      throw Object.assign(new Error("disk I/O error"), { errcode: 1034 });
    };
    return Object.assign(statement, { run });
  }
}
