import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { CursorBook, Journal } from "../engine/ports.ts";
import { type Clock, isoTime } from "../kit/clock.ts";
import { seededRandom } from "../kit/seeded-random.ts";
import { archiveReader } from "./archive.ts";
import { type Archived, type ArchiveOrder, createArchiver } from "./archiver.ts";
import { createSchema } from "./create.ts";
import { openCursorBook } from "./cursor-book.ts";
import { type GroupCommit, groupCommit } from "./group-commit.ts";
import { type JournalReader, journalReader } from "./reader.ts";
import { memorySegments } from "./segment-files.ts";
import { emptyJournal, type JournalWriter, journalWriter } from "./writer.ts";

export interface MemoryJournal extends Journal {
  archive(order: ArchiveOrder): Promise<Archived>;
  /** Size of the database in bytes. */
  size(): number;
  /** Appends not yet acknowledged. */
  waiting(): number;
  /**
   * The next process's journal: all acknowledged appends and the first `kept` waiting ones (on disk, never
   * acknowledged). Calls to the dead one never resolve.
   */
  crash(kept: number): MemoryJournal;
}

/**
 * The production journal's SQL on a database in memory, for seeded worlds. An append is durable, visible and
 * acknowledged after `appendDelayMs`.
 */
export function createMemoryJournal(on: { readonly clock: Clock; readonly appendDelayMs: number }): MemoryJournal {
  const stamp = {
    bridge: "brg_000000000000000000000000",
    environment: "test" as const,
    createdAt: isoTime(on.clock.now()),
  };
  const database = new DatabaseSync(":memory:");
  createSchema(database, stamp);
  const writer = journalWriter(database, emptyJournal(stamp));
  // A random source of its own, so that it does not change the world's draws.
  const random = seededRandom(1);
  const store = memorySegments();
  const archive = archiveReader(database, store);
  const reader = journalReader(database, archive);
  const { write, tip } = writer;
  const archiver = createArchiver({
    database,
    stamp,
    store,
    clock: on.clock,
    facts: reader.facts,
    tip,
    write,
    shrunk: () => undefined,
  });
  const pages = database.prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size");
  const size = (): number => z.object({ bytes: z.int() }).parse(pages.get()).bytes;
  return begin(
    { reader, writer, archiver, size, open: () => openCursorBook({ database, stamp, random, archive, write }) },
    on,
  );
}

interface Disk {
  readonly reader: JournalReader;
  readonly writer: JournalWriter;
  readonly archiver: MemoryJournal["archive"];
  readonly size: () => number;
  /** Each process opens its own cursor book. */
  open(): CursorBook;
}

function begin(disk: Disk, on: { readonly clock: Clock; readonly appendDelayMs: number }): MemoryJournal {
  const { reader, writer, archiver, size } = disk;
  const commits: GroupCommit = groupCommit(writer.commit, (run) => on.clock.after(on.appendDelayMs, run));
  let waiting = 0;
  let dead = false;
  const alive = <T>(answer: () => Promise<T>): Promise<T> => (dead ? new Promise<never>(() => undefined) : answer());
  const {
    facts,
    openPayments,
    byReference,
    byReferenceOfAny,
    byMerchantTransactionId,
    byGatewayId,
    naming,
    list,
    after,
  } = reader;
  const { archivedTo, lastNumber, lastSequenceNumber, channels } = reader;

  return {
    append: (appended, at, view) =>
      alive(() => {
        waiting += 1;
        return commits.append(appended, at, view).finally(() => {
          waiting -= 1;
        });
      }),
    facts: (payment) => alive(() => facts(payment)),
    openPayments: () => alive(openPayments),
    byMerchantTransactionId: (merchantTransactionId) => alive(() => byMerchantTransactionId(merchantTransactionId)),
    byGatewayId: (gatewayId) => alive(() => byGatewayId(gatewayId)),
    naming: (text) => alive(() => naming(text)),
    byReference: (register, reference) => alive(() => byReference(register, reference)),
    byReferenceOfAny: (reference) => alive(() => byReferenceOfAny(reference)),
    list: (filter) => alive(() => list(filter)),
    after: (number, limit) => alive(() => after(number, limit)),
    archivedTo: () => alive(archivedTo),
    archive: (order) => alive(() => archiver(order)),
    size,
    lastNumber: () => alive(lastNumber),
    lastSequenceNumber: () => alive(lastSequenceNumber),
    channels: () => alive(channels),
    cursors: disk.open(),
    waiting: () => waiting,
    crash: (kept) => {
      dead = true;
      for (const append of commits.abandon().slice(0, kept)) writer.commit([append]);
      return begin(disk, on);
    },
  };
}
