import fs from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { dropRevoked } from "../../../src/agent/restored-tokens.ts";
import { makeBackup } from "../../../src/journal/backup.ts";
import { BackupRefused } from "../../../src/journal/backup-file.ts";
import { openDeletionBook } from "../../../src/journal/deletion-book.ts";
import { openKnownTerminals } from "../../../src/journal/known-terminals.ts";
import { writePairedFile } from "../../../src/journal/paired-file.ts";
import { JournalRefused } from "../../../src/journal/refusal.ts";
import { checkBackup, restoreBackup } from "../../../src/journal/restore.ts";
import { isDamage, mendOf } from "../../../src/journal/sqlite-error.ts";
import type { OpenJournal } from "../../../src/journal/sqlite-journal.ts";
import { decodeHeader, encodeHeader } from "../../../src/journal/tar.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { listTokens, openTokens } from "../../../src/register/tokens/tokens.ts";
import { freshFolder, open } from "./folder.ts";
import { DATABASE, factsIn, WITNESS } from "./image.ts";
import { smallDisk } from "./mounted.ts";
import { AT, factsOfAppend, paymentRow } from "./payment-row.ts";
import { putRecorded } from "./recorded.ts";

const FILES = ["journal.db", "journal.witness", "tokens.db", "deletions.db", "terminals.json", "paired-terminals.json"];

const backUp = (dataDir: string, file: string, more: { readonly isStopped?: () => boolean } = {}) =>
  makeBackup({ dataDir, file, posbridge: "0.1.0", clock: systemClock, ...more });

function restore(file: string, dataDir: string, more: { readonly replace?: true; readonly environment?: "live" } = {}) {
  return restoreBackup({
    file,
    dataDir,
    environment: "test",
    replace: false,
    dropRevoked,
    clock: systemClock,
    random: systemRandom,
    ...more,
  });
}

async function write(journal: OpenJournal, from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += 1) await journal.append(factsOfAppend(n), AT, paymentRow(n));
}

/** Everything that a data folder may hold. */
async function wholeFolder(): Promise<{ readonly dataDir: string; readonly journal: OpenJournal }> {
  const dataDir = freshFolder();
  const journal = await open(dataDir);
  await write(journal, 1, 20);
  const tokens = openTokens({
    clock: systemClock,
    random: systemRandom,
    dataDir,
    disk: { isDamage, mendOf },
    warn: () => undefined,
  });
  tokens.create({ register: "till-1", scopes: ["payments"] });
  tokens.close();
  const deletions = openDeletionBook(dataDir);
  await deletions.keep({ register: "till-1", reference: "D-1", open: true, job: { registration: "abc" } });
  deletions.close();
  openKnownTerminals(dataDir).remember("till-1", { serialNumber: "0012345" });
  writePairedFile(dataDir, "{}\n");
  return { dataDir, journal };
}

const inside = (folder: string, name: string): string => path.join(folder, name);
/** A file of a backup's name in a folder of its own. */
const newFile = (): string => inside(freshFolder(), "shop.tar.gz");

