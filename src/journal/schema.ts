import { DatabaseSync } from "node:sqlite";
import { z } from "zod";

/**
 * Migration n upgrades version n-1 to n; the last number is `user_version`. A released one never changes. None changes
 * data under chain or seals: a journal is verified before its upgrade, and read-only commands query older versions too.
 * Each version has a recorded journal (test/unit/journal/record-version.ts).
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE stamp (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    bridge TEXT NOT NULL,
    environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
    created_at TEXT NOT NULL,
    probe BLOB
  ) STRICT;
  CREATE TABLE payments (
    payment TEXT PRIMARY KEY CHECK (instr(payment, char(10)) = 0),
    register TEXT NOT NULL,
    reference TEXT NOT NULL,
    terminal TEXT NOT NULL,
    order_key TEXT,
    type TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT,
    open INTEGER NOT NULL CHECK (open IN (0, 1)),
    created_at TEXT NOT NULL,
    last INTEGER NOT NULL,
    seal TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX payments_reference ON payments (register, reference);
  CREATE INDEX payments_newest ON payments (created_at, payment);
  CREATE INDEX payments_open ON payments (created_at, payment) WHERE open = 1;
  CREATE INDEX payments_any_register ON payments (reference);
  CREATE TABLE facts (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    payment TEXT NOT NULL REFERENCES payments (payment),
    at TEXT NOT NULL CHECK (instr(at, char(10)) = 0),
    fact TEXT NOT NULL CHECK (instr(fact, char(10)) = 0),
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX facts_payment ON facts (payment, number);
  CREATE TRIGGER facts_never_change BEFORE UPDATE ON facts BEGIN SELECT RAISE(ABORT, 'facts never change'); END;
  CREATE TRIGGER facts_never_go BEFORE DELETE ON facts BEGIN SELECT RAISE(ABORT, 'facts never go'); END;
  CREATE TRIGGER payments_never_go BEFORE DELETE ON payments BEGIN SELECT RAISE(ABORT, 'payments never go'); END;
  `,
  // Finds the payment of a request by its merchantTransactionId.
  `
  CREATE INDEX facts_operation ON facts (json_extract(fact, '$.operation.merchantTransactionId'))
    WHERE json_extract(fact, '$.operation.merchantTransactionId') IS NOT NULL;
  `,
  // Finds the payment of a booking by its gateway id: from the reply, from an operator, or from a paid link.
  `
  CREATE INDEX facts_gateway_id
    ON facts (coalesce(json_extract(fact, '$.answer.id'), json_extract(fact, '$.gatewayId'), json_extract(fact, '$.sight.transactionId')))
    WHERE coalesce(json_extract(fact, '$.answer.id'), json_extract(fact, '$.gatewayId'), json_extract(fact, '$.sight.transactionId')) IS NOT NULL;
  `,
  // The key that signs the registers' cursors, and every rollback that a cursor proved.
  `
  CREATE TABLE cursor_key (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    key TEXT NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
  CREATE TABLE rollbacks (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    noticed TEXT NOT NULL,
    confirmed TEXT,
    seal TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER rollbacks_never_go BEFORE DELETE ON rollbacks BEGIN SELECT RAISE(ABORT, 'rollbacks never go'); END;
  CREATE TRIGGER confirmed_rollbacks_never_change BEFORE UPDATE ON rollbacks WHEN OLD.confirmed IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'confirmed rollbacks never change'); END;
  `,
  // The archive. Facts of old payments are in files beside the journal; these rows give the file and the names known to
  // the gateway.
  `
  CREATE TABLE segments (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    sealed_at TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    payments INTEGER NOT NULL,
    names INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    runs TEXT NOT NULL,
    sequence_number INTEGER NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
  CREATE TABLE archived_payments (
    payment TEXT NOT NULL REFERENCES payments (payment),
    segment INTEGER NOT NULL REFERENCES segments (number),
    last INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX archived_payments_payment ON archived_payments (payment, segment);
  CREATE TABLE archived_names (kind TEXT NOT NULL CHECK (kind IN ('operation', 'gateway', 'channel')), name TEXT NOT NULL, payment TEXT NOT NULL) STRICT;
  CREATE INDEX archived_names_name ON archived_names (kind, name, payment);
  DROP TRIGGER facts_never_go;
  CREATE TRIGGER facts_never_go BEFORE DELETE ON facts
    WHEN NOT EXISTS (SELECT 1 FROM archived_payments WHERE payment = OLD.payment AND last >= OLD.number)
    BEGIN SELECT RAISE(ABORT, 'facts never go but into the archive'); END;
  CREATE TRIGGER segments_never_change BEFORE UPDATE ON segments BEGIN SELECT RAISE(ABORT, 'segments never change'); END;
  CREATE TRIGGER segments_never_go BEFORE DELETE ON segments BEGIN SELECT RAISE(ABORT, 'segments never go'); END;
  CREATE TRIGGER archived_payments_never_change BEFORE UPDATE ON archived_payments BEGIN SELECT RAISE(ABORT, 'archived payments never change'); END;
  CREATE TRIGGER archived_payments_never_go BEFORE DELETE ON archived_payments BEGIN SELECT RAISE(ABORT, 'archived payments never go'); END;
  `,
  // A register's own payments, newest first.
  `
  CREATE INDEX payments_of_register ON payments (register, created_at, payment);
  `,
  // Where the next start begins to prove, and in each row the number of its payment's facts: null in rows that an older
  // version wrote last.
  `
  CREATE TABLE checkpoint (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    number INTEGER NOT NULL,
    hash TEXT NOT NULL,
    open TEXT NOT NULL,
    sequence_number INTEGER NOT NULL,
    proved_at TEXT NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
  ALTER TABLE payments ADD COLUMN facts INTEGER;
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

const versionSchema = z.object({ user_version: z.int().nonnegative() });
const objectsSchema = z.array(z.object({ name: z.string(), sql: z.string().nullable() }));

/** 0 if no schema exists yet. */
export function versionOf(database: DatabaseSync): number {
  return versionSchema.parse(database.prepare("PRAGMA user_version").get()).user_version;
}

/** Upgrades the database inside the caller's transaction. */
export function migrate(database: DatabaseSync, from: number, to: number = SCHEMA_VERSION): void {
  for (const migration of MIGRATIONS.slice(from, to)) database.exec(migration);
  database.exec(`PRAGMA user_version = ${to}`);
}

function objectsOf(database: DatabaseSync): string {
  return JSON.stringify(
    objectsSchema.parse(database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all()),
  );
}

/** Whether all definitions match the version exactly: a damaged definition would misread sound data. */
export function hasSchema(database: DatabaseSync, version: number): boolean {
  const model = new DatabaseSync(":memory:");
  try {
    migrate(model, 0, version);
    return objectsOf(database) === objectsOf(model);
  } finally {
    model.close();
  }
}
