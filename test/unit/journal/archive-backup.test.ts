import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { dropRevoked } from "../../../src/agent/restored-tokens.ts";
import { makeBackup } from "../../../src/journal/backup.ts";
import { proveFolder } from "../../../src/journal/prove-folder.ts";
import { checkBackup, restoreBackup } from "../../../src/journal/restore.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { everything, everythingIn, paymentOf, sellClosed } from "./archived.ts";
import { freshFolder, open } from "./folder.ts";
import { AT, paymentRow } from "./payment-row.ts";

const ports = { clock: systemClock, random: systemRandom };
const restore = (file: string, dataDir: string) =>
  restoreBackup({ file, dataDir, environment: "test", replace: true, dropRevoked, ...ports });

async function backedUp() {
  const dataDir = freshFolder();
  const journal = await open(dataDir);
  await sellClosed(journal, 1, 76);
  await journal.append([{ fact: "accepted" }], AT, paymentRow(76));
  await journal.archive(everything);
  const file = path.join(freshFolder(), "shop.tar.gz");
  const manifest = await makeBackup({ dataDir, file, posbridge: "0.1.0", ...ports });
  return { dataDir, journal, file, manifest, before: await everythingIn(journal, 76) };
}

test("a backup holds the archive, and a restore brings it back, into a new folder and in place of a later one", async () => {
  const { dataDir, journal, file, manifest, before } = await backedUp();
  expect(manifest.files.map(({ name }) => name)).toEqual([
    "journal.db",
    "journal.witness",
    "archive/000001.jsonl.gz",
    "archive/000002.jsonl.gz",
  ]);
  await sellClosed(journal, 152, 160);
  await journal.append([{ fact: "accepted" }], AT, paymentRow(160));
  await journal.archive(everything);
  await journal.close();
  const segments = fs.readdirSync(path.join(dataDir, "archive"));
  expect(segments).toHaveLength(3);
  const fresh = path.join(freshFolder(), "data");
  await restore(file, fresh);
  const { replaced } = await restore(file, dataDir);
  expect(fs.readdirSync(path.join(replaced ?? "", "archive"))).toEqual(segments);
  for (const folder of [fresh, dataDir]) {
    expect(fs.readdirSync(path.join(folder, "archive"))).toEqual(segments.slice(0, 2));
    const restored = await open(folder);
    expect(await everythingIn(restored, 76)).toEqual(before);
    expect(await restored.byReference("till-1", "sale 155")).toBeUndefined();
  }
});

test("a backup whose journal names a segment that is not in it, or is another one, is no whole backup, and none is made of such a folder", async () => {
  const { dataDir, file } = await backedUp();
  const checked = freshFolder();
  await checkBackup(file, checked);
  fs.rmSync(path.join(checked, "archive", "000002.jsonl.gz"));
  await expect(open(checked)).rejects.toMatchObject({ problem: "archive-damaged" });
  fs.copyFileSync(path.join(checked, "archive", "000001.jsonl.gz"), path.join(checked, "archive", "000002.jsonl.gz"));
  expect(() => proveFolder(checked)).toThrow("000002.jsonl.gz");
  fs.rmSync(path.join(dataDir, "archive", "000001.jsonl.gz"));
  const other = path.join(freshFolder(), "other.tar.gz");
  await expect(makeBackup({ dataDir, file: other, posbridge: "0.1.0", ...ports })).rejects.toMatchObject({
    problem: "archive-damaged",
  });
});

test("a damaged segment is taken out of a backup by any tar program: its bytes are there under its name", async () => {
  const { dataDir, file } = await backedUp();
  const tar = gunzipSync(fs.readFileSync(file));
  const segment = fs.readFileSync(path.join(dataDir, "archive", "000001.jsonl.gz"));
  const at = tar.indexOf("archive/000001.jsonl.gz\u0000");
  expect(at % 512).toBe(0);
  expect(tar.subarray(at + 512, at + 512 + segment.length).equals(segment)).toBe(true);
  expect(gunzipSync(segment).toString("utf8")).toContain(paymentOf(1));
});
