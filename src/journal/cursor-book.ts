import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { CursorBook, CursorRead } from "../engine/ports.ts";
import { partsOfCursor } from "../kit/cursor.ts";
import { toHex } from "../kit/hex.ts";
import type { Random } from "../kit/random.ts";
import type { ArchiveReader } from "./archive.ts";
import { type Stamp, tipOfStamp } from "./chain.ts";
import { type KeptRollback, readKey, readRollbacks, rollbackWriter, writeKey } from "./rollback-rows.ts";
import { generationOf, isBehind, signCursor } from "./signed-cursor.ts";

/** Confirmations that a lost history may have had beyond the restored copy. */
const GENERATIONS_AHEAD = 8;
const KEY_BYTES = 32;

const hashSchema = z.object({ hash: z.string() }).optional();
const numberSchema = z.object({ number: z.int() });

export interface CursorBookOn {
  readonly database: DatabaseSync;
  readonly stamp: Stamp;
  readonly random: Random;
  /** Finds the hash of an archived fact that a cursor refers to. */
  readonly archive: Pick<ArchiveReader, "hashOf">;
  /** Runs the writes in one transaction; throws JournalUnwritable. */
  write(run: () => void): void;
}

/**
 * The key is in the journal, so every copy of the folder recognises cursors of all copies. Each confirmed rollback
 * starts a new generation; older cursors prove nothing.
 */
export function openCursorBook({ database, stamp, random, archive, write }: CursorBookOn): CursorBook {
  const key = cursorKey({ database, stamp, random, write });
  const places = placesIn(database, stamp, archive);
  const keep = rollbackWriter(database, stamp);
  let kept = readRollbacks(database);
  let isWritten = true;
  let told: { readonly number: number; readonly generation: number; readonly cursor: string } | undefined;

  const generation = (): number =>
    Math.max(0, ...kept.flatMap((one) => (one.confirmed === undefined ? [] : [one.generation])));
  const save = (rollback: KeptRollback, begun: number): void => write(() => keep(rollback, begun));
  const openOne = (): KeptRollback | undefined => (kept.at(-1)?.confirmed === undefined ? kept.at(-1) : undefined);
  const replace = (before: KeptRollback | undefined, after: KeptRollback): void => {
    save(after, 0);
    kept = [...kept.filter((one) => one !== before), after];
  };
  return {
    at: (number) => {
      const now = generation();
      if (told?.number !== number || told.generation !== now) {
        told = { number, generation: now, cursor: signCursor(key, { number, generation: now }, places.hashOf(number)) };
      }
      return told.cursor;
    },
    read: (cursor) => judge(key, places, cursor, generation()),
    rollbacks: () => kept,
    notice: async ({ register, at, last, number, generation: shownIn }) => {
      const open = openOne();
      const isNew = !open?.shown.some((one) => one.register === register && one.number >= number);
      if (!isNew && isWritten) return false;
      const before = open ?? { number: kept.length + 1, noticedAt: at, last, shown: [], generation: 0 };
      const shown = isNew
        ? [...before.shown.filter((one) => one.register !== register), { register, number, at }]
        : before.shown;
      const noticed = { ...before, shown, generation: Math.max(before.generation, shownIn) };
      kept = [...kept.filter((one) => one !== open), noticed];
      isWritten = false;
      save(noticed, 0);
      isWritten = true;
      return isNew;
    },
    restored: async ({ at, last, madeAt }) => {
      const waiting = openOne();
      const before = waiting ?? { number: kept.length + 1, noticedAt: at, last, shown: [], generation: generation() };
      replace(waiting, { ...before, restored: { madeAt } });
    },
    lost: async (read) => {
      const waiting = openOne();
      if (waiting?.restored === undefined) throw new RangeError("no restored data folder waits to be confirmed");
      replace(waiting, { ...waiting, restored: { ...waiting.restored, read } });
    },
    confirm: async (word) => {
      const open = openOne();
      if (open === undefined) return undefined;
      const begun = Math.max(generation(), open.generation) + 1;
      save({ ...open, confirmed: word }, begun);
      const confirmed = { ...open, confirmed: word, generation: begun };
      kept = [...kept.slice(0, -1), confirmed];
      isWritten = true;
      return confirmed;
    },
  };
}

/** The folder's key, made on first use. */
export function cursorKey({ database, stamp, random, write }: Omit<CursorBookOn, "archive">): string {
  const found = readKey(database);
  if (found !== undefined) return found;
  const key = toHex(random.bytes(KEY_BYTES));
  write(() => writeKey(database, stamp, key));
  return key;
}

interface Places {
  hashOf(number: number): string;
  last(): number;
}

function placesIn(database: DatabaseSync, stamp: Stamp, archive: CursorBookOn["archive"]): Places {
  const fact = database.prepare("SELECT hash FROM facts WHERE number = ?");
  const newest = database.prepare("SELECT coalesce(max(number), 0) AS number FROM facts");
  const first = tipOfStamp(stamp);
  return {
    hashOf: (number) => {
      if (number === first.number) return first.hash;
      const found = hashSchema.parse(fact.get(number))?.hash ?? archive.hashOf(number);
      if (found === undefined) throw new RangeError(`there is no fact ${number}`);
      return found;
    },
    last: () => numberSchema.parse(newest.get()).number,
  };
}

/** The verdict depends on the cursor's generation, and on whether the fact it refers to is in this journal. */
function judge(key: string, places: Places, cursor: string, now: number): CursorRead {
  const parts = partsOfCursor(cursor);
  if (parts === undefined) return { is: "none" };
  const { number } = parts;
  const isBeyond = number > places.last();
  if (!("tail" in parts)) return { is: isBeyond ? "ahead" : "held", number };
  const generation = generationOf(key, number, parts.tail, generationsFrom(now));
  if (generation === undefined) return { is: "foreign", number };
  const isHere = !isBeyond && isBehind(key, { number, generation }, parts.tail, places.hashOf(number));
  if (generation > now) return { is: "rolled-back", number, generation };
  if (isHere) return { is: "held", number };
  return generation < now ? { is: "lost", number } : { is: "rolled-back", number, generation };
}

/**
 * The present generation first, so that its cursors match no other by chance. Then earlier ones, then those only a lost
 * history can have.
 */
function generationsFrom(now: number): readonly number[] {
  return [
    ...Array.from({ length: now + 1 }, (_, back) => now - back),
    ...Array.from({ length: GENERATIONS_AHEAD }, (_, ahead) => now + 1 + ahead),
  ];
}
