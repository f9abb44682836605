import fs from "node:fs";
import { JournalBroken, JournalUnwritable } from "../engine/ports.ts";
import type { DataFolder } from "./data-folder.ts";
import { reasonOf } from "./refusal.ts";
import { mendOf } from "./sqlite-error.ts";
import type { Witness } from "./witness.ts";

interface Standing {
  /** Which file it is, whatever its name. */
  readonly identity: string;
  readonly size: bigint;
}

/** What stands under a name, or undefined where there is nothing. */
function standingOf(file: string): Standing | undefined {
  const found = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && { identity: `${found.dev}:${found.ino}`, size: found.size };
}

const PUT_BACK = "put it back as it was; where another one is meant to stand there, stop posbridge first";
/** The log is whole in the file that this process has open, and a connection that closes writes all of it into the database. */
const STOP_ORDERLY =
  "stop posbridge in an orderly way (posbridge stop or SIGTERM, never kill -9), which writes into journal.db what stood in it, and start it again";
const ELSE = ": something else wrote in it; keep a copy of the whole folder, then start posbridge again";

interface Watched {
  readonly file: string;
  readonly mend: string;
  /** It may have become so short, because this process gave the rest back. */
  readonly least?: () => number;
  last: Standing | undefined;
}

/** What this process gives back of the journal's file to the disk. */
export interface Given {
  /** Bytes that are left of it at least; infinite as long as nothing was given back. */
  least(): number;
}

const NOTHING_GIVEN: Given = { least: () => Number.POSITIVE_INFINITY };

/**
 * An open file goes on being written when it is removed, moved, replaced or cut, and nothing tells: what is acknowledged then is gone with this process, and whoever finds the
 * folder free begins another journal in it. So each write looks first whether the journal is still where the next start will look for it, none of its files shorter than it was
 * (nothing here cuts one but the archive, which says so), and the witness what it was made to say: an older copy that was written over all of it is whole in itself. Some microseconds, beside a sync of the
 * disk. Returns what throws JournalUnwritable where a file is not there or cannot be looked at, which counts again once it can, and JournalBroken where something else wrote in it.
 */
export function inPlace({ journal, log, witness }: DataFolder, { isIntact }: Pick<Witness, "isIntact">, given: Given = NOTHING_GIVEN): () => void {
  const files: readonly Watched[] = [
    { file: journal, mend: PUT_BACK, last: standingOf(journal), least: given.least },
    { file: log, mend: STOP_ORDERLY, last: standingOf(log) },
    { file: witness, mend: PUT_BACK, last: standingOf(witness) },
  ];
  return () => {
    for (const watched of files) watched.last = look(watched);
    if (!seen(witness, isIntact)) throw new JournalBroken(`the journal cannot be written: ${witness} does not say what it said${ELSE}`);
  };
}

function look({ file, mend, last, least }: Watched): Standing {
  const found = seen(file, () => standingOf(file));
  const cannot = `the journal cannot be written: ${file}`;
  if (found === undefined) throw new JournalUnwritable(`${cannot} is not there any more; ${mend}`);
  if (last === undefined || found.identity !== last.identity) throw new JournalUnwritable(`${cannot} is another file than the one that was opened; ${mend}`);
  if (found.size >= last.size || (least !== undefined && found.size >= least())) return found;
  throw new JournalBroken(`${cannot} has ${found.size} bytes, and had ${last.size}${ELSE}`);
}

/** A folder that this user may not look into any more, or a share that went away, says nothing of what is in it. */
function seen<T>(file: string, see: () => T): T {
  try {
    return see();
  } catch (cause) {
    throw new JournalUnwritable(`the journal cannot be written: ${file} cannot be looked at: ${reasonOf(cause)}; ${mendOf(cause)}`, { cause });
  }
}
