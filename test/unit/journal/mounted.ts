import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/**
 * Mounting takes root; without it these tests fail and say so, since a disk that is full or read-only cannot be had
 * otherwise.
 */
function mount(...words: readonly string[]): void {
  execFileSync("mount", words, { stdio: ["ignore", "ignore", "pipe"] });
}

function mountPoint(): string {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "posbridge-mounted-"));
  onTestFinished(() => fs.rmdirSync(folder));
  return folder;
}

/** Handlers of a finished test run last first, so what the test opened on the disk is closed by then. */
function unmountAtEnd(folder: string): void {
  onTestFinished(() => void execFileSync("umount", [folder]));
}

export interface SmallDisk {
  readonly folder: string;
  /** Takes all the room that is left, but for so many bytes. */
  fill(but?: number): void;
  /** Gives it back. */
  free(): void;
}

/** A disk of its own that holds so many bytes and not one more. */
export function smallDisk(bytes: number): SmallDisk {
  const folder = mountPoint();
  mount("-t", "tmpfs", "-o", `size=${bytes},mode=0700`, "tmpfs", folder);
  unmountAtEnd(folder);
  const filler = path.join(folder, "filler");
  const free = (): void => fs.rmSync(filler, { force: true });
  return {
    folder,
    free,
    fill: (but = 0) => {
      free();
      const { bavail, bsize } = fs.statfsSync(folder);
      fs.writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - but)));
    },
  };
}

export interface FailingDisk {
  readonly folder: string;
  /** The kernel finds an error on it, and lets nobody write there any more, whatever they have open. */
  fail(): void;
  /** What a technician does: take it off, check it, put it back. */
  mend(): void;
}

/** A disk of its own, as Debian mounts one: an error makes it read-only. */
export function failingDisk(bytes: number): FailingDisk {
  const image = path.join(fs.mkdtempSync(path.join(tmpdir(), "posbridge-image-")), "disk");
  onTestFinished(() => fs.rmSync(path.dirname(image), { recursive: true }));
  const folder = mountPoint();
  fs.writeFileSync(image, "");
  fs.truncateSync(image, bytes);
  execFileSync("mkfs.ext4", ["-q", "-F", image], { stdio: ["ignore", "ignore", "pipe"] });
  const join = (): void => {
    mount("-o", "loop,errors=remount-ro", image, folder);
    fs.chmodSync(folder, 0o700);
  };
  join();
  unmountAtEnd(folder);
  return {
    folder,
    fail: () => {
      const device = path.basename(
        execFileSync("findmnt", ["-n", "-o", "SOURCE", folder], { encoding: "utf8" }).trim(),
      );
      fs.writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "1");
    },
    mend: () => {
      execFileSync("umount", [folder]);
      // Its exit code 1 says that it has corrected something.
      spawnSync("e2fsck", ["-f", "-y", image], { stdio: "ignore" });
      join();
    },
  };
}

/** The same folder under another name, where nothing can be written. */
export function readOnly(folder: string): string {
  const where = mountPoint();
  mount("--bind", folder, where);
  unmountAtEnd(where);
  mount("-o", "remount,ro,bind", where);
  return where;
}
