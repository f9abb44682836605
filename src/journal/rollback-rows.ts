import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { Rollback } from "../engine/ports.ts";
import type { Stamp } from "./chain.ts";
import { versionOf } from "./schema.ts";

/** The schema version that added these tables. */
const SINCE = 4;

const keyColumns = z.object({ key: z.string(), seal: z.string() }).optional();
const rollbackColumns = z.object({
  number: z.int(),
  noticed: z.string(),
  confirmed: z.string().nullable(),
  seal: z.string(),
});
type Columns = z.infer<typeof rollbackColumns>;

const bookingSchema = z.object({
  ...{
    id: z.string(),
    entityId: z.string(),
    paymentType: z.string(),
    amount: z.string().optional(),
    currency: z.string().optional(),
  },
  ...{ merchantTransactionId: z.string().optional(), referencedId: z.string().optional(), resultCode: z.string() },
  ...{ is: z.enum(["booked", "refused", "undecided"]), at: z.string().optional(), isOwn: z.boolean() },
  of: z.object({ register: z.string(), reference: z.string() }).optional(),
});
const readSchema = z.object({
  ...{ at: z.string(), from: z.string(), to: z.string(), bookings: z.array(bookingSchema) },
  untold: z.array(z.object({ entityId: z.string(), description: z.string() })).optional(),
});
const restorationSchema = z.object({ madeAt: z.string(), read: readSchema.optional() });

const noticedSchema = z.object({
  at: z.string(),
  last: z.int(),
  shown: z.array(z.object({ register: z.string(), number: z.int(), at: z.string() })),
  /** The highest generation of the cursors that proved the rollback. */
  generation: z.int(),
  restored: restorationSchema.optional(),
});
/** `generation`: the one that this confirmation started. */
const confirmedSchema = z.object({ at: z.string(), by: z.string(), reason: z.string(), generation: z.int() });

/** `generation`: the highest that proved the rollback; after the confirmation, the one it started. */
export interface KeptRollback extends Rollback {
  readonly generation: number;
}

const sealOfKey = ({ bridge }: Stamp, key: string): string =>
  hash("sha256", `posbridge cursor key\n${bridge}\n${key}`, "hex");

/** Bound to the folder, the number and both texts. JSON text contains no raw line break. */
function sealOfRollback({ bridge }: Stamp, { number, noticed, confirmed }: Omit<Columns, "seal">): string {
  return hash("sha256", `posbridge rollback\n${bridge}\n${number}\n${noticed}\n${confirmed ?? ""}`, "hex");
}

function kept({ number, noticed, confirmed }: Columns): KeptRollback {
  const { at, last, shown, generation, restored } = noticedSchema.parse(JSON.parse(noticed));
  const base = { number, noticedAt: at, last, shown, ...(restored && { restored }) };
  if (confirmed === null) return { ...base, generation };
  const { generation: begun, ...word } = confirmedSchema.parse(JSON.parse(confirmed));
  return { ...base, confirmed: word, generation: begun };
}

function rowsIn(database: DatabaseSync): readonly Columns[] {
  return database
    .prepare("SELECT number, noticed, confirmed, seal FROM rollbacks ORDER BY number")
    .all()
    .map((columns) => rollbackColumns.parse(columns));
}

/** Every rollback noticed in this folder, oldest first; none in a journal older than these tables. */
export function readRollbacks(database: DatabaseSync): readonly KeptRollback[] {
  return versionOf(database) < SINCE ? [] : rowsIn(database).map(kept);
}

/** Describes a changed row of the two tables, or undefined. */
export function flawOfRollbacks(database: DatabaseSync, stamp: Stamp): string | undefined {
  if (versionOf(database) < SINCE) return undefined;
  const found = keyColumns.parse(database.prepare("SELECT key, seal FROM cursor_key").get());
  if (found !== undefined && found.seal !== sealOfKey(stamp, found.key)) return "the key of its cursors was changed";
  const changed = rowsIn(database).find((row) => row.seal !== sealOfRollback(stamp, row));
  return changed && `the row of rollback ${changed.number} was changed`;
}

export function readKey(database: DatabaseSync): string | undefined {
  return keyColumns.parse(database.prepare("SELECT key, seal FROM cursor_key").get())?.key;
}

export function writeKey(database: DatabaseSync, stamp: Stamp, key: string): void {
  database.prepare("INSERT INTO cursor_key (only, key, seal) VALUES (1, ?, ?)").run(key, sealOfKey(stamp, key));
}

/** Replaces the stored rollback; `begun` is the generation that its confirmation starts. */
export function rollbackWriter(database: DatabaseSync, stamp: Stamp): (rollback: KeptRollback, begun: number) => void {
  const upsert = database.prepare(
    `INSERT INTO rollbacks (number, noticed, confirmed, seal) VALUES (?, ?, ?, ?)
     ON CONFLICT (number) DO UPDATE SET noticed = excluded.noticed, confirmed = excluded.confirmed, seal = excluded.seal`,
  );
  return ({ number, noticedAt, last, shown, generation, restored, confirmed: word }, begun) => {
    const noticed = JSON.stringify(
      noticedSchema.parse({ at: noticedAt, last, shown: [...shown], generation, restored }),
    );
    const confirmed = word === undefined ? null : JSON.stringify(confirmedSchema.parse({ ...word, generation: begun }));
    upsert.run(number, noticed, confirmed, sealOfRollback(stamp, { number, noticed, confirmed }));
  };
}
