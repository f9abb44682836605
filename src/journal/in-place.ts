import fs from "node:fs";
import { JournalBroken, JournalUnwritable } from "../engine/ports.ts";
import type { DataFolder } from "./data-folder.ts";
import { reasonOf } from "./refusal.ts";
import { mendOf } from "./sqlite-error.ts";
import type { Witness } from "./witness.ts";

interface Standing {
  /** Device and inode: identifies the file under any name. */
  readonly identity: string;
  readonly size: bigint;
}

/** Identity and size of the file, or undefined if there is none. */
function standingOf(file: string): Standing | undefined {
  const found = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && { identity: `${found.dev}:${found.ino}`, size: found.size };
}

const PUT_BACK = "put it back as it was; where another one is meant to stand there, stop posbridge first";
/** The open log is still complete, and a closing connection writes all of it into the database. */
const STOP_ORDERLY =
  "stop posbridge in an orderly way (posbridge stop or SIGTERM, never kill -9), which writes into journal.db what stood in it, and start it again";
const ELSE = ": something else wrote in it; keep a copy of the whole folder, then start posbridge again";

interface Watched {
  readonly file: string;
  readonly mend: string;
  /** The file may shrink to this size, because this process returned the rest to the disk. */
  readonly least?: () => number;
  last: Standing | undefined;
}

/** The part of the journal's file that this process returned to the disk. */
export interface Given {
  /** Minimum size left in bytes; infinite until something was returned. */
  least(): number;
}

const NOTHING_GIVEN: Given = { least: () => Number.POSITIVE_INFINITY };

/**
 * Checks in microseconds that the next start will find a write: same files, none shorter, witness intact. Writes to a
 * removed or replaced file are silently lost.
 */
export function inPlace(
  { journal, log, witness }: DataFolder,
  { isIntact }: Pick<Witness, "isIntact">,
  given: Given = NOTHING_GIVEN,
): () => void {
  const files: readonly Watched[] = [
    { file: journal, mend: PUT_BACK, last: standingOf(journal), least: given.least },
    { file: log, mend: STOP_ORDERLY, last: standingOf(log) },
    { file: witness, mend: PUT_BACK, last: standingOf(witness) },
  ];
  return () => {
    // JournalUnwritable: a file is missing or unreadable, which may pass. JournalBroken: another program wrote to it;
    // an older copy would look whole.
    for (const watched of files) watched.last = look(watched);
    if (!seen(witness, isIntact))
      throw new JournalBroken(`the journal cannot be written: ${witness} does not say what it said${ELSE}`);
  };
}

function look({ file, mend, last, least }: Watched): Standing {
  const found = seen(file, () => standingOf(file));
  const cannot = `the journal cannot be written: ${file}`;
  if (found === undefined) throw new JournalUnwritable(`${cannot} is not there any more; ${mend}`);
  if (last === undefined || found.identity !== last.identity)
    throw new JournalUnwritable(`${cannot} is another file than the one that was opened; ${mend}`);
  if (found.size >= last.size || (least !== undefined && found.size >= least())) return found;
  throw new JournalBroken(`${cannot} has ${found.size} bytes, and had ${last.size}${ELSE}`);
}

/** A closed folder or a lost share proves nothing about its content. */
function seen<T>(file: string, see: () => T): T {
  try {
    return see();
  } catch (cause) {
    throw new JournalUnwritable(
      `the journal cannot be written: ${file} cannot be looked at: ${reasonOf(cause)}; ${mendOf(cause)}`,
      { cause },
    );
  }
}
