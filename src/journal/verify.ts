import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { commandWord } from "../kit/shell-word.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { requireFile } from "./archive.ts";
import { flawOf, type Stamp, sealOfRow, type Tip, tipOfStamp } from "./chain.ts";
import type { DataFolder } from "./data-folder.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";
import { flawOfRollbacks } from "./rollback-rows.ts";
import { readChained, readSealedRow } from "./rows.ts";
import { hasSchema, SCHEMA_VERSION, versionOf } from "./schema.ts";
import type { Run } from "./segment.ts";
import { segmentFiles } from "./segment-files.ts";
import { type ArchiveRows, readArchiveRows, type SegmentRow } from "./segment-rows.ts";
import { isDamage, isSqliteError, mendOf } from "./sqlite-error.ts";
import type { WitnessFound } from "./witness.ts";

export const RESTORE = "restore the last backup (docs/journal.md)";

const integritySchema = z.object({ integrity_check: z.string() });
const markSchema = z.object({ application_id: z.int() });
const stampSchema = z
  .object({ bridge: z.string(), environment: z.enum(["test", "live"]), created_at: z.string() })
  .transform(({ bridge, environment, created_at }): Stamp => ({ bridge, environment, createdAt: created_at }));

export interface Verified {
  readonly stamp: Stamp;
  readonly tip: Tip;
  /** A witness was made for this journal, which is now invalid without one. */
  readonly marked: boolean;
  /** Rows of the archive, each compared with its file. */
  readonly segments: readonly SegmentRow[];
  /**
   * Everything here is whole, but the witness cannot tell whether more is missing. No sale until a technician confirms
   * it.
   */
  readonly doubt?: JournalRefused;
}

/**
 * Undefined if the journal was never made. Throws JournalRefused on damage or lost facts. Facts beyond the witness are
 * sound: the process died before acknowledging them.
 */
export function verify(database: DatabaseSync, folder: DataFolder, witness: WitnessFound): Verified | undefined {
  try {
    const version = versionOf(database);
    if (version > SCHEMA_VERSION) {
      throw new JournalRefused(
        "schema-newer",
        `${folder.journal} is of version ${version}, this program knows ${SCHEMA_VERSION}; install a newer posbridge`,
      );
    }
    if (version === 0 && hasSchema(database, 0)) return undefined;
    requireSoundDatabase(database, folder, version);
    const stamp = stampSchema.parse(database.prepare("SELECT bridge, environment, created_at FROM stamp").get());
    const archive = readArchiveRows(database, stamp);
    if (typeof archive === "string") throw viewDamaged(folder, archive);
    const { tip, at, atWitness, lastOf } = followChain({ database, folder, stamp, archive }, witness);
    const marked = markSchema.parse(database.prepare("PRAGMA application_id").get()).application_id !== 0;
    const doubt = requireWitnessed(folder, { tip, at, atWitness, marked }, witness);
    requireSealed(database, folder, lastOf);
    const flaw = flawOfRollbacks(database, stamp);
    if (flaw !== undefined) throw viewDamaged(folder, flaw);
    const { segments } = archive;
    const store = segmentFiles(folder.path);
    for (const segment of segments) requireFile(segment, store);
    return { stamp, tip, marked, segments, ...(doubt !== undefined && { doubt }) };
  } catch (cause) {
    throw refusalOfReading(folder, cause);
  }
}

function viewDamaged(folder: DataFolder, flaw: string): JournalRefused {
  return new JournalRefused("view-damaged", `${folder.journal}: ${flaw}; ${RESTORE}`);
}

/** A disk that cannot be read now says nothing about its content, so do not suggest restoring a backup. */
function refusalOfReading(folder: DataFolder, cause: unknown): unknown {
  // RangeError: a number no column of ours holds (node:sqlite gives none beyond 2^53).
  const isNonsense = cause instanceof z.ZodError || cause instanceof RangeError;
  if (!isSqliteError(cause) && !isNonsense) return cause;
  if (!isNonsense && !isDamage(cause)) {
    return new JournalRefused(
      "unreadable",
      `${folder.journal} cannot be read now (${reasonOf(cause)}): ${mendOf(cause)}, then try again`,
      { cause },
    );
  }
  const what = isNonsense ? "a column holds what was never written there" : reasonOf(cause);
  return new JournalRefused("database-damaged", `${folder.journal} is damaged (${what}); ${RESTORE}`, { cause });
}

function requireSoundDatabase(database: DatabaseSync, folder: DataFolder, version: number): void {
  const damaged = (what: string): JournalRefused =>
    new JournalRefused("database-damaged", `${folder.journal} is damaged (${what}); ${RESTORE}`);
  if (!hasSchema(database, version)) throw damaged("its tables are not those of a journal");
  const { integrity_check } = integritySchema.parse(database.prepare("PRAGMA integrity_check(1)").get());
  if (integrity_check !== "ok") throw damaged(integrity_check.replaceAll("\n", " "));
}

interface Followed {
  readonly tip: Tip;
  /** Time of the last fact. */
  readonly at: string | undefined;
  /** Hash of the fact with the witness's number. */
  readonly atWitness: string | undefined;
  readonly lastOf: ReadonlyMap<string, Tip>;
}

