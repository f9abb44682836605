import { JournalBroken } from "../engine/ports.ts";
import type { Commit } from "./group-commit.ts";
import { reasonOf } from "./refusal.ts";
import { mendOf } from "./sqlite-error.ts";
import type { Witness } from "./witness.ts";
import type { JournalWriter } from "./writer.ts";

/**
 * Writes facts, then the witness, then acknowledges. After a failed witness write or sync, a new process must read back
 * the journal first. `requireInPlace` throws if the next process would not find a write.
 */
export function witnessed(
  writer: JournalWriter,
  witness: Witness,
  file: string,
  requireInPlace: () => void,
): Pick<JournalWriter, "commit" | "probe" | "write" | "checkpoint"> & { readonly settled: JournalWriter["write"] } {
  let broken: JournalBroken | undefined;
  const requireSound = (): void => {
    try {
      requireInPlace();
    } catch (cause) {
      // Another program may have put back an older, intact journal. The witness then tells the next process that more
      // was acknowledged.
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
    // A fully refused batch adds nothing to witness.
    if (writer.tip().number !== before) testify(writer, witness, file);
    return written;
  };
  const settled = (run: () => void): void => {
    // Write both slots, so that the witness names only the last fact, which is never archived.
    for (const _ of [1, 2]) testify(writer, witness, file);
    // A start looks for the checkpoint's fact in the journal, so what is archived lies before it.
    writer.checkpoint();
    writer.write(run);
  };
  return {
    commit: (batch) => whole(() => commit(batch)),
    probe: () => whole(writer.probe),
    write: (run) => whole(() => writer.write(run)),
    checkpoint: () => whole(writer.checkpoint),
    settled: (run) => whole(() => settled(run)),
  };
}

function remind(writer: JournalWriter, witness: Witness): void {
  try {
    witness.write(writer.tip());
  } catch {
    // A failed witness is already reported as the cause, or matters less than it.
  }
}

function testify(writer: JournalWriter, witness: Witness, file: string): void {
  try {
    witness.write(writer.tip());
  } catch (cause) {
    throw new JournalBroken(
      `${file} cannot be written: ${reasonOf(cause)}; ${mendOf(cause)}, then start posbridge again`,
      { cause },
    );
  }
}
