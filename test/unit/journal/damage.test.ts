import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { StoredFact } from "../../../src/engine/ports.ts";
import { proveFolder } from "../../../src/journal/prove-folder.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { JournalRefused } from "../../../src/journal/refusal.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { runsOf } from "../../support/dose.ts";
import { afterPowerCut, freshFolder, open } from "./folder.ts";
import { AT, paymentRow } from "./payment-row.ts";

/*
 * The law: whatever happens to the files, a journal that opens has every acknowledged fact, in order, and every row as
 * it was last written. Less is never
 * silent: SQLite alone would reopen a log that was cut in half with fewer rows and call it ok.
 */
const PAYMENTS = 12;
const FACTS_EACH = 3;

interface Image {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly facts: readonly StoredFact[];
}

/** A power cut in the middle of the day: some facts in the database itself, some only in its log, all acknowledged. */
async function imageOf(checkpointAt: number): Promise<Image> {
  const folder = freshFolder();
  let journal = await open(folder);
  for (let n = 0; n < PAYMENTS * FACTS_EACH; n += 1) {
    // Closing moves the log into the database; the next append begins a new one.
    if (n === checkpointAt) {
      await journal.close();
      journal = await open(folder);
    }
    await journal.append(
      [{ fact: "queued", n, text: "x".repeat(n * 7) }],
      AT,
      paymentRow(n % PAYMENTS, { state: `STATE ${n}`, open: n % 2 === 0 }),
    );
  }
  const facts = await journal.after(0, 1000);
  const copy = afterPowerCut(folder);
  const files = new Map(fs.readdirSync(copy).map((name) => [name, fs.readFileSync(path.join(copy, name))]));
  return { files, facts };
}

/**
 * Opens the files as a reader does (the daemon's own inspection is the same code) and says how it went. Open payments
 * and references are never wrong in silence. A list of closed ones may be, until the next proof of the whole journal.
 */
async function outcome({ files, facts }: Image, changed: string, bytes: Buffer): Promise<"refused" | "whole"> {
  const folder = fs.mkdtempSync(path.join(freshRoot, "cut-"));
  for (const [name, content] of files) fs.writeFileSync(path.join(folder, name), name === changed ? bytes : content);
  try {
    const journal = openReadOnly(folder);
    try {
      expect(await journal.after(0, 1000)).toEqual(facts);
      expect((await journal.openPayments()).toSorted()).toEqual(
        Array.from({ length: PAYMENTS / 2 }, (_, n) => paymentRow(2 * n).payment),
      );
      for (let n = 0; n < PAYMENTS; n += 1) {
        const { payment, register, reference } = paymentRow(n);
        expect(await journal.byReference(register, reference)).toBe(payment);
        expect(await journal.facts(payment)).toEqual(facts.filter((fact) => fact.payment === payment));
      }
      const states = (await journal.list({ limit: 100 })).rows.map(({ state }) => state);
      const whole = Array.from({ length: PAYMENTS }, (_, n) => `STATE ${PAYMENTS * FACTS_EACH - 1 - n}`);
      if (JSON.stringify(states) !== JSON.stringify(whole)) expect(() => proveFolder(folder)).toThrow(JournalRefused);
    } finally {
      journal.close();
    }
    return "whole";
  } catch (thrown) {
    if (!(thrown instanceof JournalRefused)) throw thrown;
    return "refused";
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

let freshRoot = "";

it("a log cut anywhere before its end is refused", async () => {
  freshRoot = freshFolder();
  for (const checkpointAt of [-1, 20]) {
    const image = await imageOf(checkpointAt);
    const log = image.files.get("journal.db-wal") ?? Buffer.alloc(0);
    expect(log.length).toBeGreaterThan(50_000);
    expect(await outcome(image, "", log)).toBe("whole");
    const random = seededRandom(1);
    const cuts = [
      0,
      1,
      31,
      32,
      33,
      log.length - 1,
      log.length >> 1,
      ...Array.from({ length: runsOf(20, 60) }, () => random.below(log.length)),
    ];
    for (const cut of cuts)
      expect([cut, await outcome(image, "journal.db-wal", log.subarray(0, cut))]).toEqual([cut, "refused"]);
  }
});

it.each(["journal.db-wal", "journal.db", "journal.witness"])(
  "a bit flipped anywhere in %s is refused, or was of no account",
  async (name) => {
    freshRoot = freshFolder();
    const image = await imageOf(20);
    const sound = image.files.get(name) ?? Buffer.alloc(0);
    const random = seededRandom(2);
    let refused = 0;
    const tries = runsOf(60, 200);
    for (let n = 0; n < tries; n += 1) {
      const bytes = Buffer.from(sound);
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      if ((await outcome(image, name, bytes)) === "refused") refused += 1;
    }
    // A witness is read with one bit turned back; every byte of a log counts.
    if (name === "journal.witness") expect(refused).toBe(0);
    if (name === "journal.db-wal") expect(refused).toBeGreaterThan(tries * 0.9);
    if (name === "journal.db") expect(refused).toBeGreaterThan(0);
  },
);

it("a page of zeros, or of another file, anywhere is refused, or was of no account", async () => {
  freshRoot = freshFolder();
  const image = await imageOf(20);
  for (const name of ["journal.db-wal", "journal.db"]) {
    const sound = image.files.get(name) ?? Buffer.alloc(0);
    for (let at = 0; at < sound.length; at += 4096) {
      for (const fill of [0x00, 0x58])
        await outcome(
          image,
          name,
          Buffer.concat([sound.subarray(0, at), Buffer.alloc(512, fill), sound.subarray(at + 512)]),
        );
    }
  }
});

it("a lost log is refused, and so is a database without the log's last part", async () => {
  freshRoot = freshFolder();
  const image = await imageOf(20);
  const without = new Map([...image.files].filter(([name]) => name !== "journal.db-wal"));
  expect(await outcome({ ...image, files: without }, "", Buffer.alloc(0))).toBe("refused");
});

it("the daemon leaves a refused journal as it found it", async () => {
  const folder = freshFolder();
  const journal = await open(folder);
  for (let n = 1; n <= 8; n += 1) await journal.append([n], AT, paymentRow(n));
  const copy = afterPowerCut(folder);
  const log = path.join(copy, "journal.db-wal");
  fs.truncateSync(log, fs.statSync(log).size - 5000);
  const before = ["journal.db", "journal.db-wal", "journal.witness"].map((name) =>
    fs.readFileSync(path.join(copy, name)),
  );
  await expect(open(copy)).rejects.toMatchObject({ problem: "facts-missing" });
  expect(
    ["journal.db", "journal.db-wal", "journal.witness"].map((name) => fs.readFileSync(path.join(copy, name))),
  ).toEqual(before);
});
