import { amountText, currencyNumbered } from "../kit/money.ts";

/*
 * What a host asks for, as a device's own screens and clock have it.
 */

/** An amount as a command carries it. */
export interface AskedAmount {
  /** 9F02, twelve digits. */
  readonly amount: string;
  /** 5F2A, four digits. */
  readonly currency: string;
  /** 5F36, where the host named it. */
  readonly decimals?: number;
}

/** Decimals of a currency that no table here knows. */
const USUAL_DECIMALS = 2;
/** More than a display has room for is not shown as such. */
const MOST_DECIMALS = 3;

/** The amount with its currency; a currency without letters by its number. */
export function amountOf({ amount, currency, decimals }: AskedAmount): string {
  const known = currencyNumbered(currency.slice(1));
  const places = Math.min(decimals ?? known?.decimals ?? USUAL_DECIMALS, MOST_DECIMALS);
  return amountText({ amount: Number(amount), decimals: places, currencyCode: known?.code ?? currency.slice(1) });
}

/** A clock as 9A and 9F21 hold it, YYMMDD and HHMMSS in UTC, from a time in milliseconds. */
export function clockDigits(epochMs: number): { readonly date: string; readonly time: string } {
  const now = new Date(epochMs);
  return {
    date: pair(now.getUTCFullYear() % 100) + pair(now.getUTCMonth() + 1) + pair(now.getUTCDate()),
    time: pair(now.getUTCHours()) + pair(now.getUTCMinutes()) + pair(now.getUTCSeconds()),
  };
}

const pair = (number: number): string => String(number).padStart(2, "0");

/** The time that 9A and 9F21 name, in milliseconds, or undefined where there is no such time. */
export function clockMs(date: string, time: string): number | undefined {
  const pairs = /^(\d\d)(\d\d)(\d\d) (\d\d)(\d\d)(\d\d)$/.exec(`${date} ${time}`)?.slice(1);
  if (pairs === undefined) return undefined;
  const [year, month, day, hour, minute, second] = pairs;
  const epochMs = Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