interface Links {
  readonly database: DatabaseSync;
  readonly folder: DataFolder;
  readonly stamp: Stamp;
  readonly archive: ArchiveRows;
}

function followChain({ database, folder, stamp, archive }: Links, witness: WitnessFound): Followed {
  const witnessed = witness.is === "sound" ? witness.tip.number : undefined;
  const broken = (flaw: string): JournalRefused =>
    new JournalRefused("chain-broken", `${folder.journal}: ${flaw}; ${RESTORE}`);
  const lastOf = new Map(archive.lastOf);
  const runs = archive.runs.values();
  let run = runs.next().value;
  let tip = tipOfStamp(stamp);
  let at: string | undefined;
  let atWitness = witnessed === 0 ? tip.hash : undefined;
  for (const columns of database
    .prepare("SELECT number, payment, at, fact, previous, hash FROM facts ORDER BY number")
    .iterate()) {
    const link = readChained(columns);
    for (; run !== undefined && run.first < link.number; run = runs.next().value) {
      const flaw = flawOfRun(tip, run);
      if (flaw !== undefined) throw broken(flaw);
      tip = { number: run.last, hash: run.hash };
      if (tip.number === witnessed) atWitness = tip.hash;
    }
    const flaw = link.number <= tip.number ? `fact ${link.number} is in the archive too` : flawOf(tip, link);
    if (flaw !== undefined) throw broken(flaw);
    tip = { number: link.number, hash: link.hash };
    at = link.at;
    lastOf.set(link.payment, tip);
    if (tip.number === witnessed) atWitness = tip.hash;
  }
  // The last fact is never archived.
  if (run !== undefined) throw broken(`fact ${run.last + 1} is missing`);
  return { tip, at, atWitness, lastOf };
}

/** Each archived run is connected to the chain by the hashes at both ends. */
function flawOfRun(tip: Tip, { first, last, previous }: Run): string | undefined {
  if (first !== tip.number + 1) return `facts ${tip.number + 1} to ${first - 1} are missing`;
  return previous === tip.hash ? undefined : `the archived facts ${first} to ${last} do not follow fact ${tip.number}`;
}

type Ends = Pick<Followed, "tip" | "at" | "atWitness"> & { readonly marked: boolean };

/** Throws if facts are missing or differ from the witnessed ones. Returns the doubt if the witness cannot tell. */
function requireWitnessed(
  folder: DataFolder,
  { tip, at, atWitness, marked }: Ends,
  witness: WitnessFound,
): JournalRefused | undefined {
  switch (witness.is) {
    case "missing":
      return tip.number === 0 && !marked ? undefined : doubtOf(folder, "witness-missing", "missing", { tip, at });
    case "damaged":
      return doubtOf(folder, "witness-damaged", "damaged", { tip, at });
    case "sound": {
      const { number, hash } = witness.tip;
      if (tip.number < number) throw factsMissing(folder, tip.number, number);
      if (atWitness !== hash)
        throw new JournalRefused(
          "chain-broken",
          `${folder.journal}: fact ${number} is not the one that ${folder.witness} names; ${RESTORE}`,
        );
      // A slot torn by a power cut names facts already on disk. Without facts beyond the other slot, it was damaged
      // later, maybe naming more.
      return witness.torn && tip.number === number
        ? doubtOf(folder, "witness-damaged", "damaged in one of its two places", { tip, at })
        : undefined;
    }
  }
}

function doubtOf(
  folder: DataFolder,
  problem: "witness-missing" | "witness-damaged",
  how: string,
  { tip, at }: Pick<Followed, "tip" | "at">,
): JournalRefused {
  const what = `${folder.witness} is ${how}, so facts after ${tip.number} may be missing`;
  // An empty journal proves nothing: accepting it would restart from zero despite earlier sales.
  if (at === undefined) return new JournalRefused(problem, `${what}; ${RESTORE}`);
  const proven = `facts 1 to ${tip.number} are whole, the last of ${at}, and only the gateway's back office can tell whether more was booked since`;
  return new JournalRefused(
    problem,
    `${what}; ${proven}; ${RESTORE}, or where that was all: posbridge journal accept ${tip.number} --data ${commandWord(folder.path, systemPlatform)}`,
  );
}

function factsMissing(folder: DataFolder, has: number, acknowledged: number): JournalRefused {
  const what = `${folder.journal} ends with fact ${has}, but ${acknowledged} were acknowledged: payments since fact ${has} may be missing`;
  return new JournalRefused("facts-missing", `${what}; ${RESTORE}`);
}

function requireSealed(database: DatabaseSync, folder: DataFolder, lastOf: ReadonlyMap<string, Tip>): void {
  let rows = 0;
  for (const columns of database.prepare("SELECT * FROM payments").iterate()) {
    const { row, last, seal } = readSealedRow(columns);
    const tip = lastOf.get(row.payment);
    if (tip === undefined || tip.number !== last || sealOfRow(row, tip) !== seal)
      throw viewDamaged(folder, `the row of payment ${row.payment} was changed`);
    rows += 1;
  }
  if (rows !== lastOf.size) throw viewDamaged(folder, `${lastOf.size - rows} payments have facts and no row`);
}
