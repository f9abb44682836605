import fs from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { type Journal, JournalUnwritable, type NameBegins } from "../engine/ports.ts";
import { type Clock, isoTime } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { archiveReader } from "./archive.ts";
import { type Archived, type ArchiveOrder, createArchiver } from "./archiver.ts";
import { copyBeforeUpgrade } from "./before-upgrade.ts";
import type { Stamp } from "./chain.ts";
import { canShrink, makeShrinkable } from "./compact.ts";
import { countFacts, createSchema, markWitnessed, newStamp, settle, upgradeSchema } from "./create.ts";
import { cursorKey, openCursorBook } from "./cursor-book.ts";
import { type DataFolder, makePrivateFile, prepareDataFolder, syncFolder } from "./data-folder.ts";
import { openForWriting } from "./database.ts";
import { type Commit, groupCommit } from "./group-commit.ts";
import { type Given, inPlace } from "./in-place.ts";
import { inspect } from "./inspect.ts";
import { type FolderLock, lockDataFolder } from "./lock.ts";
import { journalReader } from "./reader.ts";
import { JournalRefused, refusalOf, refusalOfReading } from "./refusal.ts";
import { SCHEMA_VERSION, versionOf } from "./schema.ts";
import { type SegmentStore, segmentFiles } from "./segment-files.ts";
import { nameBeginnings } from "./signed-cursor.ts";
import { isDamage } from "./sqlite-error.ts";
import { type CheckpointKeeper, checkpointKeeper } from "./verification/checkpoint.ts";
import { damageGuard, guardedReader } from "./verification/damage-guard.ts";
import type { Verified } from "./verification/verify.ts";
import { proveWhole } from "./verification/whole.ts";
import { createWitness, openWitness, readWitness, type Witness } from "./witness.ts";
import { witnessed } from "./witnessed.ts";
import { emptyJournal, type JournalWriter, journalWriter } from "./writer.ts";

export interface JournalOptions {
  readonly dataDir: string;
  readonly environment: Stamp["environment"];
  readonly clock: Clock;
  readonly random: Random;
  /** The last fact according to a technician, for a witness that cannot tell (`acceptJournal`). */
  readonly accepted?: number;
  /** Receives repairs. */
  readonly warn?: (message: string) => void;
  /** Receives the path of the copy made before an upgrade. */
  readonly info?: (message: string) => void;
  /** The folder is itself a copy, so an upgrade copies nothing. */
  readonly isCopy?: true;
  /** Receives the duration of each durable commit, in milliseconds. */
  readonly synced?: (tookMs: number) => void;
  /** Receives damage of the journal that was found while it is open. The process should end; the next start refuses. */
  readonly damaged?: (damage: JournalRefused) => void;
}

