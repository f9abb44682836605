import { DatabaseSync } from "node:sqlite";
import type { IssuerMemory } from "../../testbed/issuer.ts";
import { type Booking, bookingSchema, type Decision, decided, decisionSchema } from "./booking.ts";
import type { RecordStore } from "./records.ts";

/**
 * The sandbox's storage. Calls are complete when they return; in a file they are durable by then, against kill -9 and
 * power loss.
 */
export interface SandboxStore extends IssuerMemory, RecordStore {
  /**
   * All or nothing: commits everything that `run` wrote, or nothing if it throws. Nested calls join the outer
   * transaction.
   */
  atomically<T>(run: () => T): T;
  append(booking: Booking): void;
  /** Settles a booking with `interim`; true for the first decision only. */
  decide(id: string, decision: Decision): boolean;
  byId(id: string): Booking | undefined;
  /** In the order of acceptance. */
  byMerchantTransactionId(merchantTransactionId: string): readonly Booking[];
  /** Bookings that refer to this one, in the order of acceptance. */
  referringTo(id: string): readonly Booking[];
  /** The row behind a registration: an RG of that id, or a payment that stored its account. */
  byRegistration(id: string): Booking | undefined;
  /** Payments by this registration, in the order of acceptance. */
  chargesOf(registration: string): readonly Booking[];
  all(): readonly Booking[];
  close(): void;
}

