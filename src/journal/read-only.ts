import type { Rollback } from "../engine/ports.ts";
import { archiveReader } from "./archive.ts";
import { findDataFolder } from "./data-folder.ts";
import { openForReading } from "./database.ts";
import { inspect } from "./inspect.ts";
import { type JournalReader, journalReader } from "./reader.ts";
import { JournalRefused, refusalOf } from "./refusal.ts";
import { readRollbacks } from "./rollback-rows.ts";
import { segmentFiles } from "./segment-files.ts";
import { guardedReader, refusingGuard } from "./verification/damage-guard.ts";

export interface ReadOnlyJournal extends JournalReader {
  /** Every rollback noticed in this folder, oldest first. */
  readonly rollbacks: readonly Rollback[];
  readonly bridge: string;
  readonly environment: "test" | "live";
  close(): void;
}

/**
 * Opens the journal for commands that only read, while the daemon may write. Proved first as by a start; each payment is
 * proved when it is read.
 */
export function openReadOnly(dataDir: string, open: typeof openForReading = openForReading): ReadOnlyJournal {
  const folder = findDataFolder(dataDir);
  try {
    const found = inspect(folder, { extent: "since-checkpoint", open });
    if (found === undefined)
      throw new JournalRefused(
        "journal-missing",
        `${folder.path} holds no journal; name the dataDir of the configuration`,
      );
    const { database, stamp } = found;
    return {
      ...guardedReader(
        journalReader(database, archiveReader(database, segmentFiles(folder.path))),
        refusingGuard(folder.journal),
      ),
      bridge: stamp.bridge,
      environment: stamp.environment,
      rollbacks: readRollbacks(database),
      close: () => database.close(),
    };
  } catch (cause) {
    throw refusalOf(folder.path, cause);
  }
}
