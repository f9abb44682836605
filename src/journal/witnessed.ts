import { JournalBroken } from "../engine/ports.ts";
import type { Commit } from "./group-commit.ts";
import { reasonOf } from "./refusal.ts";
import { mendOf } from "./sqlite-error.ts";
import type { Witness } from "./witness.ts";
import type { JournalWriter } from "./writer.ts";

/**
 * Facts first, then the witness; only then is anything acknowledged. A witness that cannot be written leaves facts in the journal that nobody may rely on,
 * and a process that goes on without them would contradict them; so does a commit whose sync failed. Nothing is written any more then until a new process has
 * read back what is there. `requireInPlace` throws where the next process would not find what is written now; where that is because something else wrote in the
 * journal, what stands there may be whole in itself, as it once was: then the witness tells the next process that more was acknowledged.
 */
export function witnessed(
  writer: JournalWriter,
  witness: Witness,
  file: string,
  requireInPlace: () => void,
): Pick<JournalWriter, "commit" | "probe" | "write"> & { readonly settled: JournalWriter["write"] } {
  let broken: JournalBroken | undefined;
  const requireSound = (): void => {
    try {
      requireInPlace();
    } catch (cause) {
      if (cause instanceof JournalBroken) remind(writer, witness);
      throw cause;
    }
  };
  const whole = <T>(write: () => T): T => {
    if (broken !== undefined) throw broken;
    try {
      requireSound();
      return write();
    } catch (cause) {
      if (cause instanceof JournalBroken) broken = cause;
      throw cause;
    }
  };
  const commit: Commit = (batch) => {
    const before = writer.tip().number;
    const written = writer.commit(batch);
    // A batch that was refused whole has nothing to be witnessed.
    if (writer.tip().number !== before) testify(writer, witness, file);
    return written;
  };
  const settled = (run: () => void): void => {
    // In both slots, so that the witness names no fact but the last one, which is never archived.
    for (const _ of [1, 2]) testify(writer, witness, file);
    writer.write(run);
  };
  return {
    commit: (batch) => whole(() => commit(batch)),
    probe: () => whole(writer.probe),
    write: (run) => whole(() => writer.write(run)),
    settled: (run) => whole(() => settled(run)),
  };
}

function remind(writer: JournalWriter, witness: Witness): void {
  try {
    witness.write(writer.tip());
  } catch {
    // Where the witness itself cannot be written, that was told as the cause, or comes second to it.
  }
}

function testify(writer: JournalWriter, witness: Witness, file: string): void {
  try {
    witness.write(writer.tip());
  } catch (cause) {
    throw new JournalBroken(`${file} cannot be written: ${reasonOf(cause)}; ${mendOf(cause)}, then start posbridge again`, { cause });
  }
}
