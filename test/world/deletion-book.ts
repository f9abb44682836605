import { type DeletionBook, JournalUnwritable, type Json } from "../../src/engine/ports.ts";
import type { Clock } from "../../src/kit/clock.ts";

/** A book of deletions for worlds: in memory, durable and acknowledged a millisecond after it was asked. */
export interface MemoryDeletionBook extends DeletionBook {
  /**
   * The process dies now, and this is what the next one finds: of what was not acknowledged yet the first `kept`. The
   * dead process is never answered again.
   */
  crash(kept: number): MemoryDeletionBook;
}

interface Entry {
  readonly open: boolean;
  readonly job: string;
}

export interface DeletionBookPorts {
  readonly clock: Clock;
  readonly isDiskFull: () => boolean;
  /** A crash that is planned for this append: before it, or once it is on the disk. */
  readonly trapped: (reference: string) => { readonly durable: boolean; readonly spring: () => void } | undefined;
}

const KEEP_MS = 1;
const parsed = (text: string): Json => JSON.parse(text);

export function createDeletionBook(on: DeletionBookPorts, entries = new Map<string, Entry>()): MemoryDeletionBook {
  const waiting: (() => void)[] = [];
  let dead = false;
  const alive = <T>(answer: () => T): Promise<T> =>
    dead ? new Promise<never>(() => undefined) : Promise.resolve(answer());
  return {
    keep: ({ register, reference, open, job }) =>
      new Promise((resolve, reject) => {
        if (on.isDiskFull()) {
          reject(new JournalUnwritable("the deletion cannot be written: the disk is full"));
          return;
        }
        const trap = dead ? undefined : on.trapped(reference);
        if (trap?.durable === false) trap.spring();
        if (dead) return;
        const write = (): void =>
          void entries.set(JSON.stringify([register, reference]), { open, job: JSON.stringify(job) });
        waiting.push(write);
        on.clock.after(KEEP_MS, () => {
          if (dead) return;
          waiting.splice(waiting.indexOf(write), 1);
          write();
          resolve();
        });
        if (trap?.durable === true) trap.spring();
      }),
    find: (register, reference) =>
      alive(() => {
        const entry = entries.get(JSON.stringify([register, reference]));
        return entry === undefined ? undefined : parsed(entry.job);
      }),
    open: () => alive(() => [...entries.values()].filter(({ open }) => open).map(({ job }) => parsed(job))),
    crash: (kept) => {
      dead = true;
      for (const write of waiting.splice(0).slice(0, kept)) write();
      return createDeletionBook(on, entries);
    },
  };
}
