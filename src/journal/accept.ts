import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { findDataFolder } from "./data-folder.ts";
import { inspect } from "./inspect.ts";
import { JournalRefused, refusalOf } from "./refusal.ts";
import { openJournal } from "./sqlite-journal.ts";

interface Acceptance {
  readonly dataDir: string;
  /** The number of the fact that was the last one. */
  readonly last: number;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * A technician vouches that nothing was acknowledged after that fact, where the witness cannot tell: it is made anew. Throws JournalRefused where another fact is the last one, or where
 * anything else is wrong. `sound`: there is nothing to vouch for. `mended`: neither, and a flipped bit of the witness was turned back, as a start does.
 */
export async function acceptJournal({ dataDir, last, clock, random }: Acceptance): Promise<"accepted" | "mended" | "sound"> {
  const folder = findDataFolder(dataDir);
  try {
    const found = inspect(folder, last);
    if (found === undefined) throw new JournalRefused("journal-missing", `${folder.path} holds no journal; name the dataDir of the configuration`);
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
