import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { JournalUnwritable } from "../../../src/engine/ports.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { JournalRefused } from "../../../src/journal/refusal.ts";
import { SCHEMA_VERSION } from "../../../src/journal/schema.ts";
import { afterPowerCut, freshFolder, open } from "./folder.ts";
import { AT, paymentRow } from "./payment-row.ts";

/** A closed journal of five payments with two facts each; the folder it is in. */
async function written(): Promise<string> {
  const folder = freshFolder();
  const journal = await open(folder);
  for (let n = 1; n <= 5; n += 1)
    await journal.append(
      [
        { fact: "accepted", n },
        { fact: "queued", n },
      ],
      AT,
      paymentRow(n),
    );
  await journal.close();
  return folder;
}

/** Changes the closed database by SQL, past everything that forbids it. */
function tamper(folder: string, sql: string): void {
  const database = new DatabaseSync(path.join(folder, "journal.db"), { enableForeignKeyConstraints: false });
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.exec(sql);
  for (const { sql: definition } of triggers) database.exec(String(definition));
  database.close();
}

async function refusalOf(folder: string): Promise<JournalRefused> {
  const thrown = await open(folder).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(thrown instanceof JournalRefused)) throw new Error("it was not refused", { cause: thrown });
  // A reader must not be told more than the daemon: it refuses the same.
  expect(() => openReadOnly(folder)).toThrow(thrown.message);
  return thrown;
}

describe("a journal that is opened again", () => {
  it("holds what it held, is the same bridge, and goes on with the next number", async () => {
    const folder = freshFolder();
    const first = await open(folder);
    await first.append([{ fact: "accepted" }], AT, paymentRow(1));
    await first.close();
    const second = await open(folder);
    expect(second.bridge).toBe(first.bridge);
    expect(second.bridge).toMatch(/^brg_[0-9a-f]{24}$/);
    expect(second.environment).toBe("test");
    expect(await second.facts(paymentRow(1).payment)).toHaveLength(1);
    expect(await second.append([{ fact: "queued" }], AT, paymentRow(2))).toEqual({ last: 2 });
  });

  it("adopts facts that were written and not yet acknowledged", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    await journal.append([1], AT, paymentRow(1));
    const before = fs.readFileSync(path.join(folder, "journal.witness"));
    await journal.append([2], AT, paymentRow(2));
    const copy = afterPowerCut(folder);
    fs.writeFileSync(path.join(copy, "journal.witness"), before);
    const next = await open(copy);
    expect(await next.lastNumber()).toBe(2);
    expect(fs.readFileSync(path.join(copy, "journal.witness"), "latin1")).toContain("posbridge-witness 1 2 ");
  });

  it("commits what waits before it closes, and writes nothing after", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    const waiting = journal.append([1], AT, paymentRow(1));
    await journal.close();
    expect(await waiting).toEqual({ last: 1 });
    await journal.close();
    await expect(journal.append([2], AT, paymentRow(1))).rejects.toThrow(
      new JournalUnwritable("the journal is closed"),
    );
    await expect(journal.probe()).rejects.toThrow(JournalUnwritable);
    expect(await (await open(folder)).lastNumber()).toBe(1);
  });

  it("is refused under another environment, untouched", async () => {
    const folder = await written();
    await expect(open(folder, "live")).rejects.toMatchObject({
      problem: "environment-changed",
      message: `${folder} belongs to environment test and the configuration says live; use another dataDir for live`,
    });
    expect((await open(folder)).environment).toBe("test");
  });

  it("is refused when it was made by a newer program", async () => {
    const folder = await written();
    tamper(folder, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    expect(await refusalOf(folder)).toMatchObject({
      problem: "schema-newer",
      message: expect.stringContaining("install a newer posbridge"),
    });
  });

  it("takes up a folder in which making it was cut short", async () => {
    const folder = freshFolder();
    await (await open(folder)).close();
    // The witness is made after the tables, and the database takes note of it after that.
    tamper(folder, "PRAGMA application_id = 0");
    fs.rmSync(path.join(folder, "journal.witness"));
    const again = await open(folder);
    expect(await again.append([1], AT, paymentRow(1))).toEqual({ last: 1 });
    const empty = freshFolder();
    fs.writeFileSync(path.join(empty, "journal.db"), "");
    expect(await (await open(empty)).lastNumber()).toBe(0);
  });

  it("takes up a folder in which making it was cut short inside its first transaction", async () => {
    const [made, folder] = [freshFolder(), freshFolder()];
    const database = new DatabaseSync(path.join(made, "journal.db"));
    database.exec(
      "PRAGMA journal_mode = WAL; CREATE TABLE stamp (only_half TEXT); INSERT INTO stamp VALUES (hex(randomblob(9000)))",
    );
    fs.copyFileSync(path.join(made, "journal.db"), path.join(folder, "journal.db"));
    const log = fs.readFileSync(path.join(made, "journal.db-wal"));
    // The header and one frame of a transaction that never ended.
    fs.writeFileSync(path.join(folder, "journal.db-wal"), log.subarray(0, 32 + 24 + 4096 + 500));
    database.close();
    const journal = await open(folder);
    expect(await journal.append([1], AT, paymentRow(1))).toEqual({ last: 1 });
  });
});

