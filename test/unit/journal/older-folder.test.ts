import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { readPairedBook } from "../../../src/agent/roster.ts";
import { openDeletionBook } from "../../../src/journal/deletion-book.ts";
import { openKnownTerminals } from "../../../src/journal/known-terminals.ts";
import { SCHEMA_VERSION } from "../../../src/journal/schema.ts";
import { isDamage, mendOf } from "../../../src/journal/sqlite-error.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { openTokens } from "../../../src/register/tokens/tokens.ts";
import { freshFolder, open } from "./folder.ts";
import { putRecorded, versionIn } from "./recorded.ts";

/**
 * The other files of a data folder, in the first form in which a version wrote each of them. A form once written is
 * opened by every later version.
 */
function putFirstForms(folder: string): void {
  const database = (name: string, sql: string): void => {
    const opened = new DatabaseSync(path.join(folder, name));
    opened.exec(sql);
    opened.close();
  };
  database(
    "tokens.db",
    `CREATE TABLE tokens (hash TEXT PRIMARY KEY, register TEXT NOT NULL, scopes TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT) STRICT, WITHOUT ROWID;
     CREATE INDEX tokens_register ON tokens (register, created_at);
     INSERT INTO tokens VALUES ('${"ab".repeat(32)}', 'till-1', '["payments","refunds"]', '2026-02-03T04:05:06.789Z', NULL); PRAGMA user_version = 1;`,
  );
  database(
    "deletions.db",
    `CREATE TABLE deletions (register TEXT NOT NULL, reference TEXT NOT NULL, number INTEGER NOT NULL, open INTEGER NOT NULL CHECK (open IN (0, 1)), job TEXT NOT NULL,
       PRIMARY KEY (register, reference)) STRICT, WITHOUT ROWID;
     CREATE INDEX deletions_open ON deletions (number) WHERE open = 1;
     INSERT INTO deletions VALUES ('till-1', 'D-1', 0, 1, '{"registration":"abc"}'); PRAGMA user_version = 1;`,
  );
  fs.writeFileSync(path.join(folder, "terminals.json"), '{"till-1":{"serialNumber":"0012345"}}\n');
  fs.writeFileSync(
    path.join(folder, "paired-terminals.json"),
    '{"version":1,"paired":[],"replaced":[],"labels":{"till-1":"Bar"},"changes":[{"at":"2026-02-03T04:05:06.789Z","by":"anna","did":"renamed","terminal":"till-1"}]}\n',
  );
}

describe.each(Array.from({ length: SCHEMA_VERSION }, (_, n) => n + 1))(
  "a whole data folder with a journal of version %i",
  (version) => {
    it("opens: payments, tokens, deletions, known and paired terminals", async () => {
      const folder = putRecorded(version, freshFolder());
      putFirstForms(folder);
      const journal = await open(folder);
      expect([versionIn(folder), await journal.lastNumber()]).toEqual([SCHEMA_VERSION, 44]);
      const tokens = openTokens({
        clock: systemClock,
        random: systemRandom,
        dataDir: folder,
        disk: { isDamage, mendOf },
        warn: () => undefined,
      });
      expect(tokens.list()).toMatchObject([{ register: "till-1", scopes: ["payments", "refunds"] }]);
      tokens.close();
      const deletions = openDeletionBook(folder);
      expect(await deletions.open()).toEqual([{ registration: "abc" }]);
      deletions.close();
      expect(openKnownTerminals(folder).serialNumber("till-1")).toBe("0012345");
      expect(readPairedBook(folder)).toMatchObject({ labels: { "till-1": "Bar" }, changes: [{ did: "renamed" }] });
    });
  },
);
