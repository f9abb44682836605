import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Facts of payments in a hash chain, durable before anything rests on them; a witness file names the last. */
export interface BareJournal {
  append(payment: BarePayment, facts: readonly object[]): Promise<void>;
}

export interface BarePayment {
  readonly id: string;
  readonly register: string;
  readonly reference: string;
  readonly amount: string;
  state: string;
}

export function openBareJournal(folder: string): BareJournal {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path.join(folder, "journal.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec(`
    CREATE TABLE payments (id TEXT PRIMARY KEY, register TEXT, reference TEXT, amount TEXT, state TEXT, UNIQUE (register, reference)) WITHOUT ROWID;
    CREATE TABLE facts (number INTEGER PRIMARY KEY, payment TEXT, fact TEXT, hash TEXT);
    CREATE INDEX facts_payment ON facts (payment);`);
  const [begin, commit] = [database.prepare("BEGIN IMMEDIATE"), database.prepare("COMMIT")];
  const upsert = database.prepare(
    "INSERT INTO payments VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state",
  );
  const insert = database.prepare("INSERT INTO facts VALUES (?, ?, ?, ?)");
  const witness = fs.openSync(path.join(folder, "witness"), "w", 0o600);
  let last = 0;
  let hash = "";
  let waiting: { readonly payment: BarePayment; readonly facts: readonly object[]; readonly done: () => void }[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    begin.run();
    for (const { payment, facts } of batch) {
      const { id, register, reference, amount, state } = payment;
      upsert.run(id, register, reference, amount, state);
      for (const fact of facts) {
        const text = JSON.stringify(fact);
        last += 1;
        hash = createHash("sha256").update(hash).update(text).digest("hex");
        insert.run(last, id, text, hash);
      }
    }
    commit.run();
    fs.writeSync(witness, `${String(last).padStart(16)} ${hash}\n`, 0);
    fs.fdatasyncSync(witness);
    for (const { done } of batch) done();
  };
  return {
    append: (payment, facts) =>
      new Promise((done) => {
        // Appends of one turn of the event loop share one sync.
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ payment, facts, done });
      }),
  };
}