describe("a backup", () => {
  it("is one private file with everything of the folder, made beside a journal that goes on, and comes back to the letter", async () => {
    const { dataDir, journal } = await wholeFolder();
    const file = newFile();
    const before = factsIn(dataDir);
    const { bridge, environment, journal: backedUp, files } = await backUp(dataDir, file);
    await write(journal, 21, 5);
    await journal.close();
    expect([bridge, environment, backedUp.lastFact.number, backedUp.lastFact.at]).toEqual([
      journal.bridge,
      "test",
      before.length,
      AT,
    ]);
    expect(files.map(({ name }) => name)).toEqual(FILES);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(path.dirname(file))).toEqual(["shop.tar.gz"]);
    const back = inside(freshFolder(), "data");
    const { manifest } = await restore(file, back);
    expect(manifest.journal).toEqual(backedUp);
    expect(fs.readdirSync(back).toSorted()).toEqual([...FILES, "lock.db"].toSorted());
    expect(FILES.map((name) => fs.statSync(inside(back, name)).mode & 0o777)).toEqual(FILES.map(() => 0o600));
    expect(factsIn(back)).toEqual(before);
    const restored = await open(back);
    expect([restored.bridge, await restored.lastNumber()]).toEqual([journal.bridge, before.length]);
    expect(listTokens({ dataDir: back, disk: { isDamage, mendOf } })).toMatchObject([{ register: "till-1" }]);
    expect(await openDeletionBook(back).find("till-1", "D-1")).toEqual({ registration: "abc" });
    expect(openKnownTerminals(back).serialNumber("till-1")).toBe("0012345");
  });

  it("is of one moment, however much is written while it is made, and never keeps a writer waiting", async () => {
    const dataDir = freshFolder();
    const journal = await open(dataDir);
    await write(journal, 1, 100);
    const file = newFile();
    let isDone = false;
    const making = backUp(dataDir, file).finally(() => {
      isDone = true;
    });
    let n = 101;
    while (!isDone) {
      await write(journal, n, 1);
      n += 1;
    }
    const { journal: backedUp } = await making;
    expect(n).toBeGreaterThan(105);
    expect(backedUp.lastFact.number).toBeGreaterThanOrEqual(100);
    const checked = freshFolder();
    await checkBackup(file, checked);
    const all = factsIn(dataDir);
    expect(all.length).toBeGreaterThan(backedUp.lastFact.number);
    expect(factsIn(checked)).toEqual(all.slice(0, backedUp.lastFact.number));
  });

  it("leaves a file that is there alone, and nothing behind where it is stopped, refused, or has no room", async () => {
    const { dataDir } = await wholeFolder();
    const file = newFile();
    fs.writeFileSync(file, "mine");
    await expect(backUp(dataDir, file)).rejects.toThrow(`${file} exists; name a new file`);
    expect(fs.readFileSync(file, "utf8")).toBe("mine");
    const other = newFile();
    await expect(backUp(dataDir, other, { isStopped: () => true })).rejects.toThrow("stopped: no backup was made");
    await expect(backUp(freshFolder(), other)).rejects.toThrow(/holds no journal/);
    const lost = await wholeFolder();
    await lost.journal.close();
    fs.rmSync(inside(lost.dataDir, WITNESS));
    await expect(backUp(lost.dataDir, other)).rejects.toThrow(JournalRefused);
    expect(fs.readdirSync(path.dirname(other))).toEqual([]);
    const disk = smallDisk(2 * 1_048_576);
    disk.fill(65_536);
    await expect(backUp(dataDir, inside(disk.folder, "a.tar.gz"))).rejects.toThrow(
      /has 0\.\d MB free, and the backup needs \d\.\d MB while it is made; name a file on a larger disk/,
    );
    expect(fs.readdirSync(disk.folder).filter((name) => name.startsWith("a.tar"))).toEqual([]);
  });

  it.each(["gone", "gone/deeper"])("into a folder that is not there says how it is made: %s", async (name) => {
    const { dataDir } = await wholeFolder();
    const folder = path.join(freshFolder(), name);
    const user = process.geteuid?.() === 0 ? "root" : "\\S+";
    await expect(backUp(dataDir, path.join(folder, "b.tar.gz"))).rejects.toThrow(
      new RegExp(`cannot be written: ENOENT.*; make its folder: sudo install -d -o ${user} -m 0700 ${folder}$`),
    );
  });

  it("is refused as a whole where any byte of it is another one, or any is missing", async () => {
    const { dataDir } = await wholeFolder();
    const file = newFile();
    await backUp(dataDir, file);
    const packed = fs.readFileSync(file);
    const plain = gunzipSync(packed);
    const changed = (bytes: Buffer, at: number): Buffer => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy;
    };
    const manifestEnd = 512 * (2 + Math.floor(((decodeHeader(plain.subarray(0, 512))?.bytes ?? 0) - 1) / 512));
    const places = [
      0,
      148,
      300,
      600,
      manifestEnd + 130,
      manifestEnd + 600,
      Math.floor(plain.length / 2),
      plain.length - 1,
    ];
    const damaged = [
      ...places.map((at) => gzipSync(changed(plain, at))),
      ...[1, 100, packed.length - 9].map((at) => changed(packed, at)),
      ...[0, 20, Math.floor(packed.length / 2), packed.length - 1].map((length) => packed.subarray(0, length)),
      ...[512, plain.length - 1024, plain.length - 512].map((length) => gzipSync(plain.subarray(0, length))),
      gzipSync(Buffer.concat([plain, Buffer.from("x")])),
    ];
    for (const bytes of damaged) {
      const other = newFile();
      fs.writeFileSync(other, bytes);
      const back = inside(freshFolder(), "data");
      await expect(restore(other, back)).rejects.toThrow(BackupRefused);
      await expect(restore(other, back)).rejects.toThrow(/is not a whole backup \(.*\); use another one/);
      expect(fs.existsSync(inside(back, DATABASE)) || fs.existsSync(inside(back, WITNESS))).toBe(false);
    }
  });

  it("of an older version is brought to this one when it is restored", async () => {
    const file = newFile();
    await backUp(putRecorded(1, freshFolder()), file);
    const back = inside(freshFolder(), "data");
    expect((await restore(file, back)).manifest.journal.version).toBe(1);
    expect(await (await open(back)).byMerchantTransactionId("name-5-4")).toBe("pay_000000000000000000000005");
  });
});

