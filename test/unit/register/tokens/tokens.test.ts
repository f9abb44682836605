import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { isDamage, mendOf } from "../../../../src/journal/sqlite-error.ts";
import type { Clock } from "../../../../src/kit/clock.ts";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import { insertToken, TokensUnusable } from "../../../../src/register/tokens/token-database.ts";
import { parseRegisterName } from "../../../../src/register/tokens/token-name.ts";
import { readToken, type TokenColumns } from "../../../../src/register/tokens/token-row.ts";
import { hashOfToken, newToken, sameHash } from "../../../../src/register/tokens/token-secret.ts";
import { MAX_TOKENS, openTokens, type TokenStore } from "../../../../src/register/tokens/tokens.ts";

const NOW = Date.UTC(2026, 1, 3, 4, 5, 6, 789);

/** What a program that seals rows as this one does would have written. */
function reseal(dataDir: string, changes: Partial<TokenColumns>): void {
  const database = new DatabaseSync(path.join(dataDir, "tokens.db"));
  const row = readToken(database.prepare("SELECT * FROM tokens").get());
  if (row.is === "damaged") throw new Error("the row is damaged");
  const columns = { ...row.columns, ...changes };
  database.exec("DELETE FROM tokens");
  insertToken(database)(columns, null);
  database.close();
}

function standingClock() {
  const time = { now: NOW };
  const clock: Clock = { now: () => time.now, monotonic: () => time.now, after: () => () => undefined };
  return { time, clock };
}

function folder(): string {
  const made = fs.mkdtempSync(path.join(tmpdir(), "posbridge-tokens-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

function openIn(dataDir: string, clock: Clock = standingClock().clock, warn?: (message: string) => void): TokenStore {
  const store = openTokens({
    dataDir,
    clock,
    random: seededRandom(1),
    disk: { isDamage, mendOf },
    ...(warn !== undefined && { warn }),
  });
  onTestFinished(() => store.close());
  return store;
}

function make(store: TokenStore, register = "till-1", scopes: readonly string[] = []): string {
  const made = store.create({ register, scopes });
  if (!made.ok) throw new Error(made.message);
  return made.value.token.reveal();
}

describe("a new token", () => {
  it("is pbt_ and 256 random bits as base64url", () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, n) => n + 224);
    expect(newToken({ bytes: (count) => bytes.subarray(0, count) }).reveal()).toBe(
      "pbt_4OHi4-Tl5ufo6err7O3u7_Dx8vP09fb3-Pn6-_z9_v8",
    );
  });

  it("opens a session of its register with payments and refunds, unless other scopes were asked for", async () => {
    const store = openIn(folder());
    expect(await store.find(make(store))).toEqual({ register: "till-1", scopes: ["payments", "refunds"] });
    const office = make(store, "office", ["technician", "payments:all", "payments", "payments"]);
    expect(await store.find(office)).toEqual({
      register: "office",
      scopes: ["payments", "payments:all", "technician"],
    });
  });

  it("is one of several of its register, and all of them hold", async () => {
    const store = openIn(folder());
    const [old, fresh] = [make(store), make(store, "till-1", ["payments"])];
    expect(old).not.toBe(fresh);
    expect(await store.find(old)).toMatchObject({ scopes: ["payments", "refunds"] });
    expect(await store.find(fresh)).toEqual({ register: "till-1", scopes: ["payments"] });
    expect(store.list().map(({ register }) => register)).toEqual(["till-1", "till-1"]);
  });

  it("is not made with a bad name or scope, and the message has the mend", () => {
    const store = openIn(folder());
    const name = "register: use 1 to 64 printable characters, without a space at either end";
    for (const register of ["", " till", "till ", "till\n1", "a".repeat(65), "\u0007", "a\u200bb"]) {
      expect(store.create({ register, scopes: [] })).toEqual({ ok: false, message: name });
    }
    expect(store.create({ register: "till-1", scopes: ["payments", "payment"] })).toEqual({
      ok: false,
      message:
        'scope: "payment" is none; use payments, refunds, unlinked-refunds, stored-cards, foreign-bookings, payments:all, technician',
    });
    expect(store.list()).toEqual([]);
  });

  it("allows what this version knows where another one gave it more, and is listed so", async () => {
    const dataDir = folder();
    const store = openIn(dataDir);
    const token = make(store);
    reseal(dataDir, { scopes: '["loyalty","payments"]' });
    expect(store.list()).toMatchObject([{ register: "till-1", scopes: ["payments"] }]);
    expect(await store.find(token)).toEqual({ register: "till-1", scopes: ["payments"] });
  });

  it(`is refused when there are ${MAX_TOKENS}`, () => {
    const dataDir = folder();
    const store = openIn(dataDir);
    const database = new DatabaseSync(path.join(dataDir, "tokens.db"));
    const insert = database.prepare(
      "INSERT INTO tokens (hash, register, scopes, created_at, seal) VALUES (?, 'till-1', '[]', '2026', '')",
    );
    database.exec("BEGIN");
    for (let n = 0; n < MAX_TOKENS - 1; n += 1) insert.run(String(n));
    database.exec("COMMIT");
    database.close();
    make(store);
    expect(store.create({ register: "till-1", scopes: [] })).toEqual({
      ok: false,
      message: `there are ${MAX_TOKENS} tokens already; revoke some`,
    });
  });
});

