import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";

/** sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero included (unix(7)). */
const MAX_PATH_BYTES: Readonly<Record<Exclude<Platform, "windows">, number>> = { linux: 107, bsd: 103 };

/**
 * The control socket is unusable, no posbridge of this version answers on it, or the request failed. The message is one
 * line with the fix.
 */
export class ControlFailed extends Error {
  /** The system denies this user the access. */
  get isForbidden(): boolean {
    const code = this.cause instanceof Error && "code" in this.cause ? this.cause.code : undefined;
    return code === "EACCES" || code === "EPERM";
  }

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ControlFailed";
  }
}

/** The address of a data folder's daemon. Throws ControlFailed if the path is too long for a socket. */
export function controlAddress(dataDir: string, platform: Platform = systemPlatform): string {
  if (platform === "windows") return pipeOf(canonical(dataDir));
  const address = path.join(path.resolve(dataDir), "control.sock");
  const [length, most] = [Buffer.byteLength(address), MAX_PATH_BYTES[platform]];
  if (length > most)
    throw new ControlFailed(
      `${address} has ${length} bytes and a socket takes ${most}; use a dataDir with a shorter path`,
    );
  return address;
}

/** The pipe of a folder. Windows ignores case in paths and accepts slashes as backslashes. */
export function pipeOf(folder: string): string {
  const name = folder.replaceAll("/", "\\").replace(/\\+$/, "").toLowerCase();
  return `\\\\.\\pipe\\posbridge-${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

/** Short names, junctions and substituted drives must lead to the folder's one pipe. */
function canonical(dataDir: string): string {
  try {
    return fs.realpathSync.native(dataDir);
  } catch {
    // A missing folder has no daemon; its creator calls this again.
    return path.resolve(dataDir);
  }
}
