import { JournalUnwritable } from "../../engine/ports.ts";
import type { JournalReader } from "../reader.ts";
import { isOfJournal, JournalRefused, refusalOfReading } from "../refusal.ts";
import type { CheckpointKeeper } from "./checkpoint.ts";

/** Runs a reading, and reports damage of the journal that it finds. */
export type DamageGuard = <T>(read: () => Promise<T>) => Promise<T>;

export interface GuardOn {
  readonly checkpoints: Pick<CheckpointKeeper, "forget">;
  /** The journal's name in messages. */
  readonly file: string;
  /** Runs writes in one transaction; throws JournalUnwritable. */
  write(run: () => void): void;
  damaged?: ((damage: JournalRefused) => void) | undefined;
}

export function damageGuard({ checkpoints, file, write, damaged }: GuardOn): DamageGuard {
  return async (read) => {
    try {
      return await read();
    } catch (thrown) {
      // A RangeError is a caller's wrong limit.
      const cause = thrown instanceof RangeError ? thrown : refusalOfReading(file, thrown);
      if (!(cause instanceof JournalRefused && isOfJournal(cause.problem))) throw thrown;
      forget(checkpoints, write);
      damaged?.(cause);
      throw cause;
    }
  };
}

/** Without its checkpoint, the next start proves everything, and refuses. */
function forget(checkpoints: GuardOn["checkpoints"], write: GuardOn["write"]): void {
  try {
    write(checkpoints.forget);
  } catch (cause) {
    // The damage is reported all the same, and the next proof of the whole journal finds it again.
    if (!(cause instanceof JournalUnwritable)) throw cause;
  }
}

export function guardedReader(reader: JournalReader, guard: DamageGuard): JournalReader {
  return {
    ...reader,
    facts: (payment) => guard(() => reader.facts(payment)),
    byReference: (register, reference) => guard(() => reader.byReference(register, reference)),
    byReferenceOfAny: (reference) => guard(() => reader.byReferenceOfAny(reference)),
    list: (filter) => guard(() => reader.list(filter)),
    after: (after, limit) => guard(() => reader.after(after, limit)),
  };
}