describe("a restore", () => {
  async function backupOf(facts: number): Promise<string> {
    const dataDir = freshFolder();
    const journal = await open(dataDir);
    await write(journal, 1, facts);
    const file = newFile();
    await backUp(dataDir, file);
    return file;
  }

  it("goes into an empty folder only, or puts aside what is there, and takes no folder that a bridge uses", async () => {
    const file = await backupOf(3);
    const dataDir = freshFolder();
    const other = await open(dataDir);
    await write(other, 1, 9);
    const nine = factsIn(dataDir);
    await expect(restore(file, dataDir)).rejects.toThrow(/is not empty; restore into a new folder, or say --replace/);
    await expect(restore(file, dataDir, { replace: true })).rejects.toThrow(/another posbridge .* stop it first/);
    await other.close();
    const { replaced = "" } = await restore(file, dataDir, { replace: true });
    expect(path.dirname(replaced)).toBe(dataDir);
    expect(factsIn(replaced)).toEqual(nine);
    const aside = await open(replaced);
    expect(await aside.lastNumber()).toBe(nine.length);
    await (await open(dataDir)).close();
  });

  it.each([
    ["/proc", /^\/proc cannot be read: EISDIR.*; name the file that posbridge backup made$/],
    // Its first page is never there: the kernel answers EIO, as a failing disk does.
    [
      "/proc/self/mem",
      /^\/proc\/self\/mem cannot be read: EIO.*; check the disk that it is on \(dmesg\), or use another copy of it$/,
    ],
    ["/gone/shop.tar.gz", /^\/gone\/shop\.tar\.gz does not exist; name the file that posbridge backup made$/],
  ])("of a file that cannot be read blames that file, and not the data folder: %s", async (file, line) => {
    await expect(restore(file, inside(freshFolder(), "data"))).rejects.toThrow(line);
    await expect(checkBackup(file, freshFolder())).rejects.toThrow(line);
  });

  it("of the other environment changes nothing", async () => {
    const file = await backupOf(3);
    const dataDir = inside(freshFolder(), "data");
    await expect(restore(file, dataDir, { environment: "live" })).rejects.toThrow(
      /belongs to environment test and the configuration says live/,
    );
    expect(fs.existsSync(inside(dataDir, DATABASE))).toBe(false);
  });

  it("asks for room where its disk is full, leaves nothing, and is done once there is room", async () => {
    const file = await backupOf(40);
    const disk = smallDisk(2 * 1_048_576);
    const dataDir = inside(disk.folder, "data");
    disk.fill(100_000);
    await expect(restore(file, dataDir)).rejects.toThrow(/make room on its disk/);
    expect(fs.readdirSync(dataDir).filter((name) => !name.startsWith("lock."))).toEqual([]);
    disk.free();
    await restore(file, dataDir);
    expect(await (await open(dataDir)).lastNumber()).toBeGreaterThan(40);
  });

  it("leaves a folder that says itself that it was put back, until a technician has confirmed it", async () => {
    const file = await backupOf(3);
    const dataDir = inside(freshFolder(), "data");
    const { manifest } = await restore(file, dataDir);
    const journal = await open(dataDir);
    const { madeAt } = manifest;
    expect(journal.cursors.rollbacks()).toMatchObject([
      { number: 1, last: manifest.journal.lastFact.number, shown: [], restored: { madeAt } },
    ]);
    const bookings = [
      {
        id: "b1",
        entityId: "e1",
        paymentType: "PA",
        amount: "12.34",
        currency: "EUR",
        resultCode: "000.000.000",
        is: "booked",
        isOwn: true,
      } as const,
    ];
    await journal.cursors.lost({ at: AT, from: madeAt, to: AT, bookings });
    const lostCursor = journal.cursors.at(manifest.journal.lastFact.number).replace(/^[0-9]+/, (number) => number);
    await journal.close();
    const again = await open(dataDir);
    expect(again.cursors.rollbacks().at(-1)?.restored?.read?.bookings).toMatchObject(bookings);
    expect(await again.cursors.confirm({ at: AT, by: "anna", reason: "looked" })).toMatchObject({
      restored: { madeAt },
      confirmed: { by: "anna" },
    });
    expect(again.cursors.read(lostCursor).is).toBe("held");
    await expect(again.cursors.lost({ at: AT, from: AT, to: AT, bookings: [] })).rejects.toThrow(RangeError);
  });
});

describe("a tar header", () => {
  it("holds sizes beyond 8 GiB, and is refused with any byte changed", () => {
    for (const bytes of [0, 1, 511, 0o77777777777, 0o77777777777 + 1, 2 ** 50]) {
      const block = encodeHeader({ name: "journal.db", bytes }, 1_700_000_000);
      expect(decodeHeader(block)).toEqual({ name: "journal.db", bytes });
      for (const at of [0, 100, 126, 150, 258]) {
        const changed = Buffer.from(block);
        changed[at] = (changed[at] ?? 0) ^ 2;
        expect(decodeHeader(changed)).toBeUndefined();
      }
    }
  });
});
