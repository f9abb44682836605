import fs from "node:fs";
import path from "node:path";
import { type Clock, isoTime } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { BACKED_UP, BackupRefused, type Manifest, unpackBackup } from "./backup-file.ts";
import { type DataFolder, findDataFolder, prepareDataFolder, syncFolder } from "./data-folder.ts";
import { moveFile } from "./durable-file.ts";
import { inspect } from "./inspect.ts";
import { lockDataFolder } from "./lock.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";
import { mendOf } from "./sqlite-error.ts";
import { openJournal } from "./sqlite-journal.ts";

export interface RestoreOrder {
  readonly file: string;
  readonly dataDir: string;
  readonly environment: "test" | "live";
  /** A folder that holds something is emptied first, into a folder inside it. */
  readonly replace: boolean;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Restored {
  readonly manifest: Manifest;
  /** Where the files are that were in the folder before. */
  readonly replaced?: string;
}

/** What may lie in a folder that counts as empty: what a restore leaves that was broken off, and the lock. */
const LEFT: readonly string[] = ["restoring", "lock.db", "lock.db-journal", "lock.pid", "lost+found"];
/** What of a data folder is put aside. The lock is held meanwhile, and a control socket is a dead daemon's. */
const PUT_ASIDE: readonly string[] = ["journal.db", "journal.db-wal", "journal.db-shm", ...BACKED_UP.slice(2), "tokens.db-journal", "deletions.db-journal"];

/** Unpacks a backup and checks all of it as a start does. `folder` is empty, and stays the caller's. */
export async function checkBackup(file: string, folder: string): Promise<Manifest> {
  const manifest = await unpackBackup(path.resolve(file), folder);
  const found = inspect(findDataFolder(folder));
  found?.database.close();
  const { number, hash } = manifest.journal.lastFact;
  const isNamed = found !== undefined && found.tip.number === number && found.tip.hash === hash && found.stamp.bridge === manifest.bridge;
  if (!isNamed) throw new BackupRefused(`${file} is not a whole backup (its journal is not the one that its manifest names); use another one`);
  return manifest;
}

/**
 * Puts a backup into a data folder: unpacked and checked beside, then moved in file by file. The witness comes first: a folder that has it and no journal is refused by every start, so that
 * a restore that is broken off leaves nothing that sells; nor is one opened in which the draft still lies. The journal that arrives says itself that it was put back (CursorBook).
 */
export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const folder = order.replace ? prepareDataFolder(order.dataDir) : prepareEmpty(order.dataDir);
  const lock = lockDataFolder(folder);
  const draft = folder.restoring;
  try {
    fs.rmSync(draft, { recursive: true, force: true });
    fs.mkdirSync(draft, { mode: 0o700 });
    const manifest = await checkBackup(order.file, draft);
    await markRestored(order, draft, manifest);
    const replaced = moveIn(order, folder, draft);
    return { manifest, ...(replaced !== undefined && { replaced }) };
  } catch (cause) {
    if (cause instanceof BackupRefused || cause instanceof JournalRefused) throw cause;
    throw new BackupRefused(`${folder.path} cannot be written: ${reasonOf(cause)}; ${mendOf(cause)}, then try again`, { cause });
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
    lock.release();
  }
}

function prepareEmpty(dataDir: string): DataFolder {
  const where = path.resolve(dataDir);
  const names = fs.existsSync(where) && fs.statSync(where).isDirectory() ? fs.readdirSync(where) : [];
  if (names.some((name) => !LEFT.includes(name))) {
    const mend = "restore into a new folder, or say --replace: what is in it is then put aside";
    throw new BackupRefused(`${where} is not empty; ${mend}`, { isUsage: true });
  }
  return prepareDataFolder(dataDir);
}

/** From here on the journal says itself that it was put back, and is of this program's version. */
async function markRestored({ environment, clock, random }: RestoreOrder, draft: string, manifest: Manifest): Promise<void> {
  const journal = await openJournal({ dataDir: draft, environment, clock, random, isCopy: true });
  try {
    const { madeAt, journal: backedUp } = manifest;
    await journal.cursors.restored({ at: isoTime(clock.now()), last: backedUp.lastFact.number, madeAt });
  } finally {
    await journal.close();
  }
  // A log that were left behind would be lost.
  const log = fs.statSync(path.join(draft, "journal.db-wal"), { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) throw new BackupRefused(`${draft} could not be closed; try again`);
}

function moveIn({ clock }: RestoreOrder, folder: DataFolder, draft: string): string | undefined {
  const { path: where } = folder;
  const old = PUT_ASIDE.filter((name) => fs.existsSync(path.join(where, name)));
  const hasOld = old.length > 0 || fs.existsSync(folder.witness);
  const aside = path.join(where, `replaced-${isoTime(clock.now()).replaceAll(/[-:]/g, "")}`);
  if (hasOld) {
    fs.mkdirSync(aside, { mode: 0o700 });
    if (fs.existsSync(folder.witness)) fs.copyFileSync(folder.witness, path.join(aside, path.basename(folder.witness)), fs.constants.COPYFILE_EXCL);
    for (const name of old) moveFile(path.join(where, name), path.join(aside, name));
    syncFolder(aside);
    syncFolder(where);
  }
  const names = ["journal.witness", ...BACKED_UP.slice(2), "journal.db"].filter((name) => fs.existsSync(path.join(draft, name)));
  for (const name of names) {
    moveFile(path.join(draft, name), path.join(where, name));
    syncFolder(where);
  }
  return hasOld ? aside : undefined;
}
