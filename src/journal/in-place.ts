import fs from "node:fs";
import { JournalUnwritable } from "../engine/ports.ts";
import type { DataFolder } from "./data-folder.ts";

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
const STOP_ORDERLY = "stop posbridge in an orderly way (SIGTERM, never kill -9), which writes into journal.db what stood in it, and start it again";
const LOOK_UP = "something else wrote in it: stop posbridge, keep a copy of the whole folder, and see docs/journal.md";

/**
 * An open file goes on being written when it is removed, moved, replaced or cut, and nothing tells: what is acknowledged then is gone with this process, and whoever finds the folder
 * free begins another journal in it. So each write looks first whether the journal is still where the next start will look for it, and none of its files shorter than it was (nothing
 * here ever cuts one). Two microseconds a file, beside a sync of the disk. Returns what throws JournalUnwritable where it is not so; what was put back counts again.
 */
export function inPlace({ journal, log, witness }: DataFolder): () => void {
  const files = [
    { file: journal, mend: PUT_BACK, last: standingOf(journal) },
    { file: log, mend: STOP_ORDERLY, last: standingOf(log) },
    { file: witness, mend: PUT_BACK, last: standingOf(witness) },
  ];
  return () => {
    for (const one of files) {
      const found = standingOf(one.file);
      const flaw = flawOf(found, one);
      if (flaw !== undefined) throw new JournalUnwritable(`the journal cannot be written: ${one.file} ${flaw}`);
      one.last = found;
    }
  };
}

function flawOf(found: Standing | undefined, { last, mend }: { readonly last: Standing | undefined; readonly mend: string }): string | undefined {
  if (found === undefined) return `is not there any more; ${mend}`;
  if (found.identity !== last?.identity) return `is another file than the one that was opened; ${mend}`;
  return found.size < last.size ? `has ${found.size} bytes, and had ${last.size}; ${LOOK_UP}` : undefined;
}
