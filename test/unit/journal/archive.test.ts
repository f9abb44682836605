import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { proveFolder } from "../../../src/journal/prove-folder.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { everything, everythingIn, none, paymentOf, sellClosed } from "./archived.ts";
import { afterPowerCut, freshFolder, open } from "./folder.ts";
import { DATABASE, LOG } from "./image.ts";
import { AT, paymentRow } from "./payment-row.ts";

const segment = (folder: string, number = 1): string =>
  path.join(folder, "archive", `${String(number).padStart(6, "0")}.jsonl.gz`);

/** A journal of 115 closed payments in three segments, and one payment more. */
async function archived(folder = freshFolder()) {
  const journal = await openJournal({ dataDir: folder, environment: "test", clock: systemClock, random: systemRandom });
  await sellClosed(journal, 1, 116);
  await journal.append([{ fact: "accepted" }], AT, paymentRow(116));
  const before = await everythingIn(journal, 116);
  const came = await journal.archive(everything);
  return { folder, journal, before, came };
}

describe("payments that were archived", () => {
  test("are read as before by their journal, by the next start and by commands, and are facts as JSON lines beside the journal", async () => {
    const { folder, journal, before, came } = await archived();
    onTestFinished(() => journal.close());
    expect(came).toMatchObject({ payments: 115, segments: 3 });
    expect(await everythingIn(journal, 116)).toEqual(before);
    expect(await journal.after(0, 1000)).toHaveLength(1);
    expect(await journal.archivedTo()).toBe(460);
    expect(await journal.naming("booking-11")).toEqual([11, 110, 111, 112, 113, 114, 115].map(paymentOf));
    await journal.close();
    const reader = openReadOnly(folder);
    expect(await everythingIn(reader, 116)).toEqual(before);
    reader.close();
    const again = await open(folder);
    expect(await everythingIn(again, 116)).toEqual(before);
    expect(await again.archive(everything)).toEqual(none);
    const lines = gunzipSync(fs.readFileSync(segment(folder)))
      .toString("utf8")
      .trimEnd()
      .split("\n");
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      ...before.facts[paymentOf(1)]?.[0],
      previous: expect.any(String),
      hash: expect.any(String),
    });
    expect(lines).toHaveLength(200);
    expect(fs.statSync(segment(folder)).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(segment(folder))).mode & 0o777).toBe(0o700);
  });

  test("keep their references for ever, and go on where something comes of them", async () => {
    const { folder, journal } = await archived();
    onTestFinished(() => journal.close());
    expect(await journal.byReference("till-1", "sale 7")).toBe(paymentOf(7));
    await expect(journal.append([{ fact: "accepted" }], AT, paymentRow(500, { reference: "sale 7" }))).rejects.toThrow(
      /belongs to another payment/,
    );
    await journal.append([{ fact: "followed" }], AT, paymentRow(7));
    const facts = await journal.facts(paymentOf(7));
    expect(facts.map(({ fact }) => fact)).toMatchObject([
      { fact: "accepted" },
      { fact: "attempt-intended" },
      { fact: "attempt-answered" },
      { fact: "concluded" },
      { fact: "followed" },
    ]);
    await journal.append([{ fact: "released" }], AT, paymentRow(7, { open: false }));
    await journal.append([{ fact: "accepted" }], AT, paymentRow(117));
    const all = await journal.facts(paymentOf(7));
    expect(await journal.archive(everything)).toMatchObject({ payments: 1, segments: 1 });
    expect(await journal.facts(paymentOf(7))).toEqual(all);
    await journal.close();
    expect(await (await open(folder)).facts(paymentOf(7))).toEqual(all);
  });

  test("are not those that are open, young, in use, refused by their judge, or the newest of all", async () => {
    const journal = await open(freshFolder());
    await sellClosed(journal, 1, 7);
    await journal.append([{ fact: "queued" }], AT, paymentRow(1));
    await journal.append([{ fact: "released" }], "2028-01-01T00:00:00.000Z", paymentRow(2, { open: false }));
    await journal.append([{ fact: "accepted" }], AT, paymentRow(7, { open: false }));
    const order = {
      ...everything,
      isInUse: (payment: string) => payment === paymentOf(3),
      mayGo: (facts: readonly { payment: string }[]) => facts[0]?.payment !== paymentOf(4),
    };
    expect(await journal.archive({ ...order, before: AT })).toEqual(none);
    expect(await journal.archive(order)).toMatchObject({ payments: 2, segments: 1 });
    const left = new Set((await journal.after(0, 1000)).map(({ payment }) => payment));
    expect([...left].toSorted()).toEqual([1, 2, 3, 4, 7].map(paymentOf));
  });

  test("stay where they are when something comes of one while its file is written", async () => {
    const journal = await open(freshFolder());
    await sellClosed(journal, 1, 5);
    await journal.append([{ fact: "accepted" }], AT, paymentRow(5));
    const before = await everythingIn(journal, 1);
    let pauses = 0;
    const pause = async (): Promise<boolean> => {
      pauses += 1;
      // The sixth is the last one between the file and its row.
      if (pauses === 6) await journal.append([{ fact: "queued" }], AT, paymentRow(2));
      return true;
    };
    expect(await journal.archive({ ...everything, pause })).toEqual(none);
    expect(pauses).toBe(6);
    expect(await journal.archivedTo()).toBe(0);
    expect((await everythingIn(journal, 1)).facts).toEqual(before.facts);
    expect(await journal.archive(everything)).toMatchObject({ payments: 3, segments: 1 });
  });

  test("leave room: a journal that sells as much as it archives does not grow, gives the rest back to the disk, and goes on writing", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    await sellClosed(journal, 1, 601, "x".repeat(4000));
    const full = fs.statSync(path.join(folder, DATABASE)).size + fs.statSync(path.join(folder, LOG)).size;
    expect((await journal.archive(everything)).pages).toBeGreaterThan(100);
    await journal.append([{ fact: "accepted" }], AT, paymentRow(601));
    await journal.probe();
    await journal.close();
    expect(fs.statSync(path.join(folder, DATABASE)).size).toBeLessThan(full / 2);
    expect(await (await open(folder)).lastNumber()).toBe(2401);
  });
});

