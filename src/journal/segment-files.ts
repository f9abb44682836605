import fs from "node:fs";
import path from "node:path";
import { syncFolder } from "./data-folder.ts";
import { moveFile } from "./durable-file.ts";
import { systemFolderAccess } from "./folder-access.ts";

/** Storage of segments by number. A stored segment never changes. */
export interface SegmentStore {
  /** The segment's name in messages. */
  nameOf(number: number): string;
  /** Durable and complete when it resolves. */
  write(number: number, packed: Uint8Array): Promise<void>;
  /** Numbers of the stored segments. */
  numbers(): ReadonlySet<number>;
  /** Undefined if it is missing. */
  read(number: number): Uint8Array | undefined;
  /** Removes segments after this number, and unfinished ones. */
  removeAfter(number: number): void;
}

export const ARCHIVE = "archive";
const NAME = /^([0-9]{6,9})\.jsonl\.gz$/;

/** The file's name in a data folder and in a backup. */
export function segmentName(number: number): string {
  return `${String(number).padStart(6, "0")}.jsonl.gz`;
}

/** Total size of the segments. */
export function archiveBytes(dataDir: string): number {
  const folder = path.join(dataDir, ARCHIVE);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.reduce(
    (sum, name) => sum + (fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** For seeded worlds. */
export function memorySegments(): SegmentStore {
  const kept = new Map<number, Uint8Array>();
  return {
    nameOf: segmentName,
    write: async (number, packed) => void kept.set(number, packed),
    numbers: () => new Set(kept.keys()),
    read: (number) => kept.get(number),
    removeAfter: (number) => {
      for (const known of kept.keys()) if (known > number) kept.delete(known);
    },
  };
}

export function segmentFiles(dataDir: string): SegmentStore {
  const folder = path.join(dataDir, ARCHIVE);
  const fileOf = (number: number): string => path.join(folder, segmentName(number));
  return {
    nameOf: fileOf,
    write: async (number, packed) => {
      makeFolder(folder);
      const draft = `${fileOf(number)}.new`;
      const file = await fs.promises.open(draft, "w", 0o600);
      try {
        await file.writeFile(packed);
        await file.sync();
      } finally {
        await file.close();
      }
      moveFile(draft, fileOf(number));
      syncFolder(folder);
    },
    numbers: () =>
      new Set(
        (fs.existsSync(folder) ? fs.readdirSync(folder) : []).flatMap((name) => {
          const number = NAME.exec(name)?.[1];
          return number === undefined ? [] : [Number(number)];
        }),
      ),
    read: (number) => (fs.existsSync(fileOf(number)) ? fs.readFileSync(fileOf(number)) : undefined),
    removeAfter: (number) => {
      for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
        const found = NAME.exec(name.replace(/\.new$/, ""))?.[1];
        if (found !== undefined && (name.endsWith(".new") || Number(found) > number))
          fs.rmSync(path.join(folder, name));
      }
    },
  };
}

function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  fs.mkdirSync(folder, { mode: 0o700 });
  systemFolderAccess.closeNew(folder);
  syncFolder(path.dirname(folder));
}
