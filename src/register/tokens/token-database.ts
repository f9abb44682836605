import fs from "node:fs";
import path from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { z } from "zod";
import { type ReadToken, readToken, type SoundToken, sealOfToken, type TokenColumns } from "./token-row.ts";

const VERSION = 3;
/** Version 1 had no seals, version 2 no keys. */
const SEALED_SINCE = 2;
/** Wait of a statement for another process that reads or writes, in milliseconds. */
const BUSY_MS = 2000;

const SCHEMA = `
  CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,
    register TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at TEXT NOT NULL,
    limit_payment TEXT,
    limit_day TEXT,
    last_used_at TEXT,
    seal TEXT NOT NULL,
    origin TEXT
  ) STRICT, WITHOUT ROWID;
`;

/** The bridge's own key, at most one row. It is lost and restored together with the keys that were paired with it. */
const KEY_SCHEMA = "CREATE TABLE bridge_key (private_key TEXT NOT NULL, public_key TEXT NOT NULL) STRICT;";

const versionSchema = z.object({ user_version: z.int() });
/** Version 1 had no limits and no seal. */
const firstSchema = z.object({
  hash: z.string(),
  register: z.string(),
  scopes: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});

/** Interprets a thrown error of the disk, with the fix. */
export interface DiskWords {
  /** The file's content is wrong, not the disk. */
  isDamage(thrown: unknown): boolean;
  mendOf(thrown: unknown): string;
}

/** The tokens of a data folder cannot be read or written. The message is one line that names file, problem and fix. */
export class TokensUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TokensUnusable";
  }
}

/** The message of a TokensUnusable; undefined for any other error. */
export function tokensProblem(thrown: unknown): string | undefined {
  return thrown instanceof TokensUnusable ? thrown.message : undefined;
}

/** Runs an access to the tokens; throws TokensUnusable if the disk prevents it. */
export function onDisk<T>(dataDir: string, { isDamage, mendOf }: DiskWords, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof TokensUnusable) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    const mend = isDamage(cause)
      ? "it is damaged: move it away and make new tokens"
      : `${mendOf(cause)}, then try again`;
    throw new TokensUnusable(`${tokensFile(dataDir)} cannot be used: ${why}; ${mend}`, { cause });
  }
}

export function tokensFile(dataDir: string): string {
  return path.join(dataDir, "tokens.db");
}

/**
 * Opens `tokens.db`, created with mode 0600 and upgraded. A rollback journal with synchronous=FULL, because the lost
 * end of a write-ahead log, or bytes left by a delete, could restore a revoked token. Existing tokens are readable on a
 * read-only disk.
 */
export function openTokenDatabase(dataDir: string): DatabaseSync {
  return open(dataDir, (database) => {
    if (versionOf(database) < VERSION) bringUp(database);
  });
}

/** Opens without an upgrade, for listing: a daemon of an older version may hold the file. */
function openTokenDatabaseAsFound(dataDir: string): { readonly database: DatabaseSync; readonly version: number } {
  const database = open(dataDir, () => undefined);
  return { database, version: versionOf(database) };
}

function open(dataDir: string, prepare: (database: DatabaseSync) => void): DatabaseSync {
  const file = tokensFile(dataDir);
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    if ((fs.statSync(file).mode & 0o777) !== 0o600) fs.chmodSync(file, 0o600);
    database.exec(
      "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON",
    );
    const version = versionOf(database);
    if (version > VERSION)
      throw new TokensUnusable(
        `${file} is of version ${version}, this program knows ${VERSION}; install a newer posbridge`,
      );
    prepare(database);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

function versionOf(database: DatabaseSync): number {
  return versionSchema.parse(database.prepare("PRAGMA user_version").get()).user_version;
}

/** All or nothing: an interrupted upgrade leaves the older version intact. Another process may have upgraded first. */
function bringUp(database: DatabaseSync): void {
  transaction(database, () => {
    const version = versionOf(database);
    if (version === 0) database.exec(SCHEMA);
    if (version === 1) sealRows(database);
    if (version === 2) database.exec("ALTER TABLE tokens ADD COLUMN origin TEXT");
    if (version < VERSION) database.exec(KEY_SCHEMA);
    if (version < VERSION) database.exec(`PRAGMA user_version = ${VERSION}`);
  });
}

function transaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const done = run();
    database.exec("COMMIT");
    return done;
  } catch (cause) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw cause;
  }
}

