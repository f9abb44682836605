import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { type Stamp, type Tip, tipOfStamp } from "../chain.ts";
import { versionOf } from "../schema.ts";

/** The schema version that added the checkpoint. */
const SINCE = 7;

/**
 * The journal up to this fact was proved. A start proves what follows it, and every open payment whole; the rest is
 * proved whenever it is read.
 */
export interface Checkpoint {
  readonly tip: Tip;
  /** Payments open at this fact, each with the seal of its row. */
  readonly open: ReadonlyMap<string, string>;
  /** The highest sequence number of the requests up to this fact. */
  readonly sequenceNumber: number;
  /** When the whole journal was last proved, ISO 8601 UTC. */
  readonly provedAt: string;
}

const columnsSchema = z.object({
  ...{ number: z.int(), hash: z.string(), open: z.string(), sequence_number: z.int(), proved_at: z.string() },
  seal: z.string(),
});
type Columns = Omit<z.infer<typeof columnsSchema>, "seal">;
const openSchema = z.array(z.tuple([z.string(), z.string()]));

/** Bound to the folder: the stamp's hash begins its chain. */
function sealOf(stamp: Stamp, { number, hash: own, open, sequence_number, proved_at }: Columns): string {
  const text = JSON.stringify([number, own, open, sequence_number, proved_at]);
  return hash("sha256", `posbridge checkpoint\n${tipOfStamp(stamp).hash}\n${text}`, "hex");
}

/** Undefined without one, or if its seal does not hold: everything has to be proved then. */
export function readCheckpoint(database: DatabaseSync, stamp: Stamp): Checkpoint | undefined {
  if (versionOf(database) < SINCE) return undefined;
  const found = columnsSchema.safeParse(
    database.prepare("SELECT number, hash, open, sequence_number, proved_at, seal FROM checkpoint").get(),
  );
  if (!found.success || found.data.seal !== sealOf(stamp, found.data)) return undefined;
  const { number, hash: own, open, sequence_number, proved_at } = found.data;
  return {
    tip: { number, hash: own },
    open: new Map(openSchema.parse(JSON.parse(open))),
    sequenceNumber: sequence_number,
    provedAt: proved_at,
  };
}

/** The checkpoint of an open journal. */
export interface CheckpointKeeper {
  /** Replaces it, inside the caller's transaction. Does nothing once forgotten. */
  keep(checkpoint: Omit<Checkpoint, "provedAt">): void;
  /** Removes it for good, inside the caller's transaction: the next start proves everything. */
  forget(): void;
  provedAt(): string;
  /** The whole journal was proved at this time, ISO 8601 UTC; the next checkpoint says so. */
  proved(at: string): void;
}

export function checkpointKeeper(database: DatabaseSync, stamp: Stamp, provedAt: string): CheckpointKeeper {
  const upsert = database.prepare("INSERT OR REPLACE INTO checkpoint VALUES (1, ?, ?, ?, ?, ?, ?)");
  let proved = provedAt;
  let isForgotten = false;
  return {
    keep: ({ tip, open, sequenceNumber }) => {
      if (isForgotten) return;
      const columns = {
        ...{ number: tip.number, hash: tip.hash, open: JSON.stringify([...open]) },
        ...{ sequence_number: sequenceNumber, proved_at: proved },
      };
      upsert.run(tip.number, tip.hash, columns.open, sequenceNumber, proved, sealOf(stamp, columns));
    },
    forget: () => {
      isForgotten = true;
      database.exec("DELETE FROM checkpoint");
    },
    provedAt: () => proved,
    proved: (at) => {
      proved = at;
    },
  };
}