describe("a bridge that is killed while it archives", () => {
  test("has lost nothing and doubled nothing, at whatever step, and the next start goes on", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    await sellClosed(journal, 1, 41, "x".repeat(40_000));
    await journal.append([{ fact: "accepted" }], AT, paymentRow(41));
    const before = await everythingIn(journal, 41);
    const images: string[] = [];
    const pause = async (): Promise<boolean> => images.push(afterPowerCut(folder)) > 0;
    const { segments } = await journal.archive({ ...everything, pause });
    expect(segments).toBeGreaterThan(1);
    images.push(afterPowerCut(folder));
    const left = new Set<number>();
    for (const image of images) {
      // As a write that was cut short leaves it.
      if (fs.existsSync(path.join(image, "archive"))) fs.writeFileSync(`${segment(image, 9)}.new`, "half");
      const next = await open(image);
      expect(await everythingIn(next, 41)).toEqual(before);
      const known =
        (await next.archivedTo()) > 0 || fs.existsSync(path.join(image, "archive"))
          ? fs.readdirSync(path.join(image, "archive")).length
          : 0;
      left.add(known);
      expect(fs.existsSync(`${segment(image, 9)}.new`)).toBe(false);
      await next.archive(everything);
      expect(await everythingIn(next, 41)).toEqual(before);
      await next.close();
      expect(await everythingIn(await open(image), 41)).toEqual(before);
    }
    expect(left).toEqual(new Set(Array.from({ length: segments + 1 }, (_, n) => n)));
  });

  test("has moved a segment whole or not at all, wherever a power cut ends the log", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    await sellClosed(journal, 1, 7);
    await journal.append([{ fact: "accepted" }], AT, paymentRow(7));
    const before = await everythingIn(journal, 7);
    const from = fs.statSync(path.join(folder, LOG)).size;
    await journal.archive(everything);
    const cut = afterPowerCut(folder);
    const log = fs.readFileSync(path.join(cut, LOG));
    const moved = [];
    for (let length = from; length <= log.length; length += 4120) {
      const image = afterPowerCut(cut);
      fs.writeFileSync(path.join(image, LOG), log.subarray(0, length + 100));
      const opened = await open(image);
      expect(await everythingIn(opened, 7)).toEqual(before);
      moved.push(await opened.archivedTo());
      await opened.close();
    }
    expect(moved.length).toBeGreaterThan(5);
    expect(moved).toEqual([...moved.slice(0, -1).map(() => 0), 24]);
  });
});

