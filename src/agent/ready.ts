import type { Clock } from "../kit/clock.ts";

/** How long a look at the disk counts. A look writes and waits for the disk, and whoever reaches the port may ask as often as he likes. */
export const LOOK_MS = 5_000;

interface Look {
  readonly reasons: Promise<readonly string[]>;
  /** By the monotonic clock; without end while it is being taken, so that whoever asks meanwhile shares it. */
  freshUntil: number;
}

/**
/**
 * Why payments cannot be taken, one line each; none: ready. The port is listened on only after every open payment was loaded, so that only the journal can be in the way, a data folder that
 * was put back, or a terminal to which the first connection is being made.
 */
export interface InTheWay {
  readonly journal: { probe(): Promise<void> };
  /** Ids of terminals. */
  readonly connecting: () => readonly string[];
  /** What is known without looking anywhere. */
  readonly known: () => readonly string[];
}

export function createReadiness({ journal, connecting, known }: InTheWay, clock: Clock): () => Promise<readonly string[]> {
  const disk = lookAtDisk(journal, clock);
  return async () => [...known(), ...(await disk()), ...connecting().map((terminal) => `terminal ${terminal}: is being connected`)];
}

function lookAtDisk(journal: { probe(): Promise<void> }, clock: Clock): () => Promise<readonly string[]> {
  let last: Look | undefined;
  return () => {
    if (last !== undefined && clock.monotonic() < last.freshUntil) return last.reasons;
    const look: Look = { reasons: reasonsOf(journal), freshUntil: Number.POSITIVE_INFINITY };
    void look.reasons.then(() => {
      look.freshUntil = clock.monotonic() + LOOK_MS;
    });
    last = look;
    return look.reasons;
  };
}

async function reasonsOf(journal: { probe(): Promise<void> }): Promise<readonly string[]> {
  try {
    await journal.probe();
    return [];
  } catch (cause) {
    return [`journal: ${cause instanceof Error ? cause.message : String(cause)}`];
  }
}
