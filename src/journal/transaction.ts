import type { DatabaseSync } from "node:sqlite";
import { JournalBroken, JournalUnwritable } from "../engine/ports.ts";
import { reasonOf } from "./refusal.ts";
import { isSqliteError, isSyncFailure, mendOf } from "./sqlite-error.ts";

/**
 * Runs the writes in one transaction. Throws JournalUnwritable if the disk refuses, JournalBroken if the written state
 * is unknown.
 */
export type Transaction = (run: () => void) => void;

export function transactionsOf(database: DatabaseSync): Transaction {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  return (run) => {
    if (!database.isOpen) throw new JournalUnwritable("the journal is closed");
    try {
      begin.run();
      run();
      commit.run();
    } catch (cause) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw isSqliteError(cause) ? unwritable(database, cause) : cause;
    }
  };
}

/**
 * After a failed sync, the next process may find data that this one reported as unwritten. Write nothing until a start
 * has checked.
 */
function unwritable(database: DatabaseSync, cause: unknown): JournalUnwritable {
  const what = `the journal cannot be written: ${reasonOf(cause)} (${database.location() ?? "in memory"}); ${mendOf(cause)}`;
  return isSyncFailure(cause)
    ? new JournalBroken(`${what}, then start posbridge again`, { cause })
    : new JournalUnwritable(what, { cause });
}
