const two = (number: number): string => String(number).padStart(2, "0");

/** The shop's wall clock: this machine's time zone. */
export function systemLocalTime(): { readonly date: string; readonly time: string } {
  const now = new Date();
  return {
    date: `${two(now.getFullYear() % 100)}${two(now.getMonth() + 1)}${two(now.getDate())}`,
    time: `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`,
  };
}

/** A time on the shop's wall clock, for people: 2026-01-15, 12:34:56. */
export function systemWallTime(epochMs: number): { readonly date: string; readonly time: string } {
  const then = new Date(epochMs);
  return {
    date: `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`,
    time: `${two(then.getHours())}:${two(then.getMinutes())}:${two(then.getSeconds())}`,
  };
}

/**
 * The start of the day in this machine's time zone, epoch milliseconds. If clocks skip midnight, the first moment of
 * that day.
 */
export function systemStartOfDay(epochMs: number): number {
  const then = new Date(epochMs);
  return new Date(then.getFullYear(), then.getMonth(), then.getDate()).getTime();
}

/**
 * The time range of a local day "2026-01-15", in epoch milliseconds, up to the next day's start; undefined for a
 * nonexistent day.
 */
export function systemDay(day: string): { readonly from: number; readonly to: number } | undefined {
  const [, year, month, date] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const from = new Date(year, month - 1, date);
  const isDay = from.getFullYear() === year && from.getMonth() === month - 1 && from.getDate() === date;
  return isDay ? { from: from.getTime(), to: new Date(year, month - 1, date + 1).getTime() } : undefined;
}
