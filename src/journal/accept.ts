import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { findDataFolder } from "./data-folder.ts";
import { inspect } from "./inspect.ts";
import { JournalRefused, refusalOf } from "./refusal.ts";
import { openJournal } from "./sqlite-journal.ts";

interface Acceptance {
  readonly dataDir: string;
  /** The number of the last fact. */
  readonly last: number;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Makes a new witness if a technician vouches for the last fact. `sound`: nothing to accept. `mended`: only a flipped
 * bit was corrected. Throws JournalRefused if another fact is last.
 */
export async function acceptJournal({
  dataDir,
  last,
  clock,
  random,
}: Acceptance): Promise<"accepted" | "mended" | "sound"> {
  const folder = findDataFolder(dataDir);
  try {
    const found = inspect(folder, { extent: "whole", accepted: last });
    if (found === undefined)
      throw new JournalRefused(
        "journal-missing",
        `${folder.path} holds no journal; name the dataDir of the configuration`,
      );
    const { database, doubt, stamp, isBitFlipped } = found;
    database.close();
    if (doubt === undefined && !isBitFlipped) return "sound";
    const journal = await openJournal({ dataDir, environment: stamp.environment, clock, random, accepted: last });
    await journal.close();
    return doubt === undefined ? "mended" : "accepted";
  } catch (cause) {
    throw refusalOf(folder.path, cause);
  }
}
