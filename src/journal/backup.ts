import fs from "node:fs";
import path from "node:path";
import { backup, type DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { type Clock, isoTime } from "../kit/clock.ts";
import { shellWord } from "../kit/shell-word.ts";
import { closeNewFile } from "../kit/system-access-list.ts";
import { userName } from "../kit/system-accounts.ts";
import { systemUser } from "../kit/system-path-access.ts";
import {
  BACKED_UP,
  BackupRefused,
  type Manifest,
  manifestOf,
  packBackup,
  sumOfFile,
  syncedAsItGrows,
} from "./backup-file.ts";
import { megabytes } from "./before-upgrade.ts";
import { type DataFolder, findDataFolder, makePrivateFile, syncFolder } from "./data-folder.ts";
import { openForReading } from "./database.ts";
import { moveFile } from "./durable-file.ts";
import { systemFolderAccess } from "./folder-access.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";
import { versionOf } from "./schema.ts";
import { ARCHIVE, archiveBytes, segmentName } from "./segment-files.ts";
import { readSegments, type SegmentRow } from "./segment-rows.ts";
import { mendOf } from "./sqlite-error.ts";
import { type Verified, verify } from "./verification/verify.ts";
import { createWitness, readWitness } from "./witness.ts";

export interface BackupOrder {
  readonly dataDir: string;
  /** The file to write; it must not exist yet. */
  readonly file: string;
  /** Version of this program, for the manifest. */
  readonly posbridge: string;
  readonly clock: Clock;
  /** Receives the copied part of the journal, 0 to 1. */
  readonly progress?: (part: number) => void;
  /** True once the user has cancelled. */
  readonly isStopped?: () => boolean;
}

/** Pages of 4 KiB copied in one step: 2 MB. */
const PAGES_A_STEP = 500;
const PAGE_BYTES = 4096;
const DATABASES: readonly string[] = ["journal.db", "tokens.db", "deletions.db"];

const tipSchema = z.object({ number: z.int(), hash: z.string(), at: z.string() }).optional();

/**
 * Copies a data folder into one file while a daemon writes: reads one moment, delays no write. Throws BackupRefused or
 * JournalRefused, leaving no file.
 */
export async function makeBackup(order: BackupOrder): Promise<Manifest> {
  const folder = findDataFolder(order.dataDir);
  const file = path.resolve(order.file);
  requireFree(file);
  const stage = makeStage(file);
  try {
    // The copy passes the checks of a start before it is packed.
    const manifest = await fillStage(order, folder, stage);
    const packed = path.join(stage, "packed");
    await packBackup({ stage, dataDir: folder.path }, manifest, packed);
    const open = closeNewFile(packed);
    if (open !== undefined)
      throw new BackupRefused(`${file} cannot be closed to others (${open}); name a file in a folder of yours`);
    requireGoingOn(order);
    requireFree(file);
    moveFile(packed, file);
    syncFolder(path.dirname(file));
    return manifest;
  } catch (cause) {
    if (cause instanceof BackupRefused || cause instanceof JournalRefused) throw cause;
    throw new BackupRefused(`${file} cannot be written: ${reasonOf(cause)}; ${mendOf(cause)}, then try again`, {
      cause,
    });
  } finally {
    fs.rmSync(stage, { recursive: true, force: true });
  }
}

function requireFree(file: string): void {
  if (fs.existsSync(file)) throw new BackupRefused(`${file} exists; name a new file`, { isUsage: true });
}

function requireGoingOn({ isStopped }: BackupOrder): void {
  if (isStopped?.() === true) throw new BackupRefused("stopped: no backup was made");
}

/** Beside the target, so that the file can be renamed into place. Only this user may enter. */
function makeStage(file: string): string {
  try {
    const stage = fs.mkdtempSync(`${file}.part-`);
    systemFolderAccess.closeNew(stage);
    return stage;
  } catch (cause) {
    throw new BackupRefused(
      `${file} cannot be written: ${reasonOf(cause)}; ${folderMend(path.dirname(path.resolve(file)))}`,
      { cause, isUsage: true },
    );
  }
}

/** An existing folder may belong to another user. Leave it as it is and suggest a folder inside it. */
function folderMend(folder: string): string {
  const user = systemUser();
  if (user === undefined) return "name a file in a folder of yours";
  const isThere = fs.existsSync(folder);
  if (isThere && user === 0) return "name a file in a folder that can be written in";
  const own = isThere ? path.join(folder, "posbridge") : folder;
  const make = `sudo install -d -o ${userName(user) ?? user} -m 0700 ${shellWord(own)}`;
  return isThere ? `make a folder in it, and name a file there: ${make}` : `make its folder: ${make}`;
}

async function fillStage(order: BackupOrder, folder: DataFolder, stage: string): Promise<Manifest> {
  // Read the witness before the journal, so that the journal can only be ahead of it.
  const witness = readWitness(folder.witness);
  if (!fs.existsSync(folder.journal))
    throw new JournalRefused(
      "journal-missing",
      `${folder.path} holds no journal; name the dataDir of the configuration`,
    );
  requireRoom(folder, stage);
  const madeAt = isoTime(order.clock.now());
  for (const name of BACKED_UP) if (name !== "journal.witness") await copyIn(order, folder, stage, name);
  const copied = path.join(stage, "journal.db");
  const database = openForReading(copied);
  try {
    const found = verify(database, folder, witness, "whole");
    if (found === undefined)
      throw new JournalRefused(
        "journal-missing",
        `${folder.path} holds no journal; name the dataDir of the configuration`,
      );
    if (found.doubt !== undefined) throw found.doubt;
    createWitness(path.join(stage, "journal.witness"), found.tip);
    const segments = readSegments(database, found.stamp, (flaw) => new JournalRefused("view-damaged", flaw));
    const version = versionOf(database);
    return await manifestFor(order, stage, { madeAt, found, segments, version, at: lastTime(database) });
  } finally {
    database.close();
  }
}

function lastTime(database: DatabaseSync): string | undefined {
  return tipSchema.parse(database.prepare("SELECT number, hash, at FROM facts ORDER BY number DESC LIMIT 1").get())?.at;
}

interface Copied {
  readonly madeAt: string;
  readonly found: Verified;
  readonly segments: readonly SegmentRow[];
  readonly version: number;
  readonly at: string | undefined;
}

async function manifestFor(
  { posbridge }: BackupOrder,
  stage: string,
  { madeAt, found: { stamp, tip }, segments, version, at }: Copied,
): Promise<Manifest> {
  const files: Manifest["files"] = [];
  for (const name of BACKED_UP) {
    const file = path.join(stage, name);
    if (fs.existsSync(file)) files.push({ name, bytes: fs.statSync(file).size, sha256: await sumOfFile(file) });
  }
  for (const { number, bytes, sha256 } of segments)
    files.push({ name: `${ARCHIVE}/${segmentName(number)}`, bytes, sha256 });
  const { bridge, environment } = stamp;
  const lastFact = { ...tip, ...(at !== undefined && { at }) };
  return manifestOf({ posbridge, madeAt, bridge, environment, journal: { version, lastFact }, files });
}

/**
 * Room for the copy, for the packed file (less than half of the copy), and for the archive, which is compressed
 * already.
 */
function requireRoom(folder: DataFolder, stage: string): void {
  const size = [folder.journal, folder.log].reduce(
    (sum, file) => sum + (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const needed = size * 1.5 + archiveBytes(folder.path);
  const { bavail, bsize } = fs.statfsSync(stage);
  if (bavail * bsize >= needed) return;
  const where = path.dirname(stage);
  throw new BackupRefused(
    `${where} has ${megabytes(bavail * bsize)} free, and the backup needs ${megabytes(needed)} while it is made; name a file on a larger disk`,
  );
}

async function copyIn(order: BackupOrder, folder: DataFolder, stage: string, name: string): Promise<void> {
  const from = path.join(folder.path, name);
  const to = path.join(stage, name);
  if (!fs.existsSync(from)) return;
  makePrivateFile(to);
  // Text files are replaced whole, by a rename.
  if (!DATABASES.includes(name)) return fs.writeFileSync(to, fs.readFileSync(from));
  const database = openForReading(from);
  const syncing = syncedAsItGrows(to);
  try {
    // One read transaction for the whole copy: otherwise each commit of the daemon would restart it.
    database.exec("BEGIN");
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    await backup(database, to, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => {
        requireGoingOn(order);
        syncing.grown(PAGES_A_STEP * PAGE_BYTES);
        if (name === "journal.db" && totalPages > 0) order.progress?.(1 - remainingPages / totalPages);
      },
    });
  } finally {
    syncing.close();
    database.close();
  }
}
