import { JournalUnwritable, type Json, type PaymentRow } from "../engine/ports.ts";

/** Appends in one transaction at most. */
export const MAX_BATCH = 256;
/** Appends that may wait at most; a journal so far behind is not writable. */
export const MAX_WAITING = 10_000;
/**
 * A fact's JSON text at most, in characters: twice the longest answer that is read from the gateway and the longest message that a register may send. What a query showed
 * becomes a fact that says a little more of each booking than the answer did; a payment that could not be written would be asked for and end the process at every start.
 */
export const MAX_FACT_CHARACTERS = 2 * 1_048_576;

/** What one call of `append` asks for, its facts already as JSON text. */
export interface Append {
  readonly facts: readonly string[];
  readonly at: string;
  readonly row: PaymentRow;
}

/** What became of one append of a batch that was committed; an error means that this one alone left no trace. */
export type Written = { readonly last: number } | { readonly error: Error };

/** Makes a batch durable, in its order, or throws when nothing of it may be called durable. */
export type Commit = (batch: readonly Append[]) => readonly Written[];

interface Waiting {
  readonly append: Append;
  settle(written: Written): void;
}

export interface GroupCommit {
  append(facts: readonly Json[], at: string, row: PaymentRow): Promise<{ readonly last: number }>;
  /** Commits what waits now. */
  flush(): void;
  /** Takes back what waits: those promises never settle, as those of a process that died. */
  abandon(): readonly Append[];
}

/**
 * Gathers appends until `schedule` runs, and then commits all of them (up to MAX_BATCH at a time) in one transaction, in the order in which they were
 * called: many payments share one sync of the disk. A rejection of one append (a reference that is taken) leaves its neighbours alone; a failed commit
 * rejects them all.
 */
export function groupCommit(commit: Commit, schedule: (run: () => void) => void): GroupCommit {
  let waiting: Waiting[] = [];
  let scheduled = false;

  const commitBatch = (batch: readonly Waiting[]): void => {
    let written: readonly Written[];
    try {
      written = commit(batch.map(({ append }) => append));
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new JournalUnwritable(String(thrown));
      written = batch.map(() => ({ error }));
    }
    for (const [at, { settle }] of batch.entries()) settle(written[at] ?? { error: new JournalUnwritable("the commit left this append out") });
  };
  const flush = (): void => {
    scheduled = false;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      commitBatch(batch);
    }
  };
  const enqueue = (append: Append): Promise<{ readonly last: number }> =>
    new Promise((resolve, reject) => {
      waiting.push({ append, settle: (written) => ("error" in written ? reject(written.error) : resolve(written)) });
      if (scheduled) return;
      scheduled = true;
      schedule(flush);
    });

  return {
    append: async (facts, at, row) => {
      if (waiting.length >= MAX_WAITING) throw new JournalUnwritable(`${MAX_WAITING} appends already wait for the disk`);
      return enqueue({ facts: facts.map(factText), at, row: { ...row } });
    },
    flush,
    abandon: () => {
      const left = waiting.map(({ append }) => append);
      waiting = [];
      return left;
    },
  };
}

function factText(fact: Json): string {
  const text = JSON.stringify(fact);
  if (text.length > MAX_FACT_CHARACTERS) throw new RangeError(`a fact of ${text.length} characters is longer than ${MAX_FACT_CHARACTERS}`);
  return text;
}
