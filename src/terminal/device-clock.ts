import type { LocalTime } from "../card/command.ts";

const DIGITS = /^[0-9]{6}$/;
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/**
 * Seconds by which the device's clock is ahead (negative: behind); undefined if its time is invalid in this century.
 */
export function secondsAhead(device: LocalTime, right: LocalTime): number | undefined {
  const deviceSeconds = secondsOf(device);
  const rightSeconds = secondsOf(right);
  return deviceSeconds === undefined || rightSeconds === undefined ? undefined : deviceSeconds - rightSeconds;
}

/** Seconds since 1 January 2000 of a date YYMMDD and a time HHMMSS (EMV tags 9A and 9F21: the year has two digits). */
function secondsOf({ date, time }: LocalTime): number | undefined {
  if (!DIGITS.test(date) || !DIGITS.test(time)) return undefined;
  const [year, month, day] = pairs(date);
  const [hour, minute, second] = pairs(time);
  const before = DAYS_BEFORE_MONTH[month - 1];
  const leap = year % 4 === 0;
  if (before === undefined || day < 1 || day > daysIn(month, leap) || hour > 23 || minute > 59 || second > 59)
    return undefined;
  const leapDays = Math.ceil(year / 4) + (leap && month > 2 ? 1 : 0);
  return ((year * 365 + leapDays + before + day - 1) * 24 + hour) * 3600 + minute * 60 + second;
}

function pairs(digits: string): [number, number, number] {
  return [Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4, 6))];
}

function daysIn(month: number, leap: boolean): number {
  const next = DAYS_BEFORE_MONTH[month] ?? 365;
  return next - (DAYS_BEFORE_MONTH[month - 1] ?? 0) + (month === 2 && leap ? 1 : 0);
}
