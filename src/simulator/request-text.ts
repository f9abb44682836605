import { amountText, currencyNumbered } from "../kit/money.ts";

/* The host's request in texts and clocks of the device. */

/** An amount in a command. */
export interface AskedAmount {
  /** 9F02, twelve digits. */
  readonly amount: string;
  /** 5F2A, four digits. */
  readonly currency: string;
  /** 5F36, if the host sent it. */
  readonly decimals?: number;
}

/** Default for unknown currencies. */
const USUAL_DECIMALS = 2;
/** Limit of the display. */
const MOST_DECIMALS = 3;

/** The amount with its currency; an unknown currency by number. */
export function amountOf({ amount, currency, decimals }: AskedAmount): string {
  const known = currencyNumbered(currency.slice(1));
  const places = Math.min(decimals ?? known?.decimals ?? USUAL_DECIMALS, MOST_DECIMALS);
  return amountText({ amount: Number(amount), decimals: places, currencyCode: known?.code ?? currency.slice(1) });
}

/** Date 9A and time 9F21 (YYMMDD, HHMMSS) in UTC, from epoch milliseconds. */
export function clockDigits(epochMs: number): { readonly date: string; readonly time: string } {
  const now = new Date(epochMs);
  return {
    date: pair(now.getUTCFullYear() % 100) + pair(now.getUTCMonth() + 1) + pair(now.getUTCDate()),
    time: pair(now.getUTCHours()) + pair(now.getUTCMinutes()) + pair(now.getUTCSeconds()),
  };
}

const pair = (number: number): string => String(number).padStart(2, "0");

/** Epoch milliseconds of 9A and 9F21; undefined: no such time. */
export function clockMs(date: string, time: string): number | undefined {
  const pairs = /^(\d\d)(\d\d)(\d\d) (\d\d)(\d\d)(\d\d)$/.exec(`${date} ${time}`)?.slice(1);
  if (pairs === undefined) return undefined;
  const [year, month, day, hour, minute, second] = pairs;
  const epochMs = Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
