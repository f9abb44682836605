import fs from "node:fs";
import path from "node:path";
import { type Clock, isoTime } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { BACKED_UP, BackupRefused, type Manifest, unpackBackup } from "./backup-file.ts";
import { type DataFolder, dataFolderFiles, findDataFolder, prepareDataFolder, syncFolder } from "./data-folder.ts";
import { moveFile, writeDurably } from "./durable-file.ts";
import { inspect } from "./inspect.ts";
import { lockDataFolder } from "./lock.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";
import { ARCHIVE } from "./segment-files.ts";
import { isSqliteError, mendOf } from "./sqlite-error.ts";
import { openJournal } from "./sqlite-journal.ts";

export interface RestoreOrder {
  readonly file: string;
  readonly dataDir: string;
  readonly environment: "test" | "live";
  /** Moves the existing content of the folder into a subfolder first. */
  readonly replace: boolean;
  /** Removes from the tokens in `restored` those missing in `before`: they were revoked after the backup. */
  readonly dropRevoked: (restored: string, before: string) => CheckedTokens;
  readonly clock: Clock;
  readonly random: Random;
}

export type CheckedTokens =
  /** Tokens revoked since the backup are not restored; the register of each. */
  | { readonly is: "dropped"; readonly registers: readonly string[] }
  /** Revoked tokens cannot be known: all tokens of the backup are valid. */
  | { readonly is: "unchecked"; readonly why: string }
  /** The tokens cannot be read, and none is restored. */
  | { readonly is: "damaged"; readonly why: string };

export interface Restored {
  readonly manifest: Manifest;
  readonly tokens: CheckedTokens;
  /** The subfolder with the folder's former files. */
  readonly replaced?: string;
}

/** Files allowed in an empty folder: the rest of an interrupted restore, and the lock. */
const LEFT: readonly string[] = ["restoring", "lock.db", "lock.db-journal", "lock.pid", "lost+found"];
/** Copied aside, not moved: the folder always keeps a witness, and its tokens, which show which were revoked. */
const COPIED_ASIDE = BACKED_UP.filter((name) => name !== "journal.db");
/** Moved aside. The lock is held meanwhile, so an existing control socket belongs to a dead daemon. */
const MOVED_ASIDE = [
  "journal.db",
  "journal.db-wal",
  "journal.db-shm",
  "tokens.db-journal",
  "deletions.db-journal",
  ARCHIVE,
] as const;

/** Unpacks a backup and verifies all of it as a start does. `folder` must be empty; the caller removes it. */
export async function checkBackup(file: string, folder: string): Promise<Manifest> {
  const manifest = await unpackBackup(path.resolve(file), folder);
  const found = inspect(findDataFolder(folder), { extent: "whole" });
  found?.database.close();
  const { number, hash } = manifest.journal.lastFact;
  const isNamed =
    found !== undefined &&
    found.tip.number === number &&
    found.tip.hash === hash &&
    found.stamp.bridge === manifest.bridge;
  if (!isNamed)
    throw new BackupRefused(
      `${file} is not a whole backup (its journal is not the one that its manifest names); use another one`,
    );
  return manifest;
}

/**
 * Restores a backup: unpacked and verified in a draft folder, then moved in file by file. The journal records that it
 * was restored (CursorBook).
 */