function sealRows(database: DatabaseSync): void {
  const rows = rowsOfVersion1(database);
  database.exec(`DROP TABLE tokens; ${SCHEMA}`);
  const insert = insertToken(database);
  for (const { last_used_at, ...columns } of rows) insert(columns, last_used_at);
}

/** A row that is no longer text was damaged before it had a seal. It gave no rights then either, and is dropped. */
function rowsOfVersion1(database: DatabaseSync): readonly (TokenColumns & { readonly last_used_at: string | null })[] {
  const rows = asWritten(database.prepare("SELECT hash, register, scopes, created_at, last_used_at FROM tokens")).all();
  return rows.flatMap((row) => {
    const parsed = firstSchema.safeParse(row);
    return parsed.success ? [{ ...parsed.data, ...NOT_YET }] : [];
  });
}

/** Columns that version 1 did not have. */
const NOT_YET = { limit_payment: null, limit_day: null, origin: null };

/** Every token row of any version, without an upgrade. */
export function readTokenRows(dataDir: string): readonly ReadToken[] {
  const { database, version } = openTokenDatabaseAsFound(dataDir);
  try {
    if (version < SEALED_SINCE)
      return rowsOfVersion1(database).map((columns) => readToken({ ...columns, seal: sealOfToken(columns) }));
    const columns = version < VERSION ? "*, NULL AS origin" : "*";
    return allRows(database, columns);
  } finally {
    database.close();
  }
}

function allRows(database: DatabaseSync, columns = "*"): readonly ReadToken[] {
  return asWritten(database.prepare(`SELECT ${columns} FROM tokens`))
    .all()
    .map((row) => readToken(row));
}

/** Deletes the rows with a broken seal and returns their number. */
export function keepSound(database: DatabaseSync): number {
  return keepRows(database, () => true).length;
}

/**
 * Rewrites the table with the sound rows to keep, and returns the others. A damaged row's key may have a flipped bit,
 * so it cannot be deleted by key.
 */
export function keepRows(database: DatabaseSync, isKept: (row: SoundToken) => boolean): readonly ReadToken[] {
  return transaction(database, () => {
    const rows = allRows(database);
    const kept = rows.flatMap((row) => (row.is === "sound" && isKept(row) ? [row] : []));
    if (kept.length === rows.length) return [];
    database.exec(`DROP TABLE tokens; ${SCHEMA}`);
    const insert = insertToken(database);
    for (const { columns, entry } of kept) insert(columns, entry.lastUsedAt ?? null);
    return rows.filter((row) => row.is === "damaged" || !kept.includes(row));
  });
}

/** A flipped bit may turn text into a number too large for JavaScript; the row must still be readable. */
export function asWritten(statement: StatementSync): StatementSync {
  statement.setReadBigInts(true);
  return statement;
}

/** Writes a row together with its seal. */
export function insertToken(database: DatabaseSync): (columns: TokenColumns, lastUsedAt: string | null) => void {
  const insert = database.prepare(
    "INSERT INTO tokens (hash, register, scopes, created_at, limit_payment, limit_day, last_used_at, seal, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  return (columns, lastUsedAt) => {
    const { hash, register, scopes, created_at, limit_payment, limit_day, origin } = columns;
    const rights = [hash, register, scopes, created_at, limit_payment, limit_day] as const;
    insert.run(...rights, lastUsedAt, sealOfToken(columns), origin);
  };
}

/** Writes the time of last use, which no seal covers. */
export function useWriter(database: DatabaseSync): (hash: string, at: string) => void {
  const used = database.prepare("UPDATE tokens SET last_used_at = ? WHERE hash = ?");
  return (hash, at) => void used.run(at, hash);
}

const keySchema = z.object({ private_key: z.string(), public_key: z.string() });
type KeyRow = z.infer<typeof keySchema>;

/** The stored key of the bridge. */
export interface KeyPlace {
  /** Undefined: none yet, or one that is not text any more. */
  read(): KeyRow | undefined;
  replace(row: KeyRow): void;
}

export function keyPlace(database: DatabaseSync): KeyPlace {
  const select = asWritten(database.prepare("SELECT private_key, public_key FROM bridge_key"));
  const insert = database.prepare("INSERT INTO bridge_key (private_key, public_key) VALUES (?, ?)");
  return {
    read: () => keySchema.safeParse(select.get()).data,
    replace: ({ private_key, public_key }) =>
      transaction(database, () => {
        database.exec("DELETE FROM bridge_key");
        insert.run(private_key, public_key);
      }),
  };
}
