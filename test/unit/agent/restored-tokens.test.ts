import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { dropRevoked, validTokens } from "../../../src/agent/restored-tokens.ts";
import { makeBackup } from "../../../src/journal/backup.ts";
import { restoreBackup } from "../../../src/journal/restore.ts";
import { isDamage, mendOf } from "../../../src/journal/sqlite-error.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { openTokens, type TokenStore } from "../../../src/register/tokens/tokens.ts";
import { freshFolder, open } from "../journal/folder.ts";

function withTokens<T>(dataDir: string, use: (store: TokenStore) => T): T {
  const store = openTokens({ dataDir, clock: systemClock, random: systemRandom, disk: { isDamage, mendOf } });
  try {
    return use(store);
  } finally {
    store.close();
  }
}

function create(store: TokenStore, register: string): string {
  const made = store.create({ register, scopes: [] });
  if (!made.ok) throw new Error(made.message);
  return made.value.token.reveal();
}

async function folderWith(...registers: readonly string[]): Promise<string> {
  const dataDir = freshFolder();
  await (await open(dataDir)).close();
  withTokens(dataDir, (store) => registers.map((name) => create(store, name)));
  return dataDir;
}

async function backUp(dataDir: string): Promise<string> {
  const file = path.join(freshFolder(), "shop.tar.gz");
  await makeBackup({ dataDir, file, posbridge: "0.1.0", clock: systemClock });
  return file;
}

const restoreInto = async (dataDir: string, file: string) =>
  (
    await restoreBackup({
      file,
      dataDir,
      environment: "test",
      replace: true,
      dropRevoked,
      clock: systemClock,
      random: systemRandom,
    })
  ).tokens;

function damage(dataDir: string, name: string): void {
  fs.writeFileSync(path.join(dataDir, name), Buffer.alloc(8192, "no database "));
}

describe("a restore with --replace", () => {
  it("lets no token in that was revoked since the backup, and every other one of the backup", async () => {
    const dataDir = await folderWith("till-1");
    const [stolen, old] = withTokens(dataDir, (store) => [create(store, "till-2"), create(store, "till-3")]);
    const file = await backUp(dataDir);
    withTokens(dataDir, (store) => {
      store.revoke("till-2");
      store.revoke("till-3");
      create(store, "till-3");
    });
    const kept = withTokens(dataDir, (store) => store.list()).filter((token) => token.register === "till-1");
    const checked = await restoreInto(dataDir, file);
    expect(checked.is === "dropped" && checked.registers.toSorted()).toEqual(["till-2", "till-3"]);
    const store = openTokens({ dataDir, clock: systemClock, random: systemRandom, disk: { isDamage, mendOf } });
    expect(store.list()).toEqual(kept);
    expect([await store.find(stolen ?? ""), await store.find(old ?? "")]).toEqual([undefined, undefined]);
    store.close();
  });

  it("keeps them revoked also where the journal in the folder is damaged", async () => {
    const dataDir = await folderWith("till-1", "till-2");
    const file = await backUp(dataDir);
    withTokens(dataDir, (store) => store.revoke("till-2"));
    damage(dataDir, "journal.db");
    expect(await restoreInto(dataDir, file)).toEqual({ is: "dropped", registers: ["till-2"] });
    expect(validTokens(dataDir)).toEqual({ registers: ["till-1"] });
  });

  it.each([
    ["an empty folder", async () => freshFolder(), /held no tokens$/],
    [
      "a folder that was made anew, with a token of its own",
      () => folderWith("till-9"),
      /held no journal of this bridge$/,
    ],
  ] as const)(
    "into %s takes every token of the backup, and says that nothing tells which were revoked",
    async (_name, folder, why) => {
      const file = await backUp(await folderWith("till-1", "till-2"));
      const dataDir = await folder();
      expect(await restoreInto(dataDir, file)).toEqual({ is: "unchecked", why: expect.stringMatching(why) });
      expect(validTokens(dataDir)).toEqual({ registers: ["till-1", "till-2"] });
    },
  );

  it("brings the payments back where the tokens of the one or the other are damaged, and says so", async () => {
    const dataDir = await folderWith("till-1");
    const [whole, damaged] = [await backUp(dataDir), path.join(freshFolder(), "damaged")];
    damage(dataDir, "tokens.db");
    expect(await restoreInto(dataDir, whole)).toEqual({
      is: "unchecked",
      why: expect.stringMatching(/held cannot be read \(file is not a database\)$/),
    });
    expect(validTokens(dataDir)).toEqual({ registers: ["till-1"] });
    fs.mkdirSync(damaged);
    damage(damaged, "tokens.db");
    expect(validTokens(damaged)).toEqual({
      problem: expect.stringMatching(/tokens\.db cannot be used: .*; it is damaged: move it away and make new tokens$/),
    });
    expect(dropRevoked(damaged, dataDir)).toEqual({ is: "damaged", why: "file is not a database" });
    expect(validTokens(damaged)).toEqual({ registers: [] });
  });
});

it("tokens of version 1 in a backup are compared too", async () => {
  const [restored, before] = [freshFolder(), await folderWith("till-1")];
  const file = path.join(restored, "tokens.db");
  fs.copyFileSync(path.join(before, "tokens.db"), file);
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE first (hash TEXT PRIMARY KEY, register TEXT NOT NULL, scopes TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT) STRICT, WITHOUT ROWID;
    INSERT INTO first SELECT hash, register, scopes, created_at, last_used_at FROM tokens;
    INSERT INTO first VALUES ('revoked', 'till-2', '["payments"]', '2026-02-03T04:05:06.789Z', NULL);
    DROP TABLE bridge_key; DROP TABLE tokens; ALTER TABLE first RENAME TO tokens; PRAGMA user_version = 1`);
  database.close();
  expect(dropRevoked(restored, before)).toEqual({ is: "dropped", registers: ["till-2"] });
  expect(validTokens(restored)).toEqual({ registers: ["till-1"] });
});
