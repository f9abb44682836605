import type { PathAccess } from "./path-access.ts";

/** A user and the groups that count for reading. */
export interface Reader {
  readonly uid: number;
  readonly gids: readonly number[];
}

const READ = 0o4;
const ENTER = 0o1;

/**
 * The first place on the way to a file, from the root on, that denies reading. The list holds the file, then its
 * folders upwards. Access lists (acl(5)) are not considered.
 */
export function closedPlace([file, ...folders]: readonly PathAccess[], reader: Reader): PathAccess | undefined {
  if (file === undefined || reader.uid === 0) return undefined;
  return (
    folders.toReversed().find((folder) => !has(ENTER, folder, reader)) ?? (has(READ, file, reader) ? undefined : file)
  );
}

function has(right: number, { uid, gid, mode }: PathAccess, reader: Reader): boolean {
  const shift = uid === reader.uid ? 6 : gid !== undefined && reader.gids.includes(gid) ? 3 : 0;
  return ((mode >> shift) & right) !== 0;
}
