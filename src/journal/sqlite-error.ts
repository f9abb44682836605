/** Primary result codes of SQLite (sqlite.org/rescode); an extended code carries the primary one in its low byte. */
const CODES = {
  error: 1,
  perm: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
};
/** Extended codes (same page). */
const CONSTRAINT_UNIQUE = 2067;
const IO_SHORT_READ = 522;
/** fsync of a file or of its folder failed. */
const SYNC_FAILED: readonly number[] = [1034, 1290];

/** SQLite's codes for wrong content: an invalid page, or a statement that does not fit the tables. */
const DAMAGE: readonly number[] = [CODES.error, CODES.corrupt, CODES.constraint, CODES.mismatch, CODES.notADatabase];

function codeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !("errcode" in thrown)) return undefined;
  return typeof thrown.errcode === "number" ? thrown.errcode : undefined;
}

function primaryOf(thrown: unknown): number | undefined {
  const code = codeOf(thrown);
  return code === undefined ? undefined : code & 0xff;
}

/** Another connection holds the needed lock. */
export function isBusy(thrown: unknown): boolean {
  return primaryOf(thrown) === CODES.busy;
}

export function isUniqueViolation(thrown: unknown): boolean {
  return codeOf(thrown) === CONSTRAINT_UNIQUE;
}

/** The values broke a rule of the table; the statement left no trace. */
export function isConstraintViolation(thrown: unknown): boolean {
  return primaryOf(thrown) === CODES.constraint;
}

/** SQLite itself failed (disk full, I/O error, locked, damaged), not this program. */
export function isSqliteError(thrown: unknown): boolean {
  return codeOf(thrown) !== undefined;
}

/** The file's content is wrong. A full, failing or read-only disk says nothing about the content. */
export function isDamage(thrown: unknown): boolean {
  return codeOf(thrown) === IO_SHORT_READ || DAMAGE.some((code) => code === primaryOf(thrown));
}

/** A sync failed: nobody knows whether the previous writes are on the disk, and no later sync can tell. */
export function isSyncFailure(thrown: unknown): boolean {
  return SYNC_FAILED.some((code) => code === codeOf(thrown));
}

const MAKE_ROOM = "make room on its disk";
const LET_WRITE = "let this user write in the folder, and mount its disk for writing";
const END_HOLDER = "end whatever else has the file open";
const CHECK_DISK = "check the disk (dmesg)";

/** Codes of the operating system (errno(3)), for files that are not databases. */
const MENDS: Readonly<Record<string, string>> = {
  ENOSPC: MAKE_ROOM,
  EDQUOT: MAKE_ROOM,
  EROFS: LET_WRITE,
  EACCES: LET_WRITE,
  EPERM: LET_WRITE,
  EBUSY: END_HOLDER,
};

/** Windows reports EPERM for a rename over a file that another program has open. */
const LET_GO = `end the program that has the file open (a virus scanner, say), or ${LET_WRITE}`;

function isRenameRefused(thrown: Error): boolean {
  return "code" in thrown && thrown.code === "EPERM" && "syscall" in thrown && thrown.syscall === "rename";
}

/** The user's remedy for a disk problem. SQLite reports a full disk as an I/O error if it cannot make its -shm file. */
export function mendOf(thrown: unknown): string {
  switch (primaryOf(thrown)) {
    case CODES.full:
      return MAKE_ROOM;
    case CODES.io:
      return `${MAKE_ROOM}, or ${CHECK_DISK}`;
    case CODES.readonly:
    case CODES.cantOpen:
    case CODES.perm:
      return LET_WRITE;
    case CODES.busy:
    case CODES.locked:
      return END_HOLDER;
    default:
      if (thrown instanceof Error && isRenameRefused(thrown)) return LET_GO;
      return (
        (thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
          ? MENDS[thrown.code]
          : undefined) ?? CHECK_DISK
      );
  }
}
