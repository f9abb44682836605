import type { Configuration } from "../config/configuration.ts";
import { type OpenDeletionBook, openDeletionBook } from "../journal/deletion-book.ts";
import { systemFolderAccess } from "../journal/folder-access.ts";
import { type KnownTerminals, openKnownTerminals } from "../journal/known-terminals.ts";
import { isDamage, mendOf } from "../journal/sqlite-error.ts";
import { type OpenJournal, openJournal } from "../journal/sqlite-journal.ts";
import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { openTokens, type TokenStore } from "../register/tokens/tokens.ts";
import type { Closers } from "./closing.ts";
import type { PairedStore } from "./pairing-desk.ts";
import { requireConfirmed } from "./restored.ts";
import { openPairedStore } from "./roster.ts";
import { tellOfAccess } from "./telling.ts";

export interface Books {
  readonly journal: OpenJournal;
  readonly tokens: TokenStore;
  readonly deletions: OpenDeletionBook;
  readonly known: KnownTerminals;
  readonly paired: PairedStore;
}

interface BookPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly closers: Closers;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "took">;
  /** Receives damage of the journal that is found while it is open. */
  readonly damaged: (damage: Error) => void;
}

/** Opens all files of the data folder. */
export async function openBooks(
  { dataDir, environment }: Configuration,
  { closers, log, metrics, damaged, ...ports }: BookPorts,
): Promise<Books> {
  const say = { info: (message: string) => log.info({}, message), warn: (message: string) => log.warn({}, message) };
  const journal = await openJournal({
    ...ports,
    dataDir,
    environment,
    ...say,
    damaged,
    synced: (ms) => metrics.took({ of: "sync", ms }),
  });
  closers.add("journal", () => journal.close());
  requireConfirmed(journal.cursors, dataDir);
  tellOfAccess(systemFolderAccess.look(dataDir), dataDir, log);
  const tokens = openTokens({
    ...ports,
    dataDir,
    disk: { isDamage, mendOf },
    warn: (message) => log.warn({}, message),
  });
  closers.add("tokens", () => tokens.close());
  const deletions = openDeletionBook(dataDir);
  closers.add("deletions", () => deletions.close());
  return { journal, tokens, deletions, known: openKnownTerminals(dataDir), paired: openPairedStore(dataDir) };
}