describe("facts never change in place", () => {
  it.each(["UPDATE facts SET fact = '0'", "DELETE FROM facts", "DELETE FROM payments"])(
    "%s is refused by the database itself",
    async (sql) => {
      const folder = await written();
      const database = new DatabaseSync(path.join(folder, "journal.db"));
      expect(() => database.exec(sql)).toThrow(/never (change|go)/);
      database.close();
    },
  );
});

describe("a journal that was tampered with is refused", () => {
  const changes: readonly (readonly [string, string, string])[] = [
    ["UPDATE facts SET fact = '{}' WHERE number = 3", "chain-broken", "fact 3 was changed"],
    ["UPDATE facts SET at = '2026' WHERE number = 9", "chain-broken", "fact 9 was changed"],
    [
      "UPDATE facts SET payment = (SELECT payment FROM facts WHERE number = 1) WHERE number = 4",
      "chain-broken",
      "fact 4 was changed",
    ],
    ["UPDATE facts SET hash = previous WHERE number = 10", "chain-broken", "fact 10 was changed"],
    ["UPDATE facts SET previous = hash WHERE number = 2", "chain-broken", "fact 2 does not follow fact 1"],
    ["DELETE FROM facts WHERE number = 5", "chain-broken", "fact 5 is missing"],
    ["DELETE FROM facts WHERE number BETWEEN 5 AND 7", "chain-broken", "facts 5 to 7 are missing"],
    ["DELETE FROM facts WHERE number = 1", "chain-broken", "fact 1 is missing"],
    [
      "DELETE FROM facts WHERE number = 10",
      "facts-missing",
      "ends with fact 9, but 10 were acknowledged: payments since fact 9 may be missing",
    ],
    ["DELETE FROM facts; DELETE FROM payments", "facts-missing", "ends with fact 0, but 10 were acknowledged"],
    ["UPDATE payments SET open = 0 WHERE reference = 'sale 3'", "view-damaged", "was changed"],
    ["UPDATE payments SET reference = 'other' WHERE reference = 'sale 3'", "view-damaged", "was changed"],
    ["UPDATE payments SET last = 2 WHERE reference = 'sale 3'", "view-damaged", "was changed"],
    ["DELETE FROM payments WHERE reference = 'sale 3'", "view-damaged", "has facts and no row"],
    ["UPDATE stamp SET environment = 'live'", "chain-broken", "fact 1 does not follow fact 0"],
    ["UPDATE stamp SET bridge = 'brg_other'", "chain-broken", "fact 1 does not follow fact 0"],
    ["DELETE FROM stamp", "database-damaged", "a column holds what was never written there"],
    ["DROP INDEX payments_reference", "database-damaged", "its tables are not those of a journal"],
    ["DROP TABLE payments", "database-damaged", "its tables are not those of a journal"],
  ];
  it.each(changes)("%s", async (sql, problem, words) => {
    const folder = await written();
    if (sql === "DROP TABLE payments") dropPayments(folder);
    else tamper(folder, sql);
    const refusal = await refusalOf(folder);
    expect(refusal.problem).toBe(problem);
    expect(refusal.message).toContain(words);
    expect(refusal.message).toMatch(/journal\.db.*restore the last backup \(docs\/journal\.md\)$/s);
    expect(refusal.message).not.toContain("\n");
  });

  function dropPayments(folder: string): void {
    const database = new DatabaseSync(path.join(folder, "journal.db"), { enableForeignKeyConstraints: false });
    database.exec("DROP TABLE payments");
    database.close();
  }
});

