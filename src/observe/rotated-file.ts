import fs from "node:fs";
import { promisify } from "node:util";
import type { Clock } from "../kit/clock.ts";
import { whileHeldLater } from "../kit/held-file.ts";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import type { LogPlace } from "./log-place.ts";

export interface RotatedFileSettings {
  readonly file: string;
  /** A file that would grow past this is put aside, and a new one begun. */
  readonly maxBytes: number;
  /** Files put aside: `.1` is the newest. */
  readonly keep: number;
}

/** How often somebody who moved or removed the file is looked for, in milliseconds. */
const LOOK_MS = 5_000;
const BREAK = Buffer.from("\n");
const EMPTY = Buffer.alloc(0);

/** Moving a file: Windows refuses it while a virus scanner or an editor has the file open. */
export interface MoveOn {
  readonly platform: Platform;
  readonly rename: (from: string, to: string) => Promise<void>;
}

const systemMove: MoveOn = { platform: systemPlatform, rename: fs.promises.rename };

interface Opened {
  readonly descriptor: number;
  readonly inode: number;
  size: number;
  /** The last line in it is whole. */
  whole: boolean;
  /** A process that was killed in the middle of a line left the file without its end. */
  leftTorn: boolean;
}

/**
 * A log file of mode 0600 that is rotated by size, never within a line. Everything runs in Node's thread pool: a disk that hangs holds no sale up. Rejects where it
 * cannot be opened. A file that cannot be rotated is written on up to twice its size. Then a file that another program holds is waited for (`whileHeldLater`); after that
 * lines are lost, and counted by the caller.
 */
export async function openRotatedFile(settings: RotatedFileSettings, clock: Clock, on = systemMove): Promise<LogPlace> {
  const { file, maxBytes } = settings;
  let current = await opened(file);
  let lookedAt = clock.monotonic();
  const exchange = async (): Promise<void> => {
    const { descriptor } = current;
    current = await opened(file);
    fs.close(descriptor, () => undefined);
  };
  const rotate = async (): Promise<void> => {
    await putAside(settings, on);
    await exchange();
  };
  /** Before a line begins: is the file still the one of this name, and has it room? */
  const prepare = async (length: number): Promise<void> => {
    if (clock.monotonic() - lookedAt >= LOOK_MS) {
      if ((await inodeOf(file)) !== current.inode) await exchange();
      lookedAt = clock.monotonic();
    }
    if (current.size === 0 || current.size + length <= maxBytes) return;
    // No waiting as long as there is room: the next line tries again.
    const hasRoom = current.size + length <= 2 * maxBytes;
    try {
      await (hasRoom ? rotate() : whileHeldLater({ platform: on.platform, clock }, rotate));
    } catch (cause) {
      if (!hasRoom) throw cause;
    }
  };
  const write = async (bytes: Buffer): Promise<number> => {
    if (current.whole) await prepare(bytes.length);
    const lead = current.leftTorn ? BREAK : EMPTY;
    const all = Buffer.concat([lead, bytes]);
    const taken = await written(current.descriptor, all);
    if (taken === 0) return 0;
    current.leftTorn = false;
    current.size += taken;
    current.whole = all[taken - 1] === BREAK[0];
    return taken - lead.length;
  };
  return {
    write: (bytes, done) => {
      write(bytes).then(
        (taken) => done(null, taken),
        (cause: unknown) => done(cause instanceof Error ? cause : new Error(String(cause)), 0),
      );
    },
  };
}

const later = { open: promisify(fs.open), stat: promisify(fs.fstat), chmod: promisify(fs.fchmod), read: promisify(fs.read) };

async function opened(file: string): Promise<Opened> {
  const descriptor = await later.open(file, "a+", 0o600);
  try {
    const stat = await later.stat(descriptor);
    const { size, ino, mode } = stat;
    if (stat.isFile() && process.platform !== "win32" && (mode & 0o777) !== 0o600) await later.chmod(descriptor, 0o600);
    const last = Buffer.alloc(1);
    if (size > 0) await later.read(descriptor, last, 0, 1, size - 1);
    const whole = size === 0 || last.equals(BREAK);
    return { descriptor, inode: ino, size, whole, leftTorn: !whole };
  } catch (cause) {
    fs.close(descriptor, () => undefined);
    throw cause;
  }
}

/** Undefined where nothing is there. */
async function inodeOf(file: string): Promise<number | undefined> {
  try {
    return (await fs.promises.stat(file)).ino;
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw cause;
  }
}

/** FILE becomes FILE.1, FILE.1 becomes FILE.2; the oldest goes. A try that ended halfway left no FILE.1, so that the next one moves nothing twice. */
async function putAside({ file, keep }: RotatedFileSettings, { rename }: MoveOn): Promise<void> {
  const aside = (number: number): string => `${file}.${number}`;
  if ((await inodeOf(aside(1))) !== undefined) {
    for (let number = keep - 1; number >= 1; number -= 1) {
      if ((await inodeOf(aside(number))) !== undefined) await rename(aside(number), aside(number + 1));
    }
  }
  await rename(file, aside(1));
}

function written(descriptor: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.write(descriptor, bytes, (error, taken) => (error === null ? resolve(taken) : reject(error)));
  });
}

function isAbsent(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
