import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { type DeletionBook, JournalUnwritable, type Json } from "../engine/ports.ts";
import { syncFolder } from "./data-folder.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";

const VERSION = 1;
/** How long a statement waits for another process, in milliseconds. */
const BUSY_MS = 2000;

const SCHEMA = `
  CREATE TABLE deletions (
    register TEXT NOT NULL,
    reference TEXT NOT NULL,
    number INTEGER NOT NULL,
    open INTEGER NOT NULL CHECK (open IN (0, 1)),
    job TEXT NOT NULL,
    PRIMARY KEY (register, reference)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deletions_open ON deletions (number) WHERE open = 1;
`;

const versionSchema = z.object({ user_version: z.int() });
/** JSON.parse always gives JSON; the reader of a job checks its content. */
const jobSchema = z.object({
  job: z.string().transform((text) => z.custom<Json>((value) => value !== undefined).parse(JSON.parse(text))),
});

export interface OpenDeletionBook extends DeletionBook {
  close(): void;
}

/**
 * `deletions.db` of a folder held by this process, mode 0600; throws JournalRefused. Its jobs are no payments
 * (payment/stored-card/deletion.ts) and can be requested again.
 */
export function openDeletionBook(dataDir: string): OpenDeletionBook {
  const database = openDatabase(dataDir);
  const upsert = database.prepare(
    `INSERT INTO deletions (register, reference, number, open, job) VALUES (?, ?, (SELECT count(*) FROM deletions), ?, ?)
     ON CONFLICT (register, reference) DO UPDATE SET open = excluded.open, job = excluded.job`,
  );
  const one = database.prepare("SELECT job FROM deletions WHERE register = ? AND reference = ?");
  const open = database.prepare("SELECT job FROM deletions WHERE open = 1 ORDER BY number");
  return {
    keep: async ({ register, reference, open: goesOn, job }) => {
      try {
        upsert.run(register, reference, goesOn ? 1 : 0, JSON.stringify(job));
      } catch (cause) {
        throw new JournalUnwritable(`deletions.db cannot be written: ${reasonOf(cause)}`, { cause });
      }
    },
    find: async (register, reference) => {
      const row = one.get(register, reference);
      return row === undefined ? undefined : jobSchema.parse(row).job;
    },
    open: async () => open.all().map((row) => jobSchema.parse(row).job),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

function openDatabase(dataDir: string): DatabaseSync {
  const file = path.join(dataDir, "deletions.db");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: BUSY_MS });
    fs.chmodSync(file, 0o600);
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
    const version = versionSchema.parse(database.prepare("PRAGMA user_version").get()).user_version;
    if (version > VERSION)
      throw new JournalRefused(
        "schema-newer",
        `${file} is of version ${version}, this program knows ${VERSION}; install a newer posbridge`,
      );
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA user_version = ${VERSION}; COMMIT`);
    syncFolder(dataDir);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof JournalRefused) throw cause;
    const mend = "if it is damaged, move it away and have those stored cards deleted once more";
    throw new JournalRefused("unreadable", `${file} cannot be used (${reasonOf(cause)}); ${mend}`, { cause });
  }
}
