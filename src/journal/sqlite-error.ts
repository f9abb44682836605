/** Primary result codes of SQLite (sqlite.org/rescode); an extended code carries the primary one in its low byte. */
const BUSY = 5;
const CONSTRAINT = 19;
/** sqlite.org/rescode, SQLITE_CONSTRAINT_UNIQUE. */
const CONSTRAINT_UNIQUE = 2067;

function codeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !("errcode" in thrown)) return undefined;
  return typeof thrown.errcode === "number" ? thrown.errcode : undefined;
}

/** Another connection holds the lock that was needed. */
export function isBusy(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code !== undefined && (code & 0xff) === BUSY;
}

export function isUniqueViolation(thrown: unknown): boolean {
  return codeOf(thrown) === CONSTRAINT_UNIQUE;
}

/** The values broke a rule of the table; the statement left no trace. */
export function isConstraintViolation(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code !== undefined && (code & 0xff) === CONSTRAINT;
}

/** SQLite itself failed (disk full, input/output error, locked, damaged), as opposed to a mistake in this program. */
export function isSqliteError(thrown: unknown): boolean {
  return codeOf(thrown) !== undefined;
}