describe("a segment that is not as it was written", () => {
  const kept = fs.mkdtempSync(path.join(tmpdir(), "posbridge-archive-"));
  const stopped = archived(kept);
  beforeAll(async () => (await stopped).journal.close());
  afterAll(() => fs.rmSync(kept, { recursive: true }));

  test.each<[string, (file: string, folder: string) => void, RegExp]>([
    [
      "is missing",
      (file) => fs.rmSync(file),
      /000001\.jsonl\.gz is missing; it holds the facts of 50 payments; put it back as it was: every backup made since .* has it/,
    ],
    ["was cut", (file) => fs.truncateSync(file, 100), /000001\.jsonl\.gz has 100 bytes, and had [0-9]+;/],
    [
      "has one wrong bit",
      (file) => fs.writeFileSync(file, flipped(fs.readFileSync(file))),
      /000001\.jsonl\.gz was changed;/,
    ],
    ["is another one", (file, folder) => fs.copyFileSync(segment(folder, 2), file), /000001\.jsonl\.gz (has|was)/],
    [
      "was packed anew",
      (file) => fs.writeFileSync(file, gzipSync(gunzipSync(fs.readFileSync(file)), { level: 1 })),
      /000001\.jsonl\.gz (has|was)/,
    ],
  ])(
    "is told by every proof of the whole journal where it %s, and all is well once it is back",
    async (how, damage, message) => {
      const { folder: recorded, before } = await stopped;
      const folder = afterPowerCut(recorded);
      const whole = fs.readFileSync(segment(folder));
      damage(segment(folder), folder);
      const refusal = { problem: "archive-damaged", message: expect.stringMatching(message) };
      expect(() => proveFolder(folder)).toThrow(message);
      if (how === "is missing") {
        await expect(open(folder)).rejects.toMatchObject(refusal);
        expect(() => openReadOnly(folder)).toThrow(message);
      } else {
        const journal = await open(folder);
        await expect(journal.prove(async () => true)).rejects.toMatchObject(refusal);
        await expect(journal.facts(paymentOf(1))).rejects.toMatchObject(refusal);
        // Payments that are not in it go on.
        expect(await journal.facts(paymentOf(110))).toHaveLength(4);
        await journal.append([{ fact: "queued" }], AT, paymentRow(116));
        await journal.close();
      }
      fs.writeFileSync(segment(folder), whole);
      const facts = (await everythingIn(await open(folder), 115)).facts;
      expect(before.facts).toMatchObject(facts);
    },
  );

  test("is told by whoever reads it while the bridge runs", async () => {
    const { folder, journal } = await archived();
    onTestFinished(() => journal.close());
    fs.rmSync(segment(folder, 2));
    await expect(journal.facts(paymentOf(75))).rejects.toMatchObject({ problem: "archive-damaged" });
    expect(await journal.facts(paymentOf(110))).toHaveLength(4);
    await journal.append([{ fact: "accepted" }], AT, paymentRow(300));
  });

  test.each([
    ["UPDATE segments SET sha256 = 'x' WHERE number = 1", "the row of segment 1 was changed"],
    ["UPDATE segments SET runs = replace(runs, '[[1,', '[[2,') WHERE number = 1", "the row of segment 1 was changed"],
    [
      "DELETE FROM archived_payments WHERE segment = 1; DELETE FROM segments WHERE number = 1",
      "the row of segment 1 is missing",
    ],
    ["DELETE FROM archived_payments WHERE rowid = 3", `the row of payment ${paymentOf(3)} was changed`],
    ["UPDATE archived_payments SET segment = 2 WHERE rowid = 3", "the payments of segment 1 were changed"],
    ["UPDATE archived_payments SET hash = 'x' WHERE rowid = 3", `the row of payment ${paymentOf(3)} was changed`],
    ["DELETE FROM archived_names WHERE rowid = 3", "the names of archived payments were changed"],
    [
      "INSERT INTO facts SELECT 4, payment, at, fact, previous, hash FROM facts LIMIT 1",
      "fact 4 is in the archive too",
    ],
  ])("is told with its rows: %s", async (sql, flaw) => {
    const folder = afterPowerCut((await stopped).folder);
    const database = new DatabaseSync(path.join(folder, DATABASE), { enableForeignKeyConstraints: false });
    const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
    database.exec(sql);
    for (const trigger of triggers) database.exec(String(trigger["sql"]));
    database.close();
    expect(() => proveFolder(folder)).toThrow(flaw);
    const found = open(folder).then((journal) => journal.prove(async () => true));
    await expect(found).rejects.toThrow(flaw);
  });
});

function flipped(bytes: Buffer): Buffer {
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  return bytes;
}
