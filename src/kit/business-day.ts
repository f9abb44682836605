const DAY_MS = 86_400_000;

/** The UTC day of a time (epoch milliseconds): "2026-11-21". Days of this form sort as text. */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** The next day that is no Saturday or Sunday. Holidays are not considered. */
export function nextBusinessDay(day: string): string {
  const next = Date.parse(day) + DAY_MS;
  const weekday = new Date(next).getUTCDay();
  return weekday === 0 || weekday === 6 ? nextBusinessDay(dayOf(next)) : dayOf(next);
}

/** The last earlier day that is no Saturday or Sunday. */
export function lastBusinessDay(day: string): string {
  const last = Date.parse(day) - DAY_MS;
  const weekday = new Date(last).getUTCDay();
  return weekday === 0 || weekday === 6 ? lastBusinessDay(dayOf(last)) : dayOf(last);
}

export function daysFrom(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS);
}
