import fs from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type Journal, JournalUnwritable } from "../engine/ports.ts";
import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { type Stamp, tipOfStamp } from "./chain.ts";
import { createSchema, newStamp, settle } from "./create.ts";
import { type DataFolder, makePrivateFile, prepareDataFolder, syncFolder } from "./data-folder.ts";
import { openForReading, openForWriting } from "./database.ts";
import { groupCommit } from "./group-commit.ts";
import { type FolderLock, lockDataFolder } from "./lock.ts";
import { journalReader } from "./reader.ts";
import { JournalRefused, refusalOf } from "./refusal.ts";
import { factsMissing, type Verified, verify } from "./verify.ts";
import { createWitness, openWitness, readWitness, type Witness, type WitnessFound } from "./witness.ts";
import { witnessed } from "./witnessed.ts";
import { type JournalWriter, journalWriter } from "./writer.ts";

export interface JournalOptions {
  readonly dataDir: string;
  readonly environment: Stamp["environment"];
  readonly clock: Clock;
  readonly random: Random;
}

/** The journal of a data folder, open for this process alone. */
export interface OpenJournal extends Journal {
  /** Who this bridge is, for ever: made with the data folder. */
  readonly bridge: string;
  readonly environment: Stamp["environment"];
  /** Resolves when the disk takes a write now, and rejects with JournalUnwritable when it does not. */
  probe(): Promise<void>;
  /** Commits what waits, then gives the folder back. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Opens the journal of `dataDir`, or makes it in a folder that has none. Takes the folder's lock, reads every fact and refuses (JournalRefused) whatever is not
 * exactly what was written. It looks through a connection that cannot write, so that a refused journal is left as it was found.
 */
export async function openJournal(options: JournalOptions): Promise<OpenJournal> {
  const folder = prepareDataFolder(options.dataDir);
  const lock = lockDataFolder(folder);
  let database: DatabaseSync | undefined;
  try {
    const found = inspect(folder);
    const { environment } = options;
    if (found !== undefined && found.stamp.environment !== environment) {
      const what = `${folder.path} belongs to environment ${found.stamp.environment} and the configuration says ${environment}`;
      throw new JournalRefused("environment-changed", `${what}; use another dataDir for ${environment}`);
    }
    makePrivateFile(folder.journal);
    database = openForWriting(folder.journal);
    const { stamp, tip } = found ?? create(database, folder, newStamp(environment, options));
    const writer = journalWriter(database, tip);
    // Facts that nobody acknowledged were adopted above and will be acted upon: this commit syncs them, then the witness names the last of them.
    writer.probe();
    return serve({ folder, lock, database, writer, witness: takeWitness(folder, writer), stamp });
  } catch (cause) {
    database?.close();
    lock.release();
    throw cause instanceof JournalUnwritable ? cause : refusalOf(folder.path, cause);
  }
}

/** What the folder holds, or undefined where no journal was made in it yet. */
function inspect(folder: DataFolder): Verified | undefined {
  const witness = readWitness(folder.witness);
  const found = look(folder, witness);
  if (found === undefined && witness.is !== "missing") throw factsMissing(folder, 0, witness.is === "sound" ? witness.tip.number : 0);
  return found;
}

function look(folder: DataFolder, witness: WitnessFound): Verified | undefined {
  if (!fs.existsSync(folder.journal) || fs.statSync(folder.journal).size === 0) return undefined;
  const database = openForReading(folder.journal);
  try {
    return verify(database, folder, witness);
  } finally {
    database.close();
  }
}

function create(database: DatabaseSync, folder: DataFolder, stamp: Stamp): Verified {
  createSchema(database, stamp);
  settle(database);
  syncFolder(folder.path);
  return { stamp, tip: tipOfStamp(stamp) };
}

function takeWitness(folder: DataFolder, writer: JournalWriter): Witness {
  const found = readWitness(folder.witness);
  if (found.is !== "sound") createWitness(folder.witness, writer.tip());
  const witness = openWitness(folder.witness, found.is === "sound" ? found.slot : 0);
  witness.write(writer.tip());
  return witness;
}

interface Parts {
  readonly folder: DataFolder;
  readonly lock: FolderLock;
  readonly database: DatabaseSync;
  readonly writer: JournalWriter;
  readonly witness: Witness;
  readonly stamp: Stamp;
}

function serve(parts: Parts): OpenJournal {
  const { lock, database, witness, stamp } = parts;
  const { commit, probe } = witnessed(parts.writer, witness, parts.folder.witness);
  const { byReferenceOfAny: _, ...reader } = journalReader(database);
  const commits = groupCommit(commit, setImmediate);
  return {
    ...reader,
    append: commits.append,
    bridge: stamp.bridge,
    environment: stamp.environment,
    probe: async () => probe(),
    close: async () => {
      if (!database.isOpen) return;
      commits.flush();
      try {
        witness.close();
      } finally {
        database.close();
        lock.release();
      }
    },
  };
}