describe("journal and witness together", () => {
  const witness = (folder: string) => path.join(folder, "journal.witness");

  it("a missing witness of a journal with facts is refused", async () => {
    const folder = await written();
    fs.rmSync(witness(folder));
    expect(await refusalOf(folder)).toMatchObject({
      problem: "witness-missing",
      message: expect.stringContaining(`${witness(folder)} is missing`),
    });
  });

  it("a missing witness of a journal that looks empty is refused: its log may be gone with it", async () => {
    const folder = freshFolder();
    await (await open(folder)).close();
    fs.rmSync(witness(folder));
    expect(await refusalOf(folder)).toMatchObject({
      problem: "witness-missing",
      message: expect.stringContaining(`${witness(folder)} is missing`),
    });
  });

  it("a journal made before databases took note of their witness opens, and takes note", async () => {
    const folder = freshFolder();
    await (await open(folder)).close();
    tamper(folder, "PRAGMA application_id = 0");
    await (await open(folder)).close();
    fs.rmSync(witness(folder));
    expect(await refusalOf(folder)).toMatchObject({ problem: "witness-missing" });
  });

  it("a log without its database is refused by daemon and commands, and left alone", async () => {
    for (const content of [undefined, "", "x"]) {
      const folder = freshFolder();
      const log = path.join(folder, "journal.db-wal");
      fs.writeFileSync(log, "a log");
      if (content !== undefined) fs.writeFileSync(path.join(folder, "journal.db"), content);
      expect(await refusalOf(folder)).toMatchObject({
        problem: "database-damaged",
        message: expect.stringMatching(/put it back, or restore|cut to 1 bytes/),
      });
      expect(fs.readFileSync(log, "utf8")).toBe("a log");
    }
  });

  it("a damaged witness is refused", async () => {
    const folder = await written();
    fs.writeFileSync(witness(folder), Buffer.alloc(8192));
    expect(await refusalOf(folder)).toMatchObject({
      problem: "witness-damaged",
      message: expect.stringContaining(`${witness(folder)} is damaged`),
    });
  });

  it("a journal older than its witness is refused", async () => {
    const folder = await written();
    const older = fs.readFileSync(path.join(folder, "journal.db"));
    const journal = await open(folder);
    await journal.append([11], AT, paymentRow(6));
    await journal.close();
    fs.writeFileSync(path.join(folder, "journal.db"), older);
    const { problem, message } = await refusalOf(folder);
    expect(problem).toBe("facts-missing");
    expect(message).toContain(
      "journal.db ends with fact 10, but 11 were acknowledged: payments since fact 10 may be missing",
    );
  });

  it("a journal that is gone while its witness is there is refused, not begun anew", async () => {
    const folder = await written();
    fs.rmSync(path.join(folder, "journal.db"));
    await expect(open(folder)).rejects.toMatchObject({ problem: "facts-missing" });
    expect(fs.existsSync(path.join(folder, "journal.db"))).toBe(false);
    fs.writeFileSync(path.join(folder, "journal.db"), "");
    await expect(open(folder)).rejects.toMatchObject({ problem: "facts-missing" });
  });

  it("the witness of another folder is refused", async () => {
    const [folder, other] = [await written(), await written()];
    fs.copyFileSync(witness(other), witness(folder));
    expect(await refusalOf(folder)).toMatchObject({
      problem: "chain-broken",
      message: expect.stringContaining("fact 10 is not the one that"),
    });
  });

  it("an older witness of the same journal is fine: facts beyond it were only not acknowledged", async () => {
    const folder = await written();
    const older = fs.readFileSync(witness(folder));
    const journal = await open(folder);
    await journal.append([11], AT, paymentRow(6));
    await journal.close();
    fs.writeFileSync(witness(folder), older);
    expect(await (await open(folder)).lastNumber()).toBe(11);
  });

  it("a file that is no database is refused", async () => {
    const folder = await written();
    fs.writeFileSync(path.join(folder, "journal.db"), "not a database at all, but long enough to look at".repeat(100));
    expect(await refusalOf(folder)).toMatchObject({
      problem: "database-damaged",
      message: expect.stringContaining("file is not a database"),
    });
  });
});
