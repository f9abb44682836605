import { Cron } from "croner";
import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";

/** Fields of a cron expression with their ranges, in the order of job.expression (specification, "Scheduling"). */
const FIELDS = ["second", "minute", "hour", "dayOfMonth", "month", "dayOfWeek", "year"] as const;
type Field = (typeof FIELDS)[number];

const RANGES: Readonly<Record<Field, readonly [min: number, max: number]>> = {
  second: [0, 59],
  minute: [0, 59],
  hour: [0, 23],
  dayOfMonth: [1, 31],
  month: [1, 12],
  dayOfWeek: [1, 7],
  year: [1970, 2099],
};

const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/**
 * The job's times as seven fields; undefined: invalid. job.expression overrides the other fields. Quartz allows only
 * one of the two day fields.
 */
export function expressionOf(sent: Sent): string | undefined {
  const whole = sent.get("job.expression")?.trim().split(/\s+/);
  const said = (field: Field): string | undefined =>
    (whole ? whole[FIELDS.indexOf(field)] : sent.get(`job.${field}`)) || undefined;
  const days = daysOf(said("dayOfMonth"), said("dayOfWeek"));
  if (days === undefined) return undefined;
  const { dayOfMonth, dayOfWeek } = days;
  const [second = "0", minute = "0", hour = "0", month = "1", year = "*"] = [
    said("second"),
    said("minute"),
    said("hour"),
    said("month"),
    said("year"),
  ];
  const expression = [second, minute, hour, dayOfMonth, month, dayOfWeek, year].join(" ");
  return patternOf(expression) === undefined ? undefined : expression;
}

function daysOf(
  ofMonth: string | undefined,
  ofWeek: string | undefined,
): { readonly dayOfMonth: string; readonly dayOfWeek: string } | undefined {
  const isOpen = (day: string | undefined): boolean => day === undefined || day === "*" || day === "?";
  if (!isOpen(ofMonth) && !isOpen(ofWeek)) return undefined;
  if (ofMonth === "?" && ofWeek === "?") return undefined;
  if (!isOpen(ofWeek)) return { dayOfMonth: "?", dayOfWeek: ofWeek ?? "1" };
  if (ofMonth === "?") return { dayOfMonth: "?", dayOfWeek: ofWeek ?? "1" };
  return { dayOfMonth: ofMonth ?? "1", dayOfWeek: "?" };
}

/** The first time after `after` (epoch milliseconds) that matches, in UTC; undefined: none. */
export function nextOccurrence(expression: string, after: number): number | undefined {
  const pattern = patternOf(expression);
  if (pattern === undefined) return undefined;
  const [, beforeLast] = /^\S+ \S+ \S+ L-([0-9]+) /.exec(expression) ?? [];
  let at = pattern.nextRun(new Date(after));
  while (at !== null && beforeLast !== undefined && at.getUTCDate() !== daysIn(at) - Number(beforeLast))
    at = pattern.nextRun(at);
  return at?.getTime();
}

function patternOf(expression: string): Cron | undefined {
  const fields = expression.split(" ").map((text, at) => listOf(FIELDS[at] ?? "year", text));
  if (fields.length !== FIELDS.length || fields.includes(undefined)) return undefined;
  try {
    return new Cron(fields.join(" "), { paused: true, utcOffset: 0, alternativeWeekdays: true, mode: "7-part" });
  } catch (cause) {
    // Croner reports an unreadable pattern by TypeError or RangeError.
    if (cause instanceof TypeError || cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** A field as a plain list. Wrapping ranges, steps from a value and names are Quartz's own. Undefined: unreadable. */
function listOf(field: Field, text: string): string | undefined {
  if (text === "*" || text === "?") return "*";
  const items = text.split(",").map((item) => itemOf(field, item.toUpperCase()));
  return items.includes(undefined) ? undefined : items.join(",");
}

function itemOf(field: Field, item: string): string | undefined {
  const special = field === "dayOfMonth" ? dayOfMonthOf(item) : field === "dayOfWeek" ? dayOfWeekOf(item) : undefined;
  if (special !== undefined) return special;
  const [min, max] = RANGES[field];
  const [base = "", stepText] = item.split("/");
  const [fromText = "", toText] = base === "*" ? [String(min), String(max)] : base.split("-");
  const from = numberOf(field, fromText);
  const to = toText === undefined ? (stepText === undefined ? from : max) : numberOf(field, toText);
  const step = stepText === undefined ? 1 : Number(stepText);
  if (from === undefined || to === undefined || !(step > 0)) return undefined;
  const size = max - min + 1;
  const last = to < from ? to + size : to;
  return Array.from(
    { length: Math.floor((last - from) / step) + 1 },
    (_, at) => ((from + at * step - min) % size) + min,
  ).join(",");
}

/** L, LW and 15W. L-3 becomes the range of possible days; nextOccurrence filters them. */
function dayOfMonthOf(item: string): string | undefined {
  const [, before] = /^L-([0-9]+)$/.exec(item) ?? [];
  if (before !== undefined)
    return Number(before) > 30 ? undefined : `${Math.max(1, 28 - Number(before))}-${31 - Number(before)}`;
  return /^(L|LW|[0-9]+W)$/.test(item) ? item : undefined;
}

/** L alone is Saturday, FRIL the month's last Friday, FRI#3 its third. */
function dayOfWeekOf(item: string): string | undefined {
  if (item === "L") return "7";
  const [, day = "", how] = /^([A-Z]{3}|[1-7])(L|#[1-5])$/.exec(item) ?? [];
  const number = numberOf("dayOfWeek", day);
  return how === undefined || number === undefined ? undefined : `${number}${how}`;
}

function numberOf(field: Field, text: string): number | undefined {
  const names = field === "month" ? MONTHS : field === "dayOfWeek" ? DAYS : [];
  if (names.includes(text)) return names.indexOf(text) + 1;
  const [min, max] = RANGES[field];
  const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}

function daysIn(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}
