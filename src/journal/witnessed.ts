import { JournalBroken } from "../engine/ports.ts";
import type { Commit } from "./group-commit.ts";
import { reasonOf } from "./refusal.ts";
import type { Witness } from "./witness.ts";
import type { JournalWriter } from "./writer.ts";

/**
 * Facts first, then the witness; only then is anything acknowledged. A witness that cannot be written leaves facts in the journal that nobody may rely on,
 * and a process that goes on without them would contradict them: nothing is written any more until a new process has read them back.
 */
export function witnessed(writer: JournalWriter, witness: Witness, file: string): Pick<JournalWriter, "commit" | "probe"> {
  let broken: JournalBroken | undefined;
  const requireWhole = (): void => {
    if (broken !== undefined) throw broken;
  };
  const commit: Commit = (batch) => {
    requireWhole();
    const written = writer.commit(batch);
    try {
      witness.write(writer.tip());
    } catch (cause) {
      broken = new JournalBroken(`${file} cannot be written: ${reasonOf(cause)}; mend the disk and start posbridge again`, { cause });
      throw broken;
    }
    return written;
  };
  return {
    commit,
    probe: () => {
      requireWhole();
      writer.probe();
    },
  };
}
