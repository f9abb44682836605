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

/** What a thrown error says of the disk below a file, and what a person does about it. */
export interface DiskWords {
  /** The content of the file is wrong, and not the disk. */
  isDamage(thrown: unknown): boolean;
  mendOf(thrown: unknown): string;
}

/** The tokens of a data folder cannot be read, or not be written; the message is one line that names the file, what is wrong and the mend. */
export class TokensUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TokensUnusable";
  }
}

/** Its message, for whoever asked for the tokens; undefined for whatever else was thrown. */
export function tokensProblem(thrown: unknown): string | undefined {
  return thrown instanceof TokensUnusable ? thrown.message : undefined;
}

/** Runs what reads or writes the tokens; throws TokensUnusable where the disk does not let it. */
export function onDisk<T>(dataDir: string, { isDamage, mendOf }: DiskWords, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof TokensUnusable) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    const mend = isDamage(cause) ? "it is damaged: move it away and make new tokens" : `${mendOf(cause)}, then try again`;
    throw new TokensUnusable(`${tokensFile(dataDir)} cannot be used: ${why}; ${mend}`, { cause });
  }
}

/** Where the tokens of a data folder are kept. */
export function tokensFile(dataDir: string): string {
  return path.join(dataDir, "tokens.db");
}

/**
 * Opens `tokens.db` in a data folder, made with mode 0600 when it is missing. A rollback journal with synchronous=FULL rather than a write-ahead log: a
 * revoked token must not come back because the end of a log was lost. On a disk that takes no writing the tokens that are there can be read.
 */
export function openTokenDatabase(dataDir: string): DatabaseSync {
  const file = tokensFile(dataDir);
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    if ((fs.statSync(file).mode & 0o777) !== 0o600) fs.chmodSync(file, 0o600);
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
    const version = versionSchema.parse(database.prepare("PRAGMA user_version").get()).user_version;
    if (version > VERSION) throw new TokensUnusable(`${file} is of version ${version}, this program knows ${VERSION}; install a newer posbridge`);
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA user_version = ${VERSION}; COMMIT`);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}