export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const folder = order.replace ? prepareDataFolder(order.dataDir) : prepareEmpty(order.dataDir);
  const lock = lockDataFolder(folder);
  const draft = folder.restoring;
  let isWhole = true;
  try {
    fs.rmSync(draft, { recursive: true, force: true });
    fs.mkdirSync(draft, { mode: 0o700 });
    const manifest = await checkBackup(order.file, draft);
    await markRestored(order, draft, manifest);
    const tokens = checkTokens(order, folder, manifest);
    requireOneAside(folder);
    // The witness moves in first. A start refuses a witness without a journal, and a folder with a draft: an
    // interrupted restore sells nothing.
    isWhole = false;
    const replaced = putAside(order, folder);
    moveIn(folder, draft);
    isWhole = true;
    return { manifest, tokens, ...(replaced !== undefined && { replaced }) };
  } catch (cause) {
    if (cause instanceof BackupRefused || cause instanceof JournalRefused) throw cause;
    throw new BackupRefused(`${folder.path} cannot be written: ${reasonOf(cause)}; ${mendOf(cause)}, then try again`, {
      cause,
    });
  } finally {
    // After a failed move the draft stays, so that no start makes a new journal in the folder.
    if (isWhole) fs.rmSync(draft, { recursive: true, force: true });
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

/** Makes the journal record that it was restored, and upgrades it to this program's version. */
async function markRestored(
  { environment, clock, random }: RestoreOrder,
  draft: string,
  manifest: Manifest,
): Promise<void> {
  const journal = await openJournal({ dataDir: draft, environment, clock, random, isCopy: true });
  try {
    const { madeAt, journal: backedUp } = manifest;
    await journal.cursors.restored({ at: isoTime(clock.now()), last: backedUp.lastFact.number, madeAt });
  } finally {
    await journal.close();
  }
  // Only the database is moved in; facts in a remaining log would be lost.
  const log = fs.statSync(path.join(draft, "journal.db-wal"), { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) throw new BackupRefused(`${draft} could not be closed; try again`);
}

function checkTokens({ dropRevoked }: RestoreOrder, folder: DataFolder, { bridge }: Manifest): CheckedTokens {
  if (!fs.existsSync(path.join(folder.path, "tokens.db")))
    return { is: "unchecked", why: `${folder.path} held no tokens` };
  if (isOfAnotherBridge(folder, bridge))
    return { is: "unchecked", why: `${folder.path} held no journal of this bridge` };
  return dropRevoked(folder.restoring, folder.path);
}

/**
 * An unreadable journal may belong to this bridge: its tokens count. A journal moved aside by an interrupted restore is
 * in `replacing`.
 */
function isOfAnotherBridge(folder: DataFolder, bridge: string): boolean {
  const isAside = !fs.existsSync(folder.journal) && fs.existsSync(folder.replacing);
  try {
    const found = inspect(isAside ? dataFolderFiles(folder.replacing) : folder, { extent: "since-checkpoint" });
    found?.database.close();
    return found?.stamp.bridge !== bridge;
  } catch (cause) {
    if (cause instanceof JournalRefused || isSqliteError(cause)) return false;
    throw cause;
  }
}

function requireOneAside({ path: where, journal, replacing }: DataFolder): void {
  if (fs.existsSync(journal) && fs.existsSync(path.join(replacing, "journal.db")))
    throw new BackupRefused(
      `${where} holds a journal, and ${replacing} another one that a restore put aside; rename ${replacing}, then try again`,
    );
}

/**
 * The folder gets its name once complete. A retried restore continues in the same folder, so a journal and its log stay
 * together.
 */
function putAside({ clock }: RestoreOrder, { path: where, replacing }: DataFolder): string | undefined {
  const isIn = (folder: string) => (name: string) => fs.existsSync(path.join(folder, name));
  const [copied, moved] = [COPIED_ASIDE.filter(isIn(where)), MOVED_ASIDE.filter(isIn(where))];
  if (copied.length + moved.length === 0 && !fs.existsSync(replacing)) return undefined;
  fs.mkdirSync(replacing, { recursive: true, mode: 0o700 });
  for (const name of copied) writeDurably(path.join(replacing, name), fs.readFileSync(path.join(where, name)));
  for (const name of moved) moveFile(path.join(where, name), path.join(replacing, name));
  syncFolder(replacing);
  const replaced = path.join(where, `replaced-${isoTime(clock.now()).replaceAll(/[-:]/g, "")}`);
  moveFile(replacing, replaced);
  syncFolder(where);
  return replaced;
}

/** The journal comes last: until then no start opens the folder. */
function moveIn({ path: where }: DataFolder, draft: string): void {
  for (const name of [...COPIED_ASIDE, ARCHIVE, "journal.db"]) {
    const from = path.join(draft, name);
    if (fs.existsSync(from)) moveFile(from, path.join(where, name));
    else fs.rmSync(path.join(where, name), { force: true });
    syncFolder(where);
  }
}
