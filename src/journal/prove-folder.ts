import { findDataFolder } from "./data-folder.ts";
import { inspect } from "./inspect.ts";
import { JournalRefused, refusalOf } from "./refusal.ts";
import { archiveBytes } from "./segment-files.ts";

/** A journal of which everything was proved. */
export interface ProvedFolder {
  readonly bridge: string;
  /** The number of its last fact, archived ones included. */
  readonly facts: number;
  readonly open: number;
  readonly segments: number;
  /** Size of the archive's files. */
  readonly archiveBytes: number;
}

/**
 * Proves everything in a data folder, read-only, also beside a running daemon: each page, fact, row, index and file.
 * Throws JournalRefused.
 */
export function proveFolder(dataDir: string): ProvedFolder {
  const folder = findDataFolder(dataDir);
  try {
    const found = inspect(folder, { extent: "whole" });
    if (found === undefined)
      throw new JournalRefused(
        "journal-missing",
        `${folder.path} holds no journal; name the dataDir of the configuration`,
      );
    found.database.close();
    const { stamp, tip, open, segments } = found;
    const { bridge } = stamp;
    return { bridge, facts: tip.number, open: open.size, segments, archiveBytes: archiveBytes(folder.path) };
  } catch (cause) {
    throw refusalOf(folder.path, cause);
  }
}
