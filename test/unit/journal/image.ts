import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { z } from "zod";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { AT, paymentRow } from "./payment-row.ts";

/** Where the facts lie at the moment of the cut. */
export const KINDS = ["all in the log", "some in the database", "a log begun anew", "all in the database"] as const;
export type Kind = (typeof KINDS)[number];

export const DATABASE = "journal.db";
export const LOG = "journal.db-wal";
export const INDEX = "journal.db-shm";
export const WITNESS = "journal.witness";

/** A fact that was acknowledged, as text: what has to be there again to the letter. */
export interface Acknowledged {
  readonly number: number;
  readonly payment: string;
  readonly at: string;
  readonly fact: string;
}

/** The files of a journal at one moment, and what had been acknowledged by then. */
export interface Image {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly facts: readonly Acknowledged[];
  /** The witness of an earlier moment, and the number that it names. */
  readonly older: { readonly witness: Buffer; readonly number: number };
}

const ROUNDS = 10;
const WRITERS = 4;
/**
 * The round in which the log is moved into the database: late, so that of a log begun anew old frames are left behind
 * the new ones.
 */
const TURN = 7;

/**
 * Writes as the bridge does: several payments at once, so that their facts share commits; some of one fact, some of
 * several, small ones and large ones.
 */
export async function imageOf(kind: Kind, folder: string, seed: number): Promise<Image> {
  const random = seededRandom(seed);
  const open = () => openJournal({ dataDir: folder, environment: "test", clock: systemClock, random: systemRandom });
  let journal = await open();
  const facts: Acknowledged[] = [];
  let older = { witness: Buffer.alloc(0), number: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round === TURN) {
      older = { witness: fs.readFileSync(path.join(folder, WITNESS)), number: facts.length };
      if (kind === "some in the database") {
        await journal.close();
        journal = await open();
      }
      if (kind === "a log begun anew") checkpoint(folder);
    }
    const appends = Array.from({ length: WRITERS }, async (_, writer) => {
      const made = Array.from({ length: 1 + random.below(3) }, (_unused, n) => ({
        fact: "queued",
        round,
        writer,
        n,
        text: "x".repeat(random.below(900)),
      }));
      const row = paymentRow(random.below(12) + 12 * writer, { state: `ROUND ${round}`, open: round % 2 === 0 });
      const { last } = await journal.append(made, AT, row);
      return made.map((fact, n) => ({
        number: last - made.length + 1 + n,
        payment: row.payment,
        at: AT,
        fact: JSON.stringify(fact),
      }));
    });
    facts.push(...(await Promise.all(appends)).flat().toSorted((a, b) => a.number - b.number));
  }
  if (kind === "all in the database") await journal.close();
  const files = new Map(
    [DATABASE, LOG, INDEX, WITNESS]
      .filter((name) => fs.existsSync(path.join(folder, name)))
      .map((name) => [name, read(folder, name)]),
  );
  await journal.close();
  return { files, facts, older };
}

/**
 * Moves the whole log into the database and leaves its file as it is: the next commit begins at its start, and old
 * frames stay behind the new ones.
 */
function checkpoint(folder: string): void {
  const database = new DatabaseSync(path.join(folder, DATABASE));
  database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  database.close();
}

export function read(folder: string, name: string): Buffer {
  return fs.readFileSync(path.join(folder, name));
}

const chained = z.object({
  number: z.int(),
  payment: z.string(),
  at: z.string(),
  fact: z.string(),
  previous: z.string(),
  hash: z.string(),
});

/** What the database holds, read past all of the product's code, its chain followed by hand. */
export function factsIn(folder: string): readonly Acknowledged[] {
  const database = new DatabaseSync(path.join(folder, DATABASE), { readOnly: true });
  try {
    const rows = database.prepare("SELECT number, payment, at, fact, previous, hash FROM facts ORDER BY number").all();
    let before: string | undefined;
    return rows.map((columns) => {
      const { previous, hash, ...fact } = chained.parse(columns);
      const text = `${fact.number}\n${fact.payment}\n${fact.at}\n${fact.fact}\n${previous}`;
      expect(hash).toBe(createHash("sha256").update(text).digest("hex"));
      if (before !== undefined) expect(previous).toBe(before);
      before = hash;
      return fact;
    });
  } finally {
    database.close();
  }
}
