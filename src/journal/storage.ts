import fs from "node:fs";
import { dataFolderFiles } from "./data-folder.ts";

/** Current bytes of the journal's files and of their disk. */
export interface Storage {
  readonly journal: number | undefined;
  readonly wal: number | undefined;
  readonly diskFree: number | undefined;
  readonly disk: number | undefined;
}

/** Calls stat twice and statfs once, some microseconds each. An unknown value is undefined. */
export function storageOf(dataDir: string): Storage {
  const { path, journal, log } = dataFolderFiles(dataDir);
  return { journal: bytesOf(journal), wal: bytesOf(log), ...diskOf(path) };
}

function bytesOf(file: string): number | undefined {
  return attempt(() => fs.statSync(file, { throwIfNoEntry: false })?.size);
}

function diskOf(folder: string): Pick<Storage, "diskFree" | "disk"> {
  const found = attempt(() => fs.statfsSync(folder));
  return { diskFree: found && found.bavail * found.bsize, disk: found && found.blocks * found.bsize };
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