describe("a register's name", () => {
  it("is one name however it is typed", async () => {
    const store = openIn(folder());
    make(store, "Ka\u0308se");
    expect(store.list()[0]?.register).toBe("K\u00e4se");
    expect(store.revoke("K\u00e4se")).toEqual({ ok: true, value: { revoked: 1 } });
  });

  it("has 1 to 64 characters of any script, and parsing it again changes nothing", () => {
    expect(parseRegisterName("a".repeat(64))).toBe("a".repeat(64));
    expect(parseRegisterName("Kasse 2 (vorne) 🛒")).toBe("Kasse 2 (vorne) 🛒");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 70 }), (text) => {
        const name = parseRegisterName(text);
        fc.pre(name !== undefined);
        expect(parseRegisterName(name)).toBe(name);
        expect([...name].length).toBeLessThanOrEqual(64);
        expect(name).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe("a revoke", () => {
  it("tells whoever watches the name of the register, once it is written and before it is answered", async () => {
    const store = openIn(folder());
    make(store);
    make(store);
    make(store, "Ka\u0308se");
    const told: unknown[] = [];
    store.watch((register) => told.push([register, store.list().map((entry) => entry.register)]));
    expect(store.revoke("till-1")).toEqual({ ok: true, value: { revoked: 2 } });
    expect(told).toEqual([["till-1", ["K\u00e4se"]]]);
    store.revoke("Ka\u0308se");
    expect(told.at(-1)).toEqual(["K\u00e4se", []]);
  });

  it("tells nobody where it takes nothing away, and nobody who has stopped watching", () => {
    const store = openIn(folder());
    make(store);
    const told: string[] = [];
    const stop = store.watch((register) => told.push(register));
    expect(store.revoke("till-2")).toMatchObject({ ok: false });
    stop();
    store.revoke("till-1");
    expect(told).toEqual([]);
  });
});

describe("finding a token", () => {
  it("finds none that was not made, whatever is presented", async () => {
    const store = openIn(folder());
    const token = make(store);
    for (const wrong of [
      "",
      "pbt_",
      token.slice(0, -1),
      `${token}A`,
      token.toLowerCase(),
      token.slice(4),
      ` ${token}`,
      `${token}\n`,
      "x".repeat(1_000_000),
    ]) {
      expect(await store.find(wrong)).toBeUndefined();
    }
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (bytes) => {
        expect(await store.find(`pbt_${Buffer.from(bytes).toString("base64url")}`)).toBeUndefined();
      }),
    );
    expect(await store.find(token)).toBeDefined();
  });

  it("knows none of a register's tokens any more when they were revoked, and all of the others", async () => {
    const store = openIn(folder());
    const [one, two, other] = [make(store), make(store), make(store, "till-2")];
    expect(store.revoke("till-1")).toEqual({ ok: true, value: { revoked: 2 } });
    expect([await store.find(one), await store.find(two)]).toEqual([undefined, undefined]);
    expect(await store.find(other)).toMatchObject({ register: "till-2" });
    expect(store.revoke("till-1")).toEqual({ ok: false, message: 'register "till-1" has no token; see: tokens list' });
  });

  it("sees at once what another process did", async () => {
    const dataDir = folder();
    const [daemon, command] = [openIn(dataDir), openIn(dataDir)];
    const token = make(command);
    expect(await daemon.find(token)).toMatchObject({ register: "till-1" });
    command.revoke("till-1");
    expect(await daemon.find(token)).toBeUndefined();
  });

  it("notes the last use, to the minute", async () => {
    const { time, clock } = standingClock();
    const store = openIn(folder(), clock);
    const token = make(store);
    expect(store.list()).toEqual([
      { register: "till-1", scopes: ["payments", "refunds"], createdAt: "2026-02-03T04:05:06.789Z" },
    ]);
    await store.find(token);
    expect(store.list()).toMatchObject([{ lastUsedAt: "2026-02-03T04:05:06.789Z" }]);
    time.now += 59_999;
    await store.find(token);
    expect(store.list()).toMatchObject([{ lastUsedAt: "2026-02-03T04:05:06.789Z" }]);
    time.now += 1;
    await store.find(token);
    expect(store.list()).toMatchObject([{ lastUsedAt: "2026-02-03T04:06:06.789Z" }]);
  });

  it("works on a disk that takes nothing more: the last use is lost, with a warning", async () => {
    const dataDir = folder();
    const warnings: string[] = [];
    const store = openIn(dataDir, standingClock().clock, (message) => warnings.push(message));
    const token = make(store);
    const blocker = new DatabaseSync(path.join(dataDir, "tokens.db"));
    blocker.exec("CREATE TRIGGER full BEFORE UPDATE ON tokens BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    blocker.close();
    expect(await store.find(token)).toMatchObject({ register: "till-1" });
    expect(warnings).toEqual(["the last use of a token of register till-1 could not be written: disk full"]);
  });
});

describe("what is stored", () => {
  it("is the SHA-256 of a token, in a file that only its owner may read; the token itself is nowhere in the folder", async () => {
    const dataDir = folder();
    const store = openIn(dataDir);
    const tokens = Array.from({ length: 20 }, () => make(store));
    for (const token of tokens) await store.find(token);
    expect(JSON.stringify(store.list())).not.toContain("pbt_");
    const bytes = fs.readdirSync(dataDir).map((name) => fs.readFileSync(path.join(dataDir, name)));
    const everything = Buffer.concat(bytes).toString("latin1");
    for (const token of tokens) {
      expect(everything).not.toContain(token.slice(4));
      expect(everything).not.toContain(Buffer.from(token.slice(4), "base64url").toString("latin1"));
      expect(everything).toContain(hashOfToken(token));
    }
    expect(fs.readdirSync(dataDir)).toEqual(["tokens.db"]);
    expect(fs.statSync(path.join(dataDir, "tokens.db")).mode & 0o777).toBe(0o600);
  });

  it("is never the token: hash and token differ, and hashes are equal only where tokens are", () => {
    const text = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => `pbt_${Buffer.from(bytes).toString("base64url")}`);
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [first = "", second = ""] = [hashOfToken(one), hashOfToken(other)];
        expect(first).toMatch(/^[0-9a-f]{64}$/);
        expect(first).not.toContain(one.slice(4));
        expect(sameHash(first, second)).toBe(one === other);
        expect(sameHash(first, first.slice(1))).toBe(false);
      }),
    );
    // The same through coreutils: printf 'pbt_AAA...' | sha256sum
    expect(hashOfToken(`pbt_${"A".repeat(43)}`)).toBe(
      "fd222e8a3047e6bc5ab189a722a7c2e1fc126a1c302fbaf4b20e8f41cfe8b22f",
    );
  });

  it("survives the process", async () => {
    const dataDir = folder();
    const first = openIn(dataDir);
    const token = make(first);
    first.close();
    first.close();
    expect(await openIn(dataDir).find(token)).toMatchObject({ register: "till-1" });
  });

  it("is refused when it is damaged or of a newer program", () => {
    const [damaged, newer] = [folder(), folder()];
    fs.writeFileSync(
      path.join(damaged, "tokens.db"),
      "no database, but as long as the head of one would be at least".repeat(40),
    );
    expect(() => openIn(damaged)).toThrow(TokensUnusable);
    expect(() => openIn(damaged)).toThrow(
      `${damaged}/tokens.db cannot be used: file is not a database; it is damaged: move it away and make new tokens`,
    );
    openIn(newer).close();
    const database = new DatabaseSync(path.join(newer, "tokens.db"));
    database.exec("PRAGMA user_version = 4");
    database.close();
    expect(() => openIn(newer)).toThrow("is of version 4, this program knows 3; install a newer posbridge");
  });
});
