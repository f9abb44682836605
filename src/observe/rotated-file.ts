import fs from "node:fs";
import { promisify } from "node:util";
import type { Clock } from "../kit/clock.ts";
import { whileHeldLater } from "../kit/held-file.ts";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import type { LogPlace } from "./log-place.ts";

export interface RotatedFileSettings {
  readonly file: string;
  /** A file that would exceed this size is rotated. */
  readonly maxBytes: number;
  /** Rotated files to keep: `.1` is the newest. */
  readonly keep: number;
}

/** Interval of the checks whether the file was moved or removed, in milliseconds. */
const LOOK_MS = 5_000;
const BREAK = Buffer.from("\n");
const EMPTY = Buffer.alloc(0);

/** Windows refuses to move a file that a virus scanner or an editor has open. */
export interface MoveOn {
  readonly platform: Platform;
  readonly rename: (from: string, to: string) => Promise<void>;
}

const systemMove: MoveOn = { platform: systemPlatform, rename: fs.promises.rename };

interface Opened {
  readonly descriptor: number;
  readonly inode: number;
  size: number;
  /** Its last line is complete. */
  whole: boolean;
  /** A killed process left an incomplete line at the end. */
  leftTorn: boolean;
}

/**
 * A log file of mode 0600, rotated by size between lines, in Node's thread pool. Rejects if it cannot be opened.
 * Without rotation it grows to twice its size; then its holder is awaited (`whileHeldLater`), and later lines are lost.
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
  /** Before each line: checks that the file still has this name, and has room. */
  const prepare = async (length: number): Promise<void> => {
    if (clock.monotonic() - lookedAt >= LOOK_MS) {
      if ((await inodeOf(file)) !== current.inode) await exchange();
      lookedAt = clock.monotonic();
    }
    if (current.size === 0 || current.size + length <= maxBytes) return;
    // Without waiting while there is room: the next line tries again.
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

const later = {
  open: promisify(fs.open),
  stat: promisify(fs.fstat),
  chmod: promisify(fs.fchmod),
  read: promisify(fs.read),
};

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

/** Undefined: nothing is there. */
async function inodeOf(file: string): Promise<number | undefined> {
  try {
    return (await fs.promises.stat(file)).ino;
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw cause;
  }
}

/**
 * FILE becomes FILE.1, FILE.1 becomes FILE.2; the oldest is removed. An interrupted rotation leaves no FILE.1, so that
 * the next one moves nothing twice.
 */
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
