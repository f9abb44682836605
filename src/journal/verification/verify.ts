import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { requireFile } from "../archive.ts";
import type { Stamp } from "../chain.ts";
import type { DataFolder } from "../data-folder.ts";
import { LAST_SEQUENCE_NUMBER } from "../fact-columns.ts";
import { JournalRefused, RESTORE, refusalOfReading } from "../refusal.ts";
import { flawOfRollbacks } from "../rollback-rows.ts";
import { hasSchema, SCHEMA_VERSION, versionOf } from "../schema.ts";
import { type SegmentStore, segmentFiles } from "../segment-files.ts";
import { lastSegment, readSegmentRow } from "../segment-rows.ts";
import type { WitnessFound } from "../witness.ts";
import { proveSince } from "./since-checkpoint.ts";
import { proveWhole } from "./whole.ts";
import { type End, requireWitnessed } from "./witness-verdict.ts";

const integritySchema = z.object({ integrity_check: z.string() });
const markSchema = z.object({ application_id: z.int() });
const numberSchema = z.object({ number: z.int() });
const stampSchema = z
  .object({ bridge: z.string(), environment: z.enum(["test", "live"]), created_at: z.string() })
  .transform(({ bridge, environment, created_at }): Stamp => ({ bridge, environment, createdAt: created_at }));

/**
 * `since-checkpoint`: what was written since, and every open payment; everything if there is no sound checkpoint.
 * `whole`: each fact, row, file, and page of the database.
 */
export type Extent = "whole" | "since-checkpoint";

export interface Verified extends Pick<End, "tip" | "marked"> {
  readonly stamp: Stamp;
  /** The number of files in the archive. */
  readonly segments: number;
  /** Open payments, each with the seal of its row. */
  readonly open: ReadonlyMap<string, string>;
  /** The highest sequence number of a gateway request. */
  readonly sequenceNumber: number;
  /** When the whole journal was proved, ISO 8601 UTC; undefined: just now. */
  readonly provedAt?: string;
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
export function verify(
  database: DatabaseSync,
  folder: DataFolder,
  witness: WitnessFound,
  extent: Extent,
): Verified | undefined {
  try {
    const version = versionOf(database);
    if (version > SCHEMA_VERSION) {
      throw new JournalRefused(
        "schema-newer",
        `${folder.journal} is of version ${version}, this program knows ${SCHEMA_VERSION}; install a newer posbridge`,
      );
    }
    if (version === 0 && hasSchema(database, 0)) return undefined;
    if (!hasSchema(database, version)) throw damaged(folder, "its tables are not those of a journal");
    const stamp = stampSchema.parse(database.prepare("SELECT bridge, environment, created_at FROM stamp").get());
    const marked = markSchema.parse(database.prepare("PRAGMA application_id").get()).application_id !== 0;
    const proved = proveTo(extent, { database, folder, stamp, marked, witness });
    const doubt = requireWitnessed(folder, { ...proved, marked }, witness);
    const flaw = flawOfRollbacks(database, stamp);
    if (flaw !== undefined) throw new JournalRefused("view-damaged", `${folder.journal}: ${flaw}; ${RESTORE}`);
    const segments = lastSegment(database);
    requireFiles(database, segmentFiles(folder.path), segments);
    const { tip, open, sequenceNumber, provedAt } = proved;
    return {
      ...{ stamp, tip, marked, open, sequenceNumber, segments },
      ...(provedAt !== undefined && { provedAt }),
      ...(doubt !== undefined && { doubt }),
    };
  } catch (cause) {
    throw refusalOfReading(folder.journal, cause);
  }
}

function damaged(folder: DataFolder, what: string): JournalRefused {
  return new JournalRefused("database-damaged", `${folder.journal} is damaged (${what}); ${RESTORE}`);
}

interface Proving {
  readonly database: DatabaseSync;
  readonly folder: DataFolder;
  readonly stamp: Stamp;
  readonly marked: boolean;
  readonly witness: WitnessFound;
}

interface Proved extends Omit<End, "marked"> {
  readonly open: ReadonlyMap<string, string>;
  readonly sequenceNumber: number;
  readonly provedAt?: string;
}

function proveTo(extent: Extent, { database, folder, stamp, marked, witness }: Proving): Proved {
  const on = { database, file: folder.journal, stamp, store: segmentFiles(folder.path) };
  const witnessed = witness.is === "sound" ? witness.tip.number : undefined;
  // A doubtful witness leaves the end to a technician, who has to know that everything before it is whole.
  const since =
    extent === "since-checkpoint" && witness.is === "sound" && !witness.torn
      ? proveSince({ ...on, witnessed: witness.tip })
      : undefined;
  if (since?.is === "proved") return since;
  requireSoundPages(database, folder);
  const { tip, at, atWitness, open, segments } = ended(
    proveWhole({
      ...{ ...on, witnessed, withIndices: false },
      // Facts that are missing at the end are told before anything that their absence damages.
      ended: (end) => void requireWitnessed(folder, { ...end, marked }, witness),
    }),
  );
  if (since?.is === "damaged") throw since.damage;
  const archived = Math.max(0, ...segments.map((segment) => segment.sequenceNumber));
  const here = numberSchema.parse(database.prepare(LAST_SEQUENCE_NUMBER).get()).number;
  return { tip, at, atWitness, open, sequenceNumber: Math.max(here, archived) };
}

/** The result of a generator, without a pause between its steps. */
function ended<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Every file of the archive is there. Its content is proved when it is read, and with the whole journal. */
function requireFiles(database: DatabaseSync, store: SegmentStore, segments: number): void {
  const there = store.numbers();
  for (let number = 1; number <= segments; number += 1)
    if (!there.has(number))
      requireFile(readSegmentRow(database.prepare("SELECT * FROM segments WHERE number = ?").get(number)), store);
}

function requireSoundPages(database: DatabaseSync, folder: DataFolder): void {
  const { integrity_check } = integritySchema.parse(database.prepare("PRAGMA integrity_check(1)").get());
  if (integrity_check !== "ok") throw damaged(folder, integrity_check.replaceAll("\n", " "));
}
