import { type Currency, formatAmount, type Minor } from "../../kit/money.ts";
import type { Granted } from "../fact/refusal.ts";

/**
 * A token's limits for one refund, credit or void, and for all of its register in a day. In hundredths of any
 * currency's unit; absent: no limit.
 */
export interface RefundLimits {
  readonly payment?: number;
  readonly day?: number;
}

const LIMIT = /^(0|[1-9][0-9]{0,9})(?:\.([0-9]{2}))?$/;

export function parseLimit(text: string): number | undefined {
  const [, units, decimals = "00"] = LIMIT.exec(text) ?? [];
  return units === undefined ? undefined : Number(units + decimals);
}

export function formatLimit(hundredths: number): string {
  return formatAmount(hundredths, { decimals: 2 });
}

/** 1 EUR and 1 JPY count alike: else a thief could use up a limit for each currency. */
export function hundredthsOf(minor: Minor, { decimals }: Currency): number {
  return decimals === 0 ? minor * 100 : minor;
}

/** `given`: hundredths given back today. */
export function withinLimits(
  { payment, day }: RefundLimits,
  given: number,
  amount: Minor,
  currency: Currency,
): Granted<undefined> {
  const wanted = hundredthsOf(amount, currency);
  const asked = `${formatAmount(amount, currency)} ${currency.code}`;
  if (payment !== undefined && wanted > payment)
    return beyond("payment", { limit: payment, left: payment, asked, currency });
  if (day !== undefined && wanted > day - given)
    return beyond("day", { limit: day, left: Math.max(0, day - given), asked, currency });
  return { ok: true, value: undefined };
}

interface Beyond {
  readonly limit: number;
  readonly left: number;
  readonly asked: string;
  readonly currency: Currency;
}

function beyond(per: "payment" | "day", { limit, left, asked, currency }: Beyond): Granted<never> {
  const most = currency.decimals === 0 ? String(Math.floor(left / 100)) : formatLimit(left);
  const whole = formatLimit(limit);
  const message =
    per === "payment"
      ? `${asked} is more than this token may give back by one payment: its limit is ${whole}`
      : `${asked} is more than this register may still give back today: ${most} is left of ${whole}`;
  const refusal = {
    code: "refund-limit",
    message: `${message}; ask for a token that may give back more`,
    advice: "fix-config",
  } as const;
  return { ok: false, refusal: { ...refusal, exceeded: { per, limit: whole, left: most } } };
}
