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
      const cause = refusalIn(file, thrown);
      if (!(cause instanceof JournalRefused && isOfJournal(cause.problem))) throw thrown;
      forget(checkpoints, write);
      damaged?.(cause);
      throw cause;
    }
  };
}

/** Runs a reading, and throws JournalRefused for damage, or for a disk that cannot be read. */
export function refusingGuard(file: string): DamageGuard {
  return async (read) => {
    try {
      return await read();
    } catch (thrown) {
      throw refusalIn(file, thrown);
    }
  };
}

/** A RangeError is a caller's wrong limit. */
function refusalIn(file: string, thrown: unknown): unknown {
  return thrown instanceof RangeError ? thrown : refusalOfReading(file, thrown);
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
    facts: (payment) => guard(() => reader.facts(payment)),
    openPayments: () => guard(() => reader.openPayments()),
    byReference: (register, reference) => guard(() => reader.byReference(register, reference)),
    byReferenceOfAny: (reference) => guard(() => reader.byReferenceOfAny(reference)),
    byMerchantTransactionId: (wanted) => guard(() => reader.byMerchantTransactionId(wanted)),
    byGatewayId: (wanted) => guard(() => reader.byGatewayId(wanted)),
    naming: (text) => guard(() => reader.naming(text)),
    list: (filter) => guard(() => reader.list(filter)),
    after: (after, limit) => guard(() => reader.after(after, limit)),
    lastNumber: () => guard(() => reader.lastNumber()),
    channels: () => guard(() => reader.channels()),
    lastSequenceNumber: () => guard(() => reader.lastSequenceNumber()),
    archivedTo: () => guard(() => reader.archivedTo()),
  };
}
