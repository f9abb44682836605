import { chapter } from "./chapter.ts";
import { dateTime, matching, oneOf, text } from "./format.ts";

const DAYS = "SUN|MON|TUE|WED|THU|FRI|SAT";
const MONTHS = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC";

/** A cron field: values, ranges and steps, separated by commas; `more` are further alternatives to a value. */
function cron(value: string, ...more: readonly string[]): string {
  const one = [`(?:\\*|(?:${value})(?:-(?:${value}))?)(?:/[0-9]{1,4})?`, ...more].join("|");
  return `(?:${one})(?:,(?:${one}))*`;
}

const SECOND = "[0-5]?[0-9]";
const HOUR = "1[0-9]|2[0-3]|0?[0-9]";
const DAY = "[12][0-9]|3[01]|0?[1-9]";

const second = cron(SECOND);
const hour = cron(HOUR);
const dayOfMonth = cron(DAY, "\\?", `L(?:-(?:${DAY}))?`, "LW", `(?:${DAY})W`);
const month = cron("1[0-2]|0?[1-9]");
const dayOfWeek = cron(`[1-7]|${DAYS}`, "\\?", "L", `(?:[1-7]|${DAYS})(?:L|#[1-5])`);
const year = cron("19[7-9][0-9]|20[0-9]{2}");

/** A whole expression combines the formats of its fields, and may also name months. */
const EXPRESSION = [second, cron(SECOND), hour, dayOfMonth, cron(`1[0-2]|0?[1-9]|${MONTHS}`), dayOfWeek].join("\\s+");

const unit = oneOf("YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");
const number = matching("N..16", "[0-9]{1,16}", "be 1-16 digits");

/** A minute is a plain number: the table allows none of the signs of the other fields. */
export const scheduling = chapter(
  "Scheduling (subscription jobs)",
  [
    ["job.name", text(1, 64)],
    ["job.year", matching("cron 1970-2099 ,-*/ or empty", `(?:${year})?`, "be empty or years 1970-2099 with , - * /")],
    ["job.month", matching("cron 1-12 ,-*/", month, "be months 1-12 with , - * /")],
    ["job.dayOfMonth", matching("cron 1-31 ,-*?/LW", dayOfMonth, "be days 1-31 with , - * ? / L W")],
    ["job.dayOfWeek", matching("cron 1-7|SUN-SAT ,-*?/L#", dayOfWeek, "be days 1-7 or SUN-SAT with , - * ? / L #")],
    ["job.hour", matching("cron 0-23 ,-*/", hour, "be hours 0-23 with , - * /")],
    ["job.minute", matching("0 to 59", SECOND, "be a minute from 0 to 59")],
    ["job.second", matching("cron 0-59 ,-*/", second, "be seconds 0-59 with , - * /")],
    ["job.startDate", dateTime],
    ["job.endDate", dateTime],
    ["job.noticeUnit", unit],
    ["job.durationUnit", unit],
    ["job.noticeNumber", number],
    ["job.durationNumber", number],
    ["job.noticeCallable", oneOf("ANYTIME", "DURATION_END")],
    [
      "job.expression",
      matching(
        "cron expression ..256",
        `(?=.{1,256}$)${EXPRESSION}(?:\\s+(?:${year}))?`,
        "be a cron expression of 6 or 7 fields",
      ),
    ],
  ],
  [],
  [
    "`job.expression` is second, minute, hour, day of month, month, day of week and perhaps year, and overwrites the fields of those names.",
  ],
);