/** The journal of a data folder, open for this process alone. */
export interface OpenJournal extends Journal {
  /** This bridge's permanent name, made with the data folder. */
  readonly bridge: string;
  readonly environment: Stamp["environment"];
  readonly nameBegins: NameBegins;
  /** Resolves if the disk accepts a write now; rejects with JournalUnwritable otherwise. */
  probe(): Promise<void>;
  /**
   * Archives facts of old payments; one run at a time. Rejects with JournalUnwritable or a disk error; segments
   * completed before it stay archived.
   */
  archive(order: ArchiveOrder): Promise<Archived>;
  /** When the whole journal was last proved, ISO 8601 UTC. */
  provedAt(): string;
  /**
   * Proves the whole journal in short steps, not while it archives. `pause` resolves when a step delays nobody; false
   * stops. Resolves with false if stopped; rejects with JournalRefused.
   */
  prove(pause: () => Promise<boolean>): Promise<boolean>;
  /** Commits waiting appends, then releases the folder. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Opens or makes the journal: locks, verifies, upgrades. Throws JournalRefused on any difference; verification is
 * read-only, so the refused journal stays unchanged.
 */
export async function openJournal(options: JournalOptions): Promise<OpenJournal> {
  const folder = prepareDataFolder(options.dataDir);
  const lock = lockDataFolder(folder);
  let database: DatabaseSync | undefined;
  try {
    requireNoRestore(folder);
    const found = inspect(folder, { extent: "since-checkpoint", accepted: options.accepted });
    const version = found === undefined ? SCHEMA_VERSION : versionOf(found.database);
    const isShrinkable = found === undefined || canShrink(found.database);
    found?.database.close();
    const { environment } = options;
    if (found !== undefined && found.stamp.environment !== environment) {
      const what = `${folder.path} belongs to environment ${found.stamp.environment} and the configuration says ${environment}`;
      throw new JournalRefused("environment-changed", `${what}; use another dataDir for ${environment}`);
    }
    // Copy before this process opens the database: closing any other handle of it drops SQLite's locks.
    if (version < SCHEMA_VERSION && options.isCopy !== true) {
      const copy = copyBeforeUpgrade(folder, SCHEMA_VERSION);
      options.info?.(`the journal is of version ${version} and becomes ${SCHEMA_VERSION}; ${copy} is the way back`);
    }
    if (!isShrinkable) tellOfShrinking(makeShrinkable(folder), options);
    makePrivateFile(folder.journal);
    database = openForWriting(folder.journal);
    // Verification used the old schema; the statements below may need this program's version.
    if (found !== undefined) upgradeSchema(database);
    const verified = found ?? create(database, folder, newStamp(environment, options));
    const { stamp, tip, marked, segments, sequenceNumber } = verified;
    const open = version < SCHEMA_VERSION ? countFacts(database, verified.open) : verified.open;
    const checkpoints = checkpointKeeper(database, stamp, verified.provedAt ?? isoTime(options.clock.now()));
    const store = segmentFiles(folder.path);
    // A file without a row is from a process killed before it archived the facts.
    store.removeAfter(segments);
    const writer = journalWriter(database, { tip, open, sequenceNumber }, checkpoints.keep);
    // Unacknowledged facts were adopted above and will be acted upon. This commit syncs them; the witness then names
    // the last one.
    writer.probe();
    const key = cursorKey({ database, stamp, random: options.random, write: writer.write });
    const witness = takeWitness(folder, database, writer, marked, options.warn);
    return serve({ folder, lock, database, writer, witness, stamp, key, store, checkpoints, options });
  } catch (cause) {
    database?.close();
    lock.release();
    // A page that no proof had to read may be damaged: the first write finds it.
    if (cause instanceof JournalUnwritable && isDamage(cause.cause))
      throw refusalOfReading(folder.journal, cause.cause);
    throw cause instanceof JournalUnwritable ? cause : refusalOf(folder.path, cause);
  }
}

function tellOfShrinking(problem: string | undefined, { info }: Pick<JournalOptions, "info">): void {
  if (problem !== undefined)
    info?.(
      `the journal could not be written anew so that it can shrink (${problem}); it keeps its size, and the next start tries again`,
    );
}

function requireNoRestore(folder: DataFolder): void {
  if (!fs.existsSync(folder.restoring)) return;
  const mend = "do it again: posbridge restore FILE --replace --config FILE";
  throw new JournalRefused(
    "unconfirmed",
    `a restore into ${folder.path} was broken off, and not all of it is there; ${mend}`,
  );
}

function create(database: DatabaseSync, folder: DataFolder, stamp: Stamp): Verified {
  createSchema(database, stamp);
  settle(database);
  syncFolder(folder.path);
  return { ...emptyJournal(stamp), stamp, marked: false, segments: 0 };
}

function takeWitness(
  folder: DataFolder,
  database: DatabaseSync,
  writer: JournalWriter,
  marked: boolean,
  warn: JournalOptions["warn"],
): Witness {
  const found = readWitness(folder.witness);
  if (found.is !== "sound") createWitness(folder.witness, writer.tip());
  if (!marked) markWitnessed(database);
  const witness = openWitness(folder.witness, found.is === "sound" ? found.slot : 0);
  try {
    if (found.is === "sound" && (found.torn || found.mended || found.tip.number !== writer.tip().number))
      witness.write(writer.tip());
    // The newest slot may have the flipped bit. A second write replaces it too.
    if (found.is === "sound" && found.mended) witness.write(writer.tip());
    // The witness names this fact by now.
    writer.checkpoint();
  } catch (cause) {
    witness.close();
    throw cause;
  }
  if (found.is === "sound" && found.mended)
    warn?.(`${folder.witness} had a flipped bit, which was turned back: check this machine's memory and disk`);
  return witness;
}

interface Parts {
  readonly folder: DataFolder;
  readonly lock: FolderLock;
  readonly database: DatabaseSync;
  readonly writer: JournalWriter;
  readonly witness: Witness;
  readonly stamp: Stamp;
  /** Signs cursors and references. */
  readonly key: string;
  readonly store: SegmentStore;
  readonly checkpoints: CheckpointKeeper;
  readonly options: Pick<JournalOptions, "random" | "clock" | "synced" | "damaged">;
}

function serve(parts: Parts): OpenJournal {
  const { lock, database, writer, witness, stamp, key, store, checkpoints, options } = parts;
  const shrinking = shrinkingOf(database);
  const requireInPlace = inPlace(parts.folder, witness, shrinking);
  const { commit, probe, write, settled, checkpoint } = witnessed(writer, witness, parts.folder.witness, () => {
    // A closed journal has no log, and reports itself as closed.
    if (database.isOpen) requireInPlace();
  });
  const commits = groupCommit(timed(commit, options), setImmediate);
  const archive = archiveReader(database, store);
  const guard = damageGuard({ checkpoints, file: parts.folder.journal, write, damaged: options.damaged });
  const reader = guardedReader(journalReader(database, archive), guard);
  const { shrunk } = shrinking;
  return {
    ...reader,
    lastSequenceNumber: async () => writer.sequenceNumber(),
    provedAt: checkpoints.provedAt,
    prove: (pause) => guard(() => prove(parts, checkpoint, pause)),
    cursors: openCursorBook({ database, stamp, random: options.random, archive, write }),
    append: commits.append,
    bridge: stamp.bridge,
    environment: stamp.environment,
    nameBegins: nameBeginnings(key, stamp.bridge),
    probe: async () => probe(),
    archive: createArchiver({
      database,
      stamp,
      store,
      clock: options.clock,
      facts: reader.facts,
      tip: writer.tip,
      write: settled,
      shrunk,
    }),
    close: async () => {
      if (!database.isOpen) return;
      commits.flush();
      keepLast(checkpoint);
      try {
        witness.close();
      } finally {
        database.close();
        lock.release();
      }
    },
  };
}

/** An orderly end leaves nothing for the next start to prove. Without it, the start proves what follows the last one. */
function keepLast(checkpoint: () => void): void {
  try {
    checkpoint();
  } catch (cause) {
    if (!(cause instanceof JournalUnwritable)) throw cause;
  }
}

async function prove(
  { database, folder, stamp, store, checkpoints, options }: Parts,
  checkpoint: () => void,
  pause: () => Promise<boolean>,
): Promise<boolean> {
  const steps = proveWhole({
    ...{ database, file: folder.journal, stamp, store },
    ...{ witnessed: undefined, withIndices: true },
  });
  while (steps.next().done !== true) if (!(await pause()) || !database.isOpen) return false;
  checkpoints.proved(isoTime(options.clock.now()));
  checkpoint();
  return true;
}

function shrinkingOf(database: DatabaseSync): Given & { shrunk(): void } {
  const pages = database.prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size");
  let least = Number.POSITIVE_INFINITY;
  return {
    least: () => least,
    shrunk: () => {
      least = Math.min(least, z.object({ bytes: z.int() }).parse(pages.get()).bytes);
    },
  };
}

function timed(commit: Commit, { clock, synced }: Parts["options"]): Commit {
  if (synced === undefined) return commit;
  return (batch) => {
    const began = clock.monotonic();
    try {
      return commit(batch);
    } finally {
      synced(clock.monotonic() - began);
    }
  };
}