/** The triggers keep the ledger append-only and its references valid. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS bookings (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    merchantTransactionId TEXT,
    referencedId TEXT,
    booking TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS bookingsByMerchantTransactionId ON bookings (merchantTransactionId);
  CREATE INDEX IF NOT EXISTS bookingsByReference ON bookings (referencedId);
  CREATE INDEX IF NOT EXISTS bookingsByRegistration ON bookings (json_extract(booking, '$.registrationId'));
  CREATE INDEX IF NOT EXISTS bookingsByChargedRegistration ON bookings (json_extract(booking, '$.chargedRegistrationId'));
  CREATE TRIGGER IF NOT EXISTS bookingsReferToWhatIsThere BEFORE INSERT ON bookings WHEN NEW.referencedId IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM bookings WHERE id = NEW.referencedId)
    AND NOT EXISTS (SELECT 1 FROM bookings WHERE json_extract(booking, '$.registrationId') = NEW.referencedId)
    BEGIN SELECT RAISE(ABORT, 'nothing in the ledger has the referenced id'); END;
  CREATE TRIGGER IF NOT EXISTS bookingsAreNotEdited BEFORE UPDATE ON bookings BEGIN SELECT RAISE(ABORT, 'the ledger is never edited'); END;
  CREATE TRIGGER IF NOT EXISTS bookingsAreNotRemoved BEFORE DELETE ON bookings BEGIN SELECT RAISE(ABORT, 'nothing leaves the ledger'); END;
  CREATE TABLE IF NOT EXISTS decisions (id TEXT PRIMARY KEY REFERENCES bookings (id), decision TEXT NOT NULL) STRICT;
  CREATE TRIGGER IF NOT EXISTS decisionsAreNotEdited BEFORE UPDATE ON decisions BEGIN SELECT RAISE(ABORT, 'a decision is never edited'); END;
  CREATE TRIGGER IF NOT EXISTS decisionsAreNotRemoved BEFORE DELETE ON decisions BEGIN SELECT RAISE(ABORT, 'no decision is taken back'); END;
  CREATE TABLE IF NOT EXISTS records (number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, UNIQUE (kind, id)) STRICT;
  CREATE TABLE IF NOT EXISTS issuer (key TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
`;

/** `path` is a file, or ":memory:" for a ledger that ends with the process. Both use one schema. */
export function openSandboxStore(path: string): SandboxStore {
  // The trigger checks references: a DR may refer to a stored account without a row. Older files declare a foreign key.
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  database.exec(SCHEMA);
  const insert = database.prepare(
    "INSERT INTO bookings (id, merchantTransactionId, referencedId, booking) VALUES (?, ?, ?, ?)",
  );
  const selectById = database.prepare("SELECT booking FROM bookings WHERE id = ?");
  const selectByMerchantTransactionId = database.prepare(
    "SELECT booking FROM bookings WHERE merchantTransactionId = ? ORDER BY number",
  );
  const selectByReference = database.prepare("SELECT booking FROM bookings WHERE referencedId = ? ORDER BY number");
  const selectByRegistration = database.prepare(
    "SELECT booking FROM bookings WHERE json_extract(booking, '$.registrationId') = ?",
  );
  const selectCharges = database.prepare(
    "SELECT booking FROM bookings WHERE json_extract(booking, '$.chargedRegistrationId') = ? ORDER BY number",
  );
  const selectAll = database.prepare("SELECT booking FROM bookings ORDER BY number");
  const selectRecord = database.prepare("SELECT record FROM issuer WHERE key = ?");
  const upsertRecord = database.prepare(
    "INSERT INTO issuer (key, record) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET record = excluded.record",
  );
  const insertDecision = database.prepare(
    "INSERT INTO decisions (id, decision) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
  );
  const selectDecision = database.prepare("SELECT decision FROM decisions WHERE id = ?");
  // Only waiting bookings can have a decision, so others need no second query.
  const asItStands = (booking: Booking): Booking => {
    const { decision } = (booking.interim && selectDecision.get(booking.id)) ?? {};
    return decision === undefined ? booking : decided(booking, decisionSchema.parse(JSON.parse(String(decision))));
  };
  const bookings = (rows: readonly Record<string, unknown>[]): readonly Booking[] =>
    rows.map(({ booking }) => asItStands(bookingSchema.parse(JSON.parse(String(booking)))));
  return {
    atomically(run) {
      if (database.isTransaction) return run();
      database.exec("BEGIN IMMEDIATE");
      try {
        const result = run();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    append(booking) {
      insert.run(
        booking.id,
        booking.merchantTransactionId ?? null,
        booking.referencedId ?? null,
        JSON.stringify(booking),
      );
    },
    decide: (id, decision) => Number(insertDecision.run(id, JSON.stringify(decision)).changes) === 1,
    ...recordsIn(database),
    byId: (id) => bookings(selectById.all(id))[0],
    byMerchantTransactionId: (merchantTransactionId) =>
      bookings(selectByMerchantTransactionId.all(merchantTransactionId)),
    referringTo: (id) => bookings(selectByReference.all(id)),
    byRegistration(id) {
      const [own] = bookings(selectById.all(id));
      return own?.paymentType === "RG" ? own : bookings(selectByRegistration.all(id))[0];
    },
    chargesOf: (registration) => bookings(selectCharges.all(registration)),
    all: () => bookings(selectAll.all()),
    remembered(key) {
      const { record } = selectRecord.get(key) ?? {};
      return record === undefined ? undefined : String(record);
    },
    remember(key, record) {
      upsertRecord.run(key, record);
    },
    close: () => database.close(),
  };
}

function recordsIn(database: DatabaseSync): RecordStore {
  const selectKept = database.prepare("SELECT record FROM records WHERE kind = ? AND id = ?");
  const selectKind = database.prepare("SELECT record FROM records WHERE kind = ? ORDER BY number");
  const upsertKept = database.prepare(
    "INSERT INTO records (kind, id, record) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET record = excluded.record",
  );
  const deleteKept = database.prepare("DELETE FROM records WHERE kind = ? AND id = ?");
  return {
    record(kind, id) {
      const { record } = selectKept.get(kind, id) ?? {};
      return record === undefined ? undefined : String(record);
    },
    records: (kind) => selectKind.all(kind).map(({ record }) => String(record)),
    keep: (kind, id, json) => void upsertKept.run(kind, id, json),
    forget: (kind, id) => void deleteKept.run(kind, id),
  };
}
