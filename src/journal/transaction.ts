import type { DatabaseSync } from "node:sqlite";
import { JournalBroken, JournalUnwritable } from "../engine/ports.ts";
import { reasonOf } from "./refusal.ts";
import { isSqliteError, isSyncFailure, mendOf } from "./sqlite-error.ts";

/** Runs what writes, all of it or nothing; throws JournalUnwritable where the disk does not take it, and JournalBroken where nobody knows what was written. */
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

/** After a failed sync the next process may find what this one calls unwritten: nothing more is written before that was looked at. */
function unwritable(database: DatabaseSync, cause: unknown): JournalUnwritable {
  const what = `the journal cannot be written: ${reasonOf(cause)} (${database.location() ?? "in memory"}); ${mendOf(cause)}`;
  return isSyncFailure(cause) ? new JournalBroken(`${what}, then start posbridge again`, { cause }) : new JournalUnwritable(what, { cause });
}
