import type { ListFilter } from "../engine/ports.ts";
import { isoTime } from "../kit/clock.ts";
import { amountsMeant } from "../kit/money.ts";
import { systemDay } from "../kit/system-local-time.ts";
import type { Outcome } from "../payment/view-schema.ts";
import { UsageProblem } from "./terminal-output.ts";

/** Maximum of a page, as in the register API. */
export const MAX_LIMIT = 500;

/** The options of a list; all given ones must match. */
export interface ListChoice {
  readonly open?: true;
  /** In this machine's time zone, as on receipts. */
  readonly day?: string;
  readonly terminal?: string;
  readonly register?: string;
  readonly outcome?: string;
  readonly amount?: string;
  readonly merchantTransactionId?: string;
  readonly limit: string;
  readonly after?: string;
}

export const OUTCOMES = [
  "APPROVED",
  "PARTIALLY_APPROVED",
  "DECLINED",
  "CANCELLED",
  "FAILED",
] as const satisfies readonly Outcome[];

/** The journal's filter, without the request's name. Throws a UsageProblem that names the option. */
export function listFilterOf({ open, terminal, register, outcome, after, day, amount, limit }: ListChoice): ListFilter {
  return {
    limit: limitOf(limit),
    ...(open === true && { open }),
    ...(terminal !== undefined && { terminal }),
    ...(register !== undefined && { register: register.normalize("NFC") }),
    ...(outcome !== undefined && { outcome }),
    ...(after !== undefined && { after }),
    ...(day !== undefined && periodOf(day)),
    ...(amount !== undefined && { amounts: amountsOf(amount) }),
  };
}

function limitOf(limit: string): number {
  const wanted = /^[0-9]{1,3}$/.test(limit) ? Number(limit) : 0;
  if (wanted < 1 || wanted > MAX_LIMIT) throw new UsageProblem(`--limit ${limit}: use a number from 1 to ${MAX_LIMIT}`);
  return wanted;
}

function periodOf(text: string): Pick<ListFilter, "from" | "to"> {
  const day = systemDay(text);
  if (day === undefined) throw new UsageProblem(`--day ${text}: use a day that there is, as 2026-01-31`);
  return { from: isoTime(day.from), to: isoTime(day.to) };
}

function amountsOf(text: string): NonNullable<ListFilter["amounts"]> {
  const amounts = amountsMeant(text);
  if (amounts === undefined)
    throw new UsageProblem(
      `--amount ${text}: use digits, and a dot with two decimals where there are any, as 12.34 or 1200`,
    );
  return amounts;
}
