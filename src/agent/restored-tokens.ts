import fs from "node:fs";
import { BackupRefused } from "../journal/backup-file.ts";
import { reasonOf } from "../journal/refusal.ts";
import type { CheckedTokens } from "../journal/restore.ts";
import { isDamage, mendOf } from "../journal/sqlite-error.ts";
import {
  keepRows,
  onDisk,
  openTokenDatabase,
  readTokenRows,
  tokensFile,
  tokensProblem,
} from "../register/tokens/token-database.ts";
import { listTokens } from "../register/tokens/tokens.ts";

const disk = { isDamage, mendOf };

/** The registers with a valid token, or why the tokens cannot be read. */
export type ValidTokens = { readonly registers: readonly string[] } | { readonly problem: string };

export function validTokens(dataDir: string): ValidTokens {
  if (!fs.existsSync(tokensFile(dataDir))) return { registers: [] };
  try {
    const valid = listTokens({ dataDir, disk }).flatMap((token) => ("damaged" in token ? [] : [token.register]));
    return { registers: [...new Set(valid)] };
  } catch (cause) {
    const problem = tokensProblem(cause);
    if (problem === undefined) throw cause;
    return { problem };
  }
}

/**
 * Removes tokens from `restored`, an unused folder, that `before` no longer has. Throws BackupRefused if the disk
 * prevents it.
 */
export function dropRevoked(restored: string, before: string): CheckedTokens {
  if (!fs.existsSync(tokensFile(restored))) return { is: "dropped", registers: [] };
  const valid = validHashes(before);
  if (typeof valid === "string")
    return { is: "unchecked", why: `the tokens that ${before} held cannot be read (${valid})` };
  try {
    return onDisk(restored, disk, () => dropFrom(restored, valid));
  } catch (cause) {
    const problem = tokensProblem(cause);
    throw problem === undefined ? cause : new BackupRefused(problem, { cause });
  }
}

/** The hashes, or why they cannot be read: payments are restored nevertheless. */
function validHashes(dataDir: string): ReadonlySet<string> | string {
  try {
    return new Set(readTokenRows(dataDir).flatMap((row) => (row.is === "sound" ? [row.columns.hash] : [])));
  } catch (cause) {
    return reasonOf(cause);
  }
}

function dropFrom(dataDir: string, valid: ReadonlySet<string>): CheckedTokens {
  try {
    const database = openTokenDatabase(dataDir);
    try {
      const dropped = keepRows(database, ({ columns }) => valid.has(columns.hash));
      return {
        is: "dropped",
        registers: dropped.map((row) => (row.is === "sound" ? row.entry.register : row.register)),
      };
    } finally {
      database.close();
    }
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    fs.rmSync(tokensFile(dataDir));
    return { is: "damaged", why: reasonOf(cause) };
  }
}
