import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { isDamage, mendOf } from "../../../../src/journal/sqlite-error.ts";
import type { Clock } from "../../../../src/kit/clock.ts";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import { hashOfToken } from "../../../../src/register/tokens/token-secret.ts";
import { listTokens, openTokens, type TokenStore } from "../../../../src/register/tokens/tokens.ts";

const clock: Clock = { now: () => Date.UTC(2026, 1, 3), monotonic: () => 0, after: () => () => undefined };
const disk = { isDamage, mendOf };

function folder(): string {
  const made = fs.mkdtempSync(path.join(tmpdir(), "posbridge-seal-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

function openIn(dataDir: string, warn: (message: string) => void = () => undefined): TokenStore {
  const store = openTokens({ dataDir, clock, random: seededRandom(1), disk, warn });
  onTestFinished(() => store.close());
  return store;
}

function make(store: TokenStore, register: string, refundLimits = {}): string {
  const made = store.create({ register, scopes: [], refundLimits });
  if (!made.ok) throw new Error(made.message);
  return made.value.token.reveal();
}

function sql(dataDir: string, text: string): void {
  const database = new DatabaseSync(path.join(dataDir, "tokens.db"));
  database.exec(text);
  database.close();
}

const LIMITS = { payment: "50.00", day: "200.00" };
const rights = { register: "till-1", scopes: ["payments", "refunds"], refundLimits: { payment: 5000, day: 20_000 } };

/** Two tokens, of till-1 with limits and of till-2, used a moment ago, and the bytes of their file. */
async function twoTokens() {
  const dataDir = folder();
  const store = openIn(dataDir);
  const [one, two] = [make(store, "till-1", LIMITS), make(store, "till-2")];
  expect([await store.find(one), await store.find(two)]).toMatchObject([rights, { register: "till-2" }]);
  store.close();
  const file = path.join(dataDir, "tokens.db");
  return { dataDir, file, bytes: fs.readFileSync(file), one, two };
}

describe("a row that is not what was written", () => {
  it.each([
    ["another register's name", "register = 'till-2'"],
    ["more scopes", `scopes = '["payments","refunds","technician"]'`],
    ["no list of scopes", "scopes = 'payments'"],
    ["another time", "created_at = '2020-01-01T00:00:00.000Z'"],
    ["a higher limit for a payment", "limit_payment = '90.00'"],
    ["no limit for a day", "limit_day = NULL"],
    ["another seal", "seal = replace(seal, substr(seal, 1, 1), 'x')"],
  ])("because it has %s opens nothing, says what to do, and leaves the other tokens alone", async (_, change) => {
    const { dataDir, one, two } = await twoTokens();
    sql(dataDir, `UPDATE tokens SET ${change} WHERE register = 'till-1'`);
    const warnings: string[] = [];
    const store = openIn(dataDir, (message) => warnings.push(message));
    const mend = "take it away by `posbridge tokens revoke --damaged`, and make a new one by `posbridge tokens create`";
    expect(await store.find(one)).toEqual({
      damaged: expect.stringMatching(
        /^the row of this token in tokens\.db was changed \(it reads as register "till-[12]"\)/,
      ),
    });
    expect(await store.find(one)).toEqual({ damaged: expect.stringContaining(mend) });
    expect(warnings[0]).toContain("tokens.db");
    expect(await store.find(two)).toMatchObject({ register: "till-2" });
    expect(store.list()).toMatchObject([{ register: "till-2", scopes: ["payments", "refunds"] }, { damaged: true }]);
  });

  it("is another token's row under this token's key", async () => {
    const { dataDir, one, two } = await twoTokens();
    const [first, second] = [hashOfToken(one) ?? "", hashOfToken(two) ?? ""];
    sql(
      dataDir,
      `DELETE FROM tokens WHERE hash = '${first}'; UPDATE tokens SET hash = '${first}' WHERE hash = '${second}'`,
    );
    expect(await openIn(dataDir).find(one)).toHaveProperty("damaged");
  });

  it("by a flipped bit never gives another name, more scopes or a higher limit, and takes nothing from the other token", async () => {
    const { dataDir, file, bytes, one, two } = await twoTokens();
    const from = bytes.indexOf(hashOfToken(one) ?? "");
    const end =
      bytes.indexOf("2026-02-03T00:00:00.000Z", bytes.indexOf("2026-02-03T00:00:00.000Z", from) + 1) + 24 + 64;
    const outcomes = { same: 0, damaged: 0, unknown: 0 };
    // One bit of each byte, another one of the next.
    for (let at = from; at < end; at += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((bytes[at] ?? 0) ^ (1 << (at & 7)), at);
      fs.writeFileSync(file, changed);
      const store = openTokens({ dataDir, clock, random: seededRandom(1), disk });
      const found = await store.find(one);
      if (found === undefined) outcomes.unknown += 1;
      else if ("damaged" in found) outcomes.damaged += 1;
      else {
        expect(found).toEqual(rights);
        outcomes.same += 1;
      }
      expect(await store.find(two)).toEqual({ register: "till-2", scopes: ["payments", "refunds"] });
      store.close();
    }
    // The key makes the token unknown, the time of last use counts for nothing, everything else is noticed.
    expect(outcomes).toEqual({ unknown: 64, same: 24, damaged: end - from - 88 });
  });

  it("is taken away by revoking what is damaged, which leaves every other token as it was", async () => {
    const { dataDir, one, two } = await twoTokens();
    const store = openIn(dataDir);
    expect(store.revokeDamaged()).toEqual({ ok: false, message: "no token is damaged; see: tokens list" });
    const before = store.list().filter(({ register }) => register === "till-2");
    sql(dataDir, "UPDATE tokens SET register = 'till-2' WHERE register = 'till-1'");
    expect(store.revokeDamaged()).toEqual({ ok: true, value: { revoked: 1 } });
    expect(store.list()).toEqual(before);
    expect(await store.find(one)).toBeUndefined();
    expect(await store.find(two)).toMatchObject({ register: "till-2" });
    expect(await store.find(make(store, "till-1"))).toMatchObject({ register: "till-1" });
  });
});

describe("tokens of the version before seals", () => {
  const VERSION_1 = `
    CREATE TABLE tokens (hash TEXT PRIMARY KEY, register TEXT NOT NULL, scopes TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT) STRICT, WITHOUT ROWID;
    CREATE INDEX tokens_register ON tokens (register, created_at);
    PRAGMA user_version = 1;`;
  const token = `pbt_${"A".repeat(43)}`;
  const insert = (scopes: string) =>
    `INSERT INTO tokens VALUES ('${hashOfToken(token)}', 'till-1', '${scopes}', '2025', '2025-12-31T23:59:00.000Z');`;

  it("open as before, sealed from then on, and made beside new ones", async () => {
    const dataDir = folder();
    sql(dataDir, VERSION_1 + insert('["payments","refunds"]'));
    const store = openIn(dataDir);
    expect(store.list()).toEqual([
      {
        register: "till-1",
        scopes: ["payments", "refunds"],
        createdAt: "2025",
        lastUsedAt: "2025-12-31T23:59:00.000Z",
      },
    ]);
    expect(await store.find(token)).toEqual({ register: "till-1", scopes: ["payments", "refunds"] });
    make(store, "till-2", LIMITS);
    store.close();
    sql(dataDir, "UPDATE tokens SET register = 'till-2'");
    expect(await openIn(dataDir).find(token)).toHaveProperty("damaged");
  });

  it("are listed without being changed, for the daemon of that version that may hold them", () => {
    const dataDir = folder();
    sql(dataDir, VERSION_1 + insert('["payments"]'));
    const bytes = fs.readFileSync(path.join(dataDir, "tokens.db"));
    expect(listTokens({ dataDir, disk })).toMatchObject([{ register: "till-1", scopes: ["payments"] }]);
    expect(fs.readFileSync(path.join(dataDir, "tokens.db")).equals(bytes)).toBe(true);
  });

  it("of which one cannot be read any more keep the others working", async () => {
    const dataDir = folder();
    const other = hashOfToken(`pbt_${"B".repeat(43)}`);
    sql(
      dataDir,
      `${VERSION_1}${insert('["payments"]')} INSERT INTO tokens VALUES ('${other}', 'till-2', 'payments', '2025', NULL);`,
    );
    const store = openIn(dataDir);
    expect(await store.find(token)).toMatchObject({ register: "till-1" });
    expect(await store.find(`pbt_${"B".repeat(43)}`)).toHaveProperty("damaged");
  });
});

describe("a paired key", () => {
  const key = "B".repeat(87);
  const order = { register: "till-7", scopes: [], key, origin: "https://till.example" };

  it("has rights like a token, is listed with its origin, and is no token", async () => {
    const store = openIn(folder());
    expect(store.pair(order)).toMatchObject({ ok: true, value: { register: "till-7", origin: order.origin } });
    const paired = { register: "till-7", scopes: ["payments", "refunds"], origin: order.origin };
    expect(await store.findKey(key)).toEqual(paired);
    expect(await store.find(key)).toBeUndefined();
    expect(store.list()).toMatchObject([paired]);
  });

  it("is gone with the register's tokens, and whoever watches is told", async () => {
    const store = openIn(folder());
    store.pair(order);
    make(store, "till-7");
    const told: string[] = [];
    store.watch((register) => told.push(register));
    expect(store.revoke("till-7")).toEqual({ ok: true, value: { revoked: 2 } });
    expect([await store.findKey(key), told]).toEqual([undefined, ["till-7"]]);
  });

  it("whose origin was changed on the disk opens nothing", async () => {
    const dataDir = folder();
    openIn(dataDir).pair(order);
    for (const origin of ["'https://evil.example'", "NULL"]) {
      sql(dataDir, `UPDATE tokens SET origin = ${origin}`);
      expect(await openIn(dataDir).findKey(key)).toHaveProperty("damaged");
    }
  });
});

describe("the bridge's own key", () => {
  it("is made once a data folder", () => {
    const [one, other] = [folder(), folder()];
    const made = openIn(one).bridgeKey().public;
    expect(openIn(one).bridgeKey().public).toBe(made);
    const elsewhere = openTokens({ dataDir: other, clock, random: seededRandom(2), disk });
    onTestFinished(() => elsewhere.close());
    expect(elsewhere.bridgeKey().public).not.toBe(made);
  });

  it("is made anew where it was damaged, and the log says what to do", () => {
    const dataDir = folder();
    const made = openIn(dataDir).bridgeKey().public;
    sql(dataDir, "UPDATE bridge_key SET private_key = 'B' || substr(private_key, 2)");
    const warnings: string[] = [];
    const again = openTokens({ dataDir, clock, random: seededRandom(3), disk, warn: (text) => warnings.push(text) });
    onTestFinished(() => again.close());
    expect(again.bridgeKey().public).not.toBe(made);
    expect(warnings).toEqual([expect.stringContaining("pair every paired register anew")]);
  });
});

it("a file of version 2 opens: its tokens keep their rights, and keys can be paired", async () => {
  const { dataDir, one } = await twoTokens();
  sql(dataDir, "DROP TABLE bridge_key; ALTER TABLE tokens DROP COLUMN origin; PRAGMA user_version = 2");
  expect(listTokens({ dataDir, disk })).toMatchObject([{ register: "till-1" }, { register: "till-2" }]);
  const store = openIn(dataDir);
  expect(await store.find(one)).toEqual(rights);
  expect(store.pair({ register: "till-7", scopes: [], key: "k", origin: "none" }).ok).toBe(true);
  expect(store.bridgeKey().public).toHaveLength(87);
});
