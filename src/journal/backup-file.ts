import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promises, Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { syncFolder } from "./data-folder.ts";
import { reasonOf } from "./refusal.ts";
import { ARCHIVE } from "./segment-files.ts";
import { BLOCK_BYTES, decodeHeader, encodeHeader, isEnd, paddingOf } from "./tar.ts";

/** Files a backup may hold, in this order. */
export const BACKED_UP = [
  "journal.db",
  "journal.witness",
  "tokens.db",
  "deletions.db",
  "terminals.json",
  "paired-terminals.json",
] as const;
const MANIFEST = "manifest.json";
/** Enough for 40,000 segments of the archive. */
const MAX_MANIFEST_BYTES = 8_388_608;
/** Format 2 may contain segments. */
const FORMAT = 2;
const SEGMENT = /^archive\/[0-9]{6,9}\.jsonl\.gz$/;

const manifestSchema = z.object({
  format: z.literal("posbridge-backup"),
  formatVersion: z.int().positive(),
  /** Version of the program that made the backup. */
  posbridge: z.string(),
  madeAt: z.string(),
  bridge: z.string(),
  environment: z.enum(["test", "live"]),
  journal: z.object({
    version: z.int().positive(),
    lastFact: z.object({ number: z.int().nonnegative(), hash: z.string(), at: z.string().optional() }),
  }),
  files: z.array(
    z.object({
      name: z.union([z.enum(BACKED_UP), z.string().regex(SEGMENT)]),
      bytes: z.int().nonnegative(),
      sha256: z.string(),
    }),
  ),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A backup cannot be made or used. The message is one line: the file, the problem and the mend. */
export class BackupRefused extends Error {
  /** Wrong usage, not a failed file or disk. */
  readonly isUsage: boolean;

  constructor(message: string, { isUsage = false, ...options }: ErrorOptions & { readonly isUsage?: boolean } = {}) {
    super(message, options);
    this.name = "BackupRefused";
    this.isUsage = isUsage;
  }
}

export const manifestOf = (facts: Omit<Manifest, "format" | "formatVersion">): Manifest => ({
  format: "posbridge-backup",
  formatVersion: FORMAT,
  ...facts,
});

export async function sumOfFile(file: string): Promise<string> {
  const sum = createHash("sha256");
  for await (const chunk of fs.createReadStream(file)) sum.update(z.instanceof(Buffer).parse(chunk));
  return sum.digest("hex");
}

/** Bytes between two syncs: writing this much delays a sale's own write only briefly. */
const SYNC_BYTES = 8_388_608;

/** Syncs a growing file every SYNC_BYTES. Writing half a gigabyte at once would block the disk for seconds. */
export function syncedAsItGrows(file: string): { grown(bytes: number): void; close(): void } {
  const handle = fs.openSync(file, "r+");
  let unsynced = 0;
  return {
    grown: (bytes) => {
      unsynced += bytes;
      if (unsynced < SYNC_BYTES) return;
      unsynced = 0;
      fs.fdatasyncSync(handle);
    },
    close: () => fs.closeSync(handle),
  };
}

/** Folders of the files to pack. Segments are read from `dataDir`, all other files from `stage`. */
interface Sources {
  readonly stage: string;
  readonly dataDir: string;
}

/** Writes manifest and files as one compressed tar file of mode 0600, durable when it resolves. */
export async function packBackup(from: Sources, manifest: Manifest, to: string): Promise<void> {
  fs.closeSync(fs.openSync(to, "wx", 0o600));
  const syncing = syncedAsItGrows(to);
  const packed = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      syncing.grown(chunk.length);
      yield chunk;
    }
  };
  try {
    const parts = Readable.from(partsOf(from, manifest));
    await promises.pipeline(
      parts,
      createGzip({ level: 1 }),
      packed,
      fs.createWriteStream(to, { flags: "r+", flush: true }),
    );
  } finally {
    syncing.close();
  }
}

