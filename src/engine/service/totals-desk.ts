import { UNKNOWN_BRAND } from "../../emv/brand.ts";
import { sleep } from "../../kit/clock.ts";
import { currencyOf, formatAmount, type Minor } from "../../kit/money.ts";
import { bookedAmount, isApproved, type Payment, targetsOf } from "../../payment/state.ts";
import { brandAndDigits } from "../../payment/view.ts";
import type { PaymentType } from "../../payment/view-schema.ts";
import type { Caller, Period, TotalsRow } from "../../register/ports.ts";
import { load } from "../shell/payment-loader.ts";
import type { PaymentsPorts } from "./service-ports.ts";

type TotalsPorts = Pick<PaymentsPorts, "engine" | "journal" | "clock">;

/** Contribution of one approved payment. Amount in minor units. */
interface Entry {
  readonly payment: string;
  readonly terminal: string;
  readonly type: PaymentType;
  readonly brand: string;
  readonly currency: string;
  readonly amount: Minor;
  /** The original payment, if known to this journal. */
  readonly of: string | undefined;
}

/** Payments read from the journal before other work gets a turn. */
const PAGE = 25;

/**
 * Approved payments of a period (contract, `totals.get`) that the caller may read. A void and its original in the same
 * period cancel out. A void of an earlier payment is a row of its own, so past totals stay valid.
 */
export async function totals(ports: TotalsPorts, caller: Caller, period: Period): Promise<readonly TotalsRow[]> {
  const brands = new Map<string, string>();
  const entries: Entry[] = [];
  let after: string | undefined;
  do {
    const own = caller.all ? {} : { register: caller.register };
    const page = await ports.journal.list({ ...period, ...own, limit: PAGE, ...(after !== undefined && { after }) });
    for (const row of page.rows) {
      if (!isApproved(row)) continue;
      const found = await load(ports, row.payment);
      if (found !== undefined) entries.push(await entryOf(ports, brands, found.payment));
    }
    after = page.next;
    // A long period must not keep a card at a terminal waiting.
    await sleep(ports.clock, 0);
  } while (after !== undefined);
  return rowsOf(standing(entries));
}

async function entryOf(ports: TotalsPorts, brands: Map<string, string>, payment: Payment): Promise<Entry> {
  const { id, terminal, type, currency, of } = payment.accepted;
  const brand = brandShownBy(payment) ?? (await brandOf(ports, brands, of?.root ?? of?.payment));
  return { payment: id, terminal, type, brand, currency, amount: amountOf(payment), of: of?.payment };
}

/** A follow-up reads no card: its brand is that of the first payment of the chain. */
async function brandOf(ports: TotalsPorts, brands: Map<string, string>, first: string | undefined): Promise<string> {
  if (first === undefined) return UNKNOWN_BRAND;
  const known = brands.get(first) ?? brandShownBy((await load(ports, first))?.payment) ?? UNKNOWN_BRAND;
  brands.set(first, known);
  return known;
}

const brandShownBy = (payment: Payment | undefined): string | undefined =>
  payment?.card && brandAndDigits(payment, payment.card).brand;

/** A void's amount is the sum of its targets, for example a reservation and its increments. */
function amountOf(payment: Payment): Minor {
  if (payment.accepted.type === "VOID") return targetsOf(payment).reduce((total, { amount }) => total + amount, 0);
  return bookedAmount(payment) ?? 0;
}

/** Removes voids and their originals if both are present, with the increments of a voided reservation. */
function standing(entries: readonly Entry[]): readonly Entry[] {
  const present = new Set(entries.map(({ payment }) => payment));
  const voided = new Set(
    entries.flatMap(({ type, of }) => (type === "VOID" && of !== undefined && present.has(of) ? [of] : [])),
  );
  const isGone = ({ payment, type, of }: Entry): boolean =>
    voided.has(payment) || (of !== undefined && (type === "VOID" || type === "INCREMENT") && voided.has(of));
  return entries.filter((entry) => !isGone(entry));
}

function rowsOf(entries: readonly Entry[]): readonly TotalsRow[] {
  const groups = Map.groupBy(entries, ({ terminal, type, brand, currency }) =>
    JSON.stringify([terminal, type, brand, currency]),
  );
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...more]]) => {
      if (first === undefined) return [];
      const { terminal, type, brand, currency } = first;
      const sum = more.reduce((total, { amount }) => total + amount, first.amount);
      return [{ terminal, type, brand, currency, count: more.length + 1, amount: decimal(sum, currency) }];
    });
}

function decimal(minor: Minor, code: string): string {
  const currency = currencyOf(code);
  if (currency === undefined)
    throw new RangeError(`the journal holds payments in ${code}, which this version does not take`);
  return formatAmount(minor, currency);
}
