import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";

const VERSION = 1;
/** How long a statement waits for another process that reads or writes, in milliseconds. */
const BUSY_MS = 2000;

const SCHEMA = `
  CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,
    register TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_used_at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tokens_register ON tokens (register, created_at);
`;

const versionSchema = z.object({ user_version: z.int() });

/** The tokens of a data folder cannot be read; the message names the file and the mend. */
export class TokensUnreadable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TokensUnreadable";
  }
}

/** Where the tokens of a data folder are kept. */
export function tokensFile(dataDir: string): string {
  return path.join(dataDir, "tokens.db");
}

/**
 * Opens `tokens.db` in a data folder, made with mode 0600 when it is missing. A rollback journal with synchronous=FULL rather than a write-ahead log: a
 * revoked token must not come back because the end of a log was lost.
 */
export function openTokenDatabase(dataDir: string): DatabaseSync {
  const file = tokensFile(dataDir);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: BUSY_MS });
    fs.chmodSync(file, 0o600);
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
    const version = versionSchema.parse(database.prepare("PRAGMA user_version").get()).user_version;
    if (version > VERSION) throw new TokensUnreadable(`${file} is of version ${version}, this program knows ${VERSION}; install a newer posbridge`);
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA user_version = ${VERSION}; COMMIT`);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof TokensUnreadable) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TokensUnreadable(`${file} cannot be used (${why}); if it is damaged, move it away and make new tokens`, { cause });
  }
}