async function* partsOf({ stage, dataDir }: Sources, manifest: Manifest): AsyncGenerator<Buffer> {
  const seconds = Math.floor(Date.parse(manifest.madeAt) / 1000);
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield encodeHeader({ name: MANIFEST, bytes: text.length }, seconds);
  yield text;
  yield Buffer.alloc(paddingOf(text.length));
  for (const { name, bytes } of manifest.files) {
    yield encodeHeader({ name, bytes }, seconds);
    for await (const chunk of fs.createReadStream(path.join(SEGMENT.test(name) ? dataDir : stage, name)))
      yield z.instanceof(Buffer).parse(chunk);
    yield Buffer.alloc(paddingOf(bytes));
  }
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

/**
 * Unpacks a backup into an empty folder and compares every byte with the manifest. Throws BackupRefused on any
 * difference.
 */
export async function unpackBackup(file: string, into: string): Promise<Manifest> {
  const source = fs.createReadStream(file);
  const opened = source.pipe(createGunzip());
  let readFault: Error | undefined;
  source.once("error", (cause) => {
    readFault = cause;
    opened.destroy(cause);
  });
  try {
    const bytes = byteReader(opened);
    const manifest = await readManifest(file, bytes);
    const archive = path.join(into, ARCHIVE);
    const hasArchive = manifest.files.some(({ name }) => SEGMENT.test(name));
    if (hasArchive) fs.mkdirSync(archive, { mode: 0o700 });
    for (const entry of manifest.files) await unpackOne(file, bytes, entry, into);
    if (hasArchive) syncFolder(archive);
    for (const _ of [1, 2])
      if (!isEnd(await bytes.take(BLOCK_BYTES))) throw damaged(file, "there is more in it than its manifest names");
    if (!(await bytes.isAtEnd())) throw damaged(file, "there is more behind its end");
    return manifest;
  } catch (cause) {
    if (readFault !== undefined) throw unreadable(file, readFault);
    if (cause instanceof BackupRefused || isDiskFault(cause)) throw cause;
    throw damaged(file, reasonOf(cause), cause);
  } finally {
    source.destroy();
    opened.destroy();
  }
}

const NAME_IT = "name the file that posbridge backup made";

/** An error from reading the backup itself, not from writing the folder it goes into. */
function unreadable(file: string, cause: Error): BackupRefused {
  const code = "code" in cause ? cause.code : undefined;
  if (code === "ENOENT") return new BackupRefused(`${file} does not exist; ${NAME_IT}`, { cause, isUsage: true });
  const unread = `${file} cannot be read: ${reasonOf(cause)}`;
  if (code === "EISDIR") return new BackupRefused(`${unread}; ${NAME_IT}`, { cause, isUsage: true });
  if (code === "EACCES" || code === "EPERM")
    return new BackupRefused(`${unread}; let this user read it, then try again`, { cause, isUsage: true });
  return new BackupRefused(`${unread}; check the disk that it is on (dmesg), or use another copy of it`, { cause });
}

/** True for an error of the operating system, false for an error of zlib. */
function isDiskFault(cause: unknown): boolean {
  return cause instanceof Error && "syscall" in cause;
}

function damaged(file: string, why: string, cause?: unknown): BackupRefused {
  return new BackupRefused(`${file} is not a whole backup (${why}); use another one`, { cause });
}

async function readManifest(file: string, bytes: ByteReader): Promise<Manifest> {
  const header = decodeHeader(await bytes.take(BLOCK_BYTES));
  if (header?.name !== MANIFEST || header.bytes > MAX_MANIFEST_BYTES)
    throw damaged(file, "it does not begin with a manifest");
  const text = await bytes.take(header.bytes);
  await bytes.take(paddingOf(header.bytes));
  const version = z.object({ formatVersion: z.int() }).safeParse(JSON.parse(text.toString("utf8")));
  if (version.success && version.data.formatVersion > FORMAT)
    throw new BackupRefused(`${file} was made by a newer posbridge; install that version or a newer one`, {
      isUsage: true,
    });
  const manifest = manifestSchema.safeParse(JSON.parse(text.toString("utf8")));
  if (!manifest.success) throw damaged(file, "its manifest is not one of posbridge");
  const names = manifest.data.files.map(({ name }) => name);
  if (new Set(names).size !== names.length || !names.includes("journal.db") || !names.includes("journal.witness"))
    throw damaged(file, "its manifest names no journal, or a file twice");
  return manifest.data;
}

async function unpackOne(
  file: string,
  bytes: ByteReader,
  { name, bytes: size, sha256 }: Manifest["files"][number],
  into: string,
): Promise<void> {
  const header = decodeHeader(await bytes.take(BLOCK_BYTES));
  if (header?.name !== name || header.bytes !== size) throw damaged(file, `${name} is not where its manifest says`);
  const sum = createHash("sha256");
  // Close the file in every case: nothing may be written into the folder after this function ends.
  const out = await fs.promises.open(path.join(into, name), "wx", 0o600);
  try {
    for (let left = size; left > 0; ) {
      const part = await bytes.some(left);
      sum.update(part);
      left -= part.length;
      await out.appendFile(part);
    }
    await out.sync();
  } finally {
    await out.close();
  }
  await bytes.take(paddingOf(size));
  if (sum.digest("hex") !== sha256) throw damaged(file, `${name} is not what was backed up`);
}

interface ByteReader {
  /** Exactly `count` bytes; throws if the stream ends earlier. */
  take(count: number): Promise<Buffer>;
  /** At least one byte, at most `most`. */
  some(most: number): Promise<Buffer>;
  isAtEnd(): Promise<boolean>;
}

function byteReader(stream: AsyncIterable<unknown>): ByteReader {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const fill = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const next = await chunks.next();
      if (next.done === true) return false;
      rest = z.instanceof(Buffer).parse(next.value);
    }
    return true;
  };
  const some = async (most: number): Promise<Buffer> => {
    if (!(await fill())) throw new RangeError("it ends too early");
    const part = rest.subarray(0, most);
    rest = rest.subarray(part.length);
    return part;
  };
  return {
    some,
    take: async (count) => {
      const parts: Buffer[] = [];
      for (let left = count; left > 0; ) {
        const part = await some(left);
        parts.push(part);
        left -= part.length;
      }
      return Buffer.concat(parts);
    },
    isAtEnd: async () => !(await fill()),
  };
}
