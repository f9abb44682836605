import type { Clock } from "../kit/clock.ts";

/** How long a check of the disk is reused: it writes and waits for the disk, and anybody at the port may ask often. */
export const LOOK_MS = 5_000;

interface Look {
  readonly reasons: Promise<readonly string[]>;
  /** By the monotonic clock; infinite during the check, so that simultaneous callers share it. */
  freshUntil: number;
}

/**
 * Why payments cannot be taken, one line each; empty: ready. Possible reasons: the journal, a rollback, a terminal's
 * first connection. The port opens only after all open payments are loaded.
 */
export interface InTheWay {
  readonly journal: { probe(): Promise<void> };
  /** Ids of terminals. */
  readonly connecting: () => readonly string[];
  /** Reasons that are known without a check. */
  readonly known: () => readonly string[];
}

export function createReadiness(
  { journal, connecting, known }: InTheWay,
  clock: Clock,
): () => Promise<readonly string[]> {
  const disk = lookAtDisk(journal, clock);
  return async () => [
    ...known(),
    ...(await disk()),
    ...connecting().map((terminal) => `terminal ${terminal}: is being connected`),
  ];
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
