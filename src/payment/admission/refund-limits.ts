import { type Currency, formatAmount, type Minor } from "../../kit/money.ts";
import type { Granted } from "../fact/refusal.ts";

/** What a token may give back, in hundredths of a unit; absent: as much as there is. */
export interface RefundLimits {
  /** By one refund, unlinked refund or void. */
  readonly payment?: number;
  /** By all of them of one day, of the register that the token names. */
  readonly day?: number;
}

/** Up to ten digits before the dot, as an amount has; no decimals stand for .00. */
const LIMIT = /^(0|[1-9][0-9]{0,9})(?:\.([0-9]{2}))?$/;

/** Hundredths of a limit such as "200.00" or "200"; undefined where the text is none. */
export function parseLimit(text: string): number | undefined {
  const [, units, decimals = "00"] = LIMIT.exec(text) ?? [];
  return units === undefined ? undefined : Number(units + decimals);
}

export function formatLimit(hundredths: number): string {
  return formatAmount(hundredths, { decimals: 2 });
}

/**
 * One unit counts as one whatever its currency (1 EUR, 1 JPY): with a sum for each currency a thief would take them one
 * after the other.
 */
export function hundredthsOf(minor: Minor, { decimals }: Currency): number {
  return decimals === 0 ? minor * 100 : minor;
}

/** Whether so much more may be given back by a register that has given back `given` hundredths today. */
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
