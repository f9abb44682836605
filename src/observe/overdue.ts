import type { Cancel, Clock } from "../kit/clock.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { type OpenFor, type OpenPayment, OVERDUE_MS } from "./open-payment.ts";

/** Interval of repeated alarms, until the payment is closed. */
const AGAIN_MS = 300_000;
/** Greatest delay of an alarm. */
const LOOK_EVERY_MS = 15_000;

/** Time of a payment's last alarm by its id, on the monotonic clock in milliseconds. */
export type Told = ReadonlyMap<string, number>;

export interface OverdueLine {
  readonly fields: Omit<OpenPayment, "since"> & {
    readonly alarm: true;
    readonly since: string;
    readonly openSeconds: number;
  };
  readonly message: string;
}

/** The alarms due now, and the updated times. */
export function overdueLines(
  open: readonly OpenFor[],
  now: number,
  told: Told,
): { readonly lines: readonly OverdueLine[]; readonly told: Told } {
  const overdue = open.filter(({ openMs }) => openMs >= OVERDUE_MS);
  const isDue = ({ payment }: OpenPayment): boolean =>
    now - (told.get(payment) ?? Number.NEGATIVE_INFINITY) >= AGAIN_MS;
  const lines = overdue.filter(isDue).map(({ openMs, ...one }) => ({
    fields: { alarm: true, ...one, openSeconds: Math.floor(openMs / 1000) } as const,
    message: `payment ${one.reference} of register ${one.register} is still open: it waits for ${one.owed}`,
  }));
  return {
    lines,
    told: new Map(overdue.map((one) => [one.payment, isDue(one) ? now : (told.get(one.payment) ?? now)])),
  };
}

export interface OverduePorts {
  /** Currently open payments. */
  open(): readonly OpenFor[];
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly metrics: Pick<Metrics, "alarmRaised" | "watchOpen">;
}

/**
 * Raises an alarm for every payment open too long, repeatedly, and shows the figures. Ends with the returned function.
 */
export function watchOverdue({ open, clock, log, metrics }: OverduePorts): Cancel {
  metrics.watchOpen(open);
  let told: Told = new Map();
  let next: Cancel = () => undefined;
  const look = (): void => {
    const due = overdueLines(open(), clock.monotonic(), told);
    told = due.told;
    for (const { fields, message } of due.lines) {
      metrics.alarmRaised();
      log.error(fields, message);
    }
    next = clock.after(LOOK_EVERY_MS, look);
  };
  look();
  return () => next();
}
