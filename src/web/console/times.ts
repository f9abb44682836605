import { timeFormat } from "../design/time-format.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration: "340 ms", "4.2 s", "3 min 20 s", "2 h 5 min", "3 d 4 h". */
export function durationText(ms: number): string {
  const whole = Math.round(ms);
  if (whole < SECOND) return `${whole} ms`;
  if (whole < 10 * SECOND) return `${(Math.floor(whole / 100) / 10).toFixed(1)} s`;
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)} s`;
  if (whole < HOUR) return two(whole, MINUTE, "min", SECOND, "s");
  if (whole < DAY) return two(whole, HOUR, "h", MINUTE, "min");
  return two(whole, DAY, "d", HOUR, "h");
}

function two(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % big) / small);
  return `${Math.floor(ms / big)} ${bigName}${rest === 0 ? "" : ` ${rest} ${smallName}`}`;
}

/** Remaining time by seconds, with two digits so that the text does not jump. Undefined once over. */
export function countdownText(untilMs: number, nowMs: number): string | undefined {
  const left = untilMs - nowMs;
  if (left <= 0) return undefined;
  const seconds = Math.ceil(left / SECOND);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, "0")} s`;
  return durationText(seconds * SECOND);
}

/** "just now", "40 s ago", "3 min ago". */
export function agoText(atMs: number, nowMs: number): string {
  const ms = nowMs - atMs;
  if (ms < 5 * SECOND) return "just now";
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s ago`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  return ms < DAY ? `${Math.floor(ms / HOUR)} h ago` : `${Math.floor(ms / DAY)} d ago`;
}

/** Language and time zone; default: the browser's. */
export interface Where {
  readonly locale?: string;
  readonly timeZone?: string;
}

/** Epoch milliseconds of an ISO 8601 time; NaN if invalid. */
export function epochOf(iso: string): number {
  return Date.parse(iso);
}

/** "02:13:05", with the date unless today. */
export function momentText(iso: string, nowMs: number, where: Where = {}): string {
  const at = epochOf(iso);
  if (Number.isNaN(at)) return iso;
  const day = format(where, { day: "numeric", month: "short", year: "numeric" });
  const time = format(where, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const isToday = day.format(at) === day.format(nowMs);
  return isToday ? time.format(at) : `${day.format(at)}, ${time.format(at)}`;
}

/** With milliseconds: "02:13:05.042". */
export function preciseText(iso: string, where: Where = {}): string {
  const at = epochOf(iso);
  if (Number.isNaN(at)) return iso;
  return format(where, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 }).format(at);
}

function format({ locale, timeZone }: Where, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return timeFormat({ ...options, ...(timeZone !== undefined && { timeZone }) }, locale);
}
