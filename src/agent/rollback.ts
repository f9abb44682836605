import type { CursorBook, Rollback } from "../engine/ports.ts";
import type { PaymentsPorts } from "../engine/service/service-ports.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";

type Figures = Pick<Metrics, "alarmRaised">;

const PROVEN =
  "the data folder was put back to an earlier moment: a register has heard of payments that it does not hold; nothing is accepted before that is confirmed";
const PROVEN_MEND =
  "stop the registers, look in the gateway's back office what is missing here (docs/journal.md), see to it that none of it is sold again, then: posbridge rollbacks confirm --reason TEXT";
const PAST = "a register has heard of more payments than this data folder holds";
const PAST_MEND =
  "sell nothing by it, see docs/journal.md, and look in the gateway's back office what is missing here; a register that belongs to another bridge is sent back to that";

/**
 * Raises one alarm a register: it will ask for its known payments again, learn that they were never accepted, and sell
 * again.
 */
export function tellOfPast(log: Log, metrics: Figures): NonNullable<PaymentsPorts["pastMissing"]> {
  const told = new Set<string>();
  return ({ register, isProven, ...numbers }) => {
    const key = JSON.stringify([register, isProven]);
    if (told.has(key)) return;
    told.add(key);
    metrics.alarmRaised();
    const [what, mend] = isProven ? [PROVEN, PROVEN_MEND] : [PAST, PAST_MEND];
    log.error({ alarm: true, register, ...numbers, mend }, what);
  };
}

/** The unconfirmed rollback. */
export function openRollback({ rollbacks }: Pick<CursorBook, "rollbacks">): Rollback | undefined {
  const last = rollbacks().at(-1);
  return last?.confirmed === undefined ? last : undefined;
}

/** Reports a rollback noticed by an earlier process and still unconfirmed. */
export function tellOfOpenRollback(cursors: Pick<CursorBook, "rollbacks">, log: Log, metrics: Figures): void {
  const open = openRollback(cursors);
  if (open === undefined) return;
  metrics.alarmRaised();
  const { noticedAt, last, shown } = open;
  log.error({ alarm: true, afterRestart: true, noticedAt, last, shown, mend: PROVEN_MEND }, PROVEN);
}

export function tellOfConfirmation(log: Log): NonNullable<PaymentsPorts["rollbackConfirmed"]> {
  return ({ number, last, shown, confirmed }) =>
    log.warn(
      { audit: true, rollback: number, last, shown, ...confirmed },
      "data folder that was put back confirmed; payments are accepted again",
    );
}

/** Reasons for /readyz why no payment is taken. */
export function rollbackReasons(cursors: Pick<CursorBook, "rollbacks">): readonly string[] {
  if (openRollback(cursors) === undefined) return [];
  return [
    "data folder: it was put back to an earlier moment; a technician has to confirm that (posbridge rollbacks confirm --reason TEXT)",
  ];
}
