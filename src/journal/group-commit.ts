import { z } from "zod";
import { JournalUnwritable, type Json, type PaymentRow } from "../engine/ports.ts";

/** Maximum appends in one transaction. */
export const MAX_BATCH = 256;
/** Maximum appends waiting. A journal this far behind counts as not writable. */
export const MAX_WAITING = 10_000;
/**
 * In characters of JSON: twice the longest gateway reply and register message. A query's fact is slightly longer than
 * its reply.
 */
export const MAX_FACT_CHARACTERS = 2 * 1_048_576;

/** One call of `append`, its facts as JSON text. */
export interface Append {
  readonly facts: readonly string[];
  readonly at: string;
  readonly row: PaymentRow;
  /** The highest sequence number of the facts' gateway requests, or 0. */
  readonly sequenceNumber: number;
}

/** Result of one append of a committed batch. An error means that only this append left no trace. */
export type Written = { readonly last: number } | { readonly error: Error };

/** Makes a batch durable in order, or throws if none of it may be called durable. */
export type Commit = (batch: readonly Append[]) => readonly Written[];

interface Waiting {
  readonly append: Append;
  settle(written: Written): void;
}

export interface GroupCommit {
  append(facts: readonly Json[], at: string, row: PaymentRow): Promise<{ readonly last: number }>;
  flush(): void;
  /** Removes the waiting appends. Their promises never settle, as after the death of a process. */
  abandon(): readonly Append[];
}

/**
 * Appends gathered until `schedule` share one disk sync, in call order. A rejected one (reference taken) leaves the
 * others alone; a failed commit rejects all.
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
    for (const [at, { settle }] of batch.entries())
      settle(written[at] ?? { error: new JournalUnwritable("the commit left this append out") });
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
      if (waiting.length >= MAX_WAITING)
        throw new JournalUnwritable(`${MAX_WAITING} appends already wait for the disk`);
      return enqueue({ facts: facts.map(factText), at, row: { ...row }, sequenceNumber: sequenceNumberIn(facts) });
    },
    flush,
    abandon: () => {
      const left = waiting.map(({ append }) => append);
      waiting = [];
      return left;
    },
  };
}

const requestSchema = z.object({ operation: z.object({ sequenceNumber: z.int() }) });

function sequenceNumberIn(facts: readonly Json[]): number {
  return Math.max(0, ...facts.map((fact) => requestSchema.safeParse(fact).data?.operation.sequenceNumber ?? 0));
}

function factText(fact: Json): string {
  const text = JSON.stringify(fact);
  // A payment that could not be written would be queried again and end the process at every start.
  if (text.length > MAX_FACT_CHARACTERS)
    throw new RangeError(`a fact of ${text.length} characters is longer than ${MAX_FACT_CHARACTERS}`);
  return text;
}
