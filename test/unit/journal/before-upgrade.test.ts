import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { copyBeforeUpgrade } from "../../../src/journal/before-upgrade.ts";
import { findDataFolder } from "../../../src/journal/data-folder.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { JournalRefused } from "../../../src/journal/refusal.ts";
import { SCHEMA_VERSION } from "../../../src/journal/schema.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { afterPowerCut, freshFolder, open } from "./folder.ts";
import { DATABASE, factsIn, WITNESS } from "./image.ts";
import { smallDisk } from "./mounted.ts";
import { AT, paymentRow } from "./payment-row.ts";
import { putRecorded, versionIn } from "./recorded.ts";

const COPY = `before-version-${SCHEMA_VERSION}`;
/** The version that brought the key of the cursors. */
const WITH_KEY = 4;
const older = Array.from({ length: SCHEMA_VERSION - 1 }, (_, n) => n + 1);
const bytesIn = (folder: string, name: string): Buffer => fs.readFileSync(path.join(folder, name));

/** The copy put back in the place of what is in the folder, as docs/backup.md says. */
function putBack(folder: string): void {
  for (const name of [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, WITNESS])
    fs.rmSync(path.join(folder, name), { force: true });
  for (const name of fs.readdirSync(path.join(folder, COPY)))
    fs.copyFileSync(path.join(folder, COPY, name), path.join(folder, name));
}

describe.each(older)("the upgrade of a journal of version %i", (version) => {
  it("leaves a copy of the folder as it was found, whole and private, and says where", async () => {
    const folder = putRecorded(version, freshFolder());
    for (const name of ["tokens.db", "deletions.db", "terminals.json", "paired-terminals.json"])
      fs.writeFileSync(path.join(folder, name), name, { mode: 0o600 });
    const before = [DATABASE, WITNESS].map((name) => bytesIn(folder, name));
    const said: string[] = [];
    const on = {
      environment: "test",
      clock: systemClock,
      random: systemRandom,
      info: (line: string) => said.push(line),
    } as const;
    await (await openJournal({ dataDir: folder, ...on })).close();
    const copy = path.join(folder, COPY);
    expect(said).toEqual([
      `the journal is of version ${version} and becomes ${SCHEMA_VERSION}; ${copy} is the way back`,
    ]);
    expect([DATABASE, WITNESS].map((name) => bytesIn(copy, name))).toEqual(before);
    expect(fs.readdirSync(copy)).toEqual(
      expect.arrayContaining(["tokens.db", "deletions.db", "terminals.json", "paired-terminals.json"]),
    );
    const modes = [copy, ...fs.readdirSync(copy).map((name) => path.join(copy, name))].map(
      (one) => fs.statSync(one).mode & 0o077,
    );
    expect(modes.every((mode) => mode === 0)).toBe(true);
    await (await openJournal({ dataDir: folder, ...on })).close();
    expect(said).toHaveLength(1);
  });

  it("is undone by that copy: the program before opens it, and this one notices what was sold since by the cursors", async () => {
    const folder = putRecorded(version, freshFolder());
    const facts = factsIn(folder);
    const journal = await open(folder);
    const { last } = await journal.append([{ fact: "queued" }], AT, paymentRow(7));
    const cursor = journal.cursors.at(last);
    await journal.close();
    putBack(folder);
    expect([versionIn(folder), factsIn(folder)]).toEqual([version, facts]);
    const reader = openReadOnly(folder);
    expect(await reader.lastNumber()).toBe(44);
    reader.close();
    // A copy that has the key knows the cursor; one from before there was a key knows that it is beyond its end.
    const again = await open(folder);
    expect(again.cursors.read(cursor)).toMatchObject({
      is: version >= WITH_KEY ? "rolled-back" : "foreign",
      number: 45,
    });
  });

  it("changes nothing where there is no room for the copy", async () => {
    const disk = smallDisk(2 * 1_048_576);
    const facts = factsIn(putRecorded(version, disk.folder));
    disk.fill(90_000);
    const refused = await open(disk.folder).catch((cause: unknown) => cause);
    expect(refused).toBeInstanceOf(JournalRefused);
    expect(String(refused)).toMatch(
      /before-version-\d, the copy before the upgrade, needs 0\.\d MB, and 0\.\d MB are free; make room on its disk/,
    );
    disk.free();
    expect([versionIn(disk.folder), factsIn(disk.folder)]).toEqual([version, facts]);
    await (await open(disk.folder)).close();
    expect(versionIn(disk.folder)).toBe(SCHEMA_VERSION);
  });
});

describe("copies before upgrades", () => {
  it("hold what is only in the log too, as a kill leaves it", async () => {
    const folder = putRecorded(1, freshFolder());
    const reader = openReadOnly(folder);
    const cut = afterPowerCut(folder);
    reader.close();
    fs.writeFileSync(path.join(cut, `${DATABASE}-wal`), "");
    expect(fs.readdirSync(copyBeforeUpgrade(findDataFolder(cut), 9))).toContain(`${DATABASE}-wal`);
  });

  it("are the newest two, one a version", () => {
    const folder = findDataFolder(putRecorded(1, freshFolder()));
    for (const version of [7, 8, 9, 10]) copyBeforeUpgrade(folder, version);
    const copies = fs.readdirSync(folder.path).filter((name) => name.startsWith("before"));
    expect(copies.toSorted()).toEqual(["before-version-10", "before-version-9"]);
  });

  it("are made anew at each try: a token that was revoked after an upgrade was broken off does not come back with the copy", () => {
    const folder = findDataFolder(putRecorded(1, freshFolder()));
    const tokens = path.join(folder.path, "tokens.db");
    fs.writeFileSync(tokens, "two tokens", { mode: 0o600 });
    copyBeforeUpgrade(folder, 10);
    fs.writeFileSync(tokens, "one token");
    expect(bytesIn(copyBeforeUpgrade(folder, 10), "tokens.db").toString()).toBe("one token");
  });

  it("take the place of one that an upgrade left which was broken off, where both have no room", () => {
    const disk = smallDisk(2 * 1_048_576);
    const folder = findDataFolder(putRecorded(1, disk.folder));
    const copy = copyBeforeUpgrade(folder, 10);
    const size = fs.readdirSync(copy).reduce((sum, name) => sum + fs.statSync(path.join(copy, name)).size, 0);
    fs.writeFileSync(path.join(copy, "terminals.json"), "{}");
    disk.fill(size - 8192);
    copyBeforeUpgrade(folder, 10);
    expect(fs.readdirSync(copy)).not.toContain("terminals.json");
    expect(factsIn(copy)).toEqual(factsIn(folder.path));
  });
});
