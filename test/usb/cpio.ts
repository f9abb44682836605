/**
 * One file of an archive: `mode` is the file's type and permissions as stat tells them. A link's bytes are its target.
 */
export interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Uint8Array;
}

const FOLDER = 0o040_755;
export const PROGRAM = 0o100_755;
export const FILE = 0o100_644;
export const LINK = 0o120_777;

const HEADER = "070701";

/**
 * An archive in the "newc" form of cpio, which is what the kernel unpacks as its first file system
 * (Documentation/driver-api/early-userspace/buffer-format.rst).
 */
export function cpioArchive(entries: readonly Entry[]): Buffer {
  const folders = new Set<string>();
  for (const { path } of entries) {
    const parts = path.split("/").slice(0, -1);
    for (const at of parts.keys()) folders.add(parts.slice(0, at + 1).join("/"));
  }
  const all = [
    ...[...folders].sort().map((path): Entry => ({ path, mode: FOLDER, bytes: new Uint8Array() })),
    ...entries,
  ];
  const trailer: Entry = { path: "TRAILER!!!", mode: 0, bytes: new Uint8Array() };
  return Buffer.concat([...all, trailer].flatMap((entry, at) => record(entry, at + 1)));
}

function record({ path, mode, bytes }: Entry, inode: number): readonly Uint8Array[] {
  const name = Buffer.from(`${path}\0`);
  const fields = [inode, mode, 0, 0, 1, 0, bytes.length, 0, 0, 0, 0, name.length, 0];
  const header = Buffer.from(HEADER + fields.map((field) => field.toString(16).padStart(8, "0")).join(""));
  return [header, name, padding(header.length + name.length), bytes, padding(bytes.length)];
}

/** Headers and contents begin at multiples of four bytes. */
function padding(length: number): Uint8Array {
  return new Uint8Array((4 - (length % 4)) % 4);
}
