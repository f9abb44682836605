import fs from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { findDataFolder } from "./data-folder.ts";
import { openForReading } from "./database.ts";
import { type JournalReader, journalReader } from "./reader.ts";
import { JournalRefused, refusalOf } from "./refusal.ts";
import { verify } from "./verify.ts";
import { readWitness } from "./witness.ts";

export interface ReadOnlyJournal extends JournalReader {
  readonly bridge: string;
  readonly environment: "test" | "live";
  close(): void;
}

/**
 * The journal for commands that only read, also while the daemon writes. Checks all of it first, as the daemon does: a list that is silently short would be
 * worse than none. The witness is read before the database, which therefore can only be ahead of it.
 */
export function openReadOnly(dataDir: string): ReadOnlyJournal {
  const folder = findDataFolder(dataDir);
  const missing = (): JournalRefused => new JournalRefused("journal-missing", `${folder.path} holds no journal; name the dataDir of the configuration`);
  let database: DatabaseSync | undefined;
  try {
    const witness = readWitness(folder.witness);
    if (!fs.existsSync(folder.journal)) throw missing();
    const opened = openForReading(folder.journal);
    database = opened;
    database.exec("BEGIN");
    const found = verify(database, folder, witness);
    database.exec("COMMIT");
    if (found === undefined) throw missing();
    return { ...journalReader(opened), bridge: found.stamp.bridge, environment: found.stamp.environment, close: () => opened.close() };
  } catch (cause) {
    database?.close();
    throw refusalOf(folder.path, cause);
  }
}
