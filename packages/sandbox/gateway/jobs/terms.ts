import { z } from "zod";
import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";

const unitSchema = z.enum(["YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"]);
const spanSchema = z.strictObject({ number: z.number(), unit: unitSchema });
type Span = z.infer<typeof spanSchema>;

/** Life of a job (specification, "Scheduling"). Times are epoch milliseconds of the sandbox's clock. */
export const termsSchema = z.strictObject({
  /** No runs before this time. */
  start: z.int(),
  /** No runs from this time on: job.endDate, a duration without notice, the end of the agreement, or a given notice. */
  end: z.int().optional(),
  duration: spanSchema.optional(),
  notice: spanSchema.optional(),
  callable: z.enum(["ANYTIME", "DURATION_END"]),
});
export type Terms = z.infer<typeof termsSchema>;

/**
 * Inferred: a duration without notice is the job's life. With notice it repeats until descheduled, effective after the
 * notice; with DURATION_END at a duration's end.
 */
export function termsOf(sent: Sent, now: number): Terms {
  const start = Math.max(now, timeOf(sent.get("job.startDate")) ?? now);
  const duration = spanOf(sent, "duration");
  const notice = spanOf(sent, "notice");
  const ends = [
    after(timeOf(sent.get("job.endDate")), { number: 1, unit: "SECOND" }),
    after(timeOf(sent.get("standingInstruction.expiry")), { number: 1, unit: "DAY" }),
    notice === undefined ? after(start, duration) : undefined,
  ].filter((end) => end !== undefined);
  return {
    start,
    ...(ends.length > 0 && { end: Math.min(...ends) }),
    ...(duration && { duration }),
    ...(notice && { notice }),
    callable: sent.get("job.noticeCallable") === "DURATION_END" ? "DURATION_END" : "ANYTIME",
  };
}

/** The terms after descheduling at that time. */
export function descheduled(terms: Terms, now: number): Terms {
  const { start, duration, notice, callable, end } = terms;
  const free = notice === undefined ? now : after(now, notice);
  const out =
    free === undefined || callable === "ANYTIME" || duration === undefined
      ? free
      : endOfDuration(start, duration, free);
  const ends = [end, out].filter((each) => each !== undefined);
  return { ...terms, ...(ends.length > 0 && { end: Math.min(...ends) }) };
}

/** The first end of a duration at or after that time. */
function endOfDuration(start: number, { number, unit }: Span, earliest: number): number | undefined {
  if (number === 0) return earliest;
  const fixed = isFixed(unit) ? number * FIXED_MS[unit] : undefined;
  if (fixed !== undefined) return start + Math.max(1, Math.ceil((earliest - start) / fixed)) * fixed;
  for (let times = 1; ; times += 1) {
    const end = after(start, { number: number * times, unit });
    if (end === undefined || end >= earliest) return end;
  }
}

function spanOf(sent: Sent, name: "duration" | "notice"): Span | undefined {
  const number = sent.get(`job.${name}Number`);
  const unit = unitSchema.safeParse(sent.get(`job.${name}Unit`));
  return number === undefined || !unit.success ? undefined : { number: Number(number), unit: unit.data };
}

/** yyyy-MM-dd HH:mm:ss or a date alone, in UTC. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return Date.parse(text.includes(" ") ? `${text.replace(" ", "T")}Z` : `${text}T00:00:00Z`);
}

const FIXED_MS = { WEEK: 604_800_000, DAY: 86_400_000, HOUR: 3_600_000, MINUTE: 60_000, SECOND: 1_000 } as const;

function isFixed(unit: Span["unit"]): unit is keyof typeof FIXED_MS {
  return unit !== "YEAR" && unit !== "MONTH";
}

/** By the calendar: a month after 31 January is the last of February. Undefined: no limit, or beyond the calendar. */
function after(time: number | undefined, span: Span | undefined): number | undefined {
  if (time === undefined || span === undefined) return undefined;
  const later = spanAfter(new Date(time), span);
  return Number.isNaN(later) ? undefined : later;
}

function spanAfter(date: Date, { number, unit }: Span): number {
  if (isFixed(unit)) return new Date(date.getTime() + number * FIXED_MS[unit]).getTime();
  const months = date.getUTCMonth() + (unit === "YEAR" ? 12 * number : number);
  const last = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const later = new Date(date);
  later.setUTCFullYear(date.getUTCFullYear(), months, Math.min(date.getUTCDate(), last));
  return later.getTime();
}
