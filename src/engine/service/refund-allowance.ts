import { isoTime } from "../../kit/clock.ts";
import { type Currency, currencyOf, type Minor } from "../../kit/money.ts";
import type { Turns } from "../../kit/turns.ts";
import { type Granted, hundredthsOf, withinLimits } from "../../payment/request.ts";
import { givenBack, givesBack } from "../../payment/state.ts";
import type { Caller } from "../../register/ports.ts";
import { load } from "../shell/payment-loader.ts";
import type { PaymentsPorts } from "./service-ports.ts";

/** The amount requested, and its caller. */
interface Wanted {
  readonly caller: Caller;
  readonly type: string;
  readonly amount: Minor;
  readonly currency: string;
}

/** Payments read from the journal at once. */
const PAGE = 500;

/**
 * Accepts a refund within the limits of the caller's token. One a register at a time: simultaneous requests must not
 * exceed them together.
 */
export async function acceptWithinLimits<T>(
  ports: PaymentsPorts,
  givingBack: Turns,
  wanted: Wanted,
  accept: () => Promise<Granted<T>>,
): Promise<Granted<T>> {
  const { register, refundLimits } = wanted.caller;
  if (refundLimits === undefined || !givesBack(wanted.type)) return accept();
  return givingBack(register, async () => {
    const given = refundLimits.day === undefined ? 0 : await givenToday(ports, register);
    const allowed = withinLimits(refundLimits, given, wanted.amount, requireCurrency(wanted.currency));
    return allowed.ok ? accept() : allowed;
  });
}

/**
 * Refunded by a register today, in hundredths. Read from the journal, so a restart forgets nothing. Future dates (clock
 * set back) count too.
 */
async function givenToday(ports: PaymentsPorts, register: string): Promise<number> {
  const from = isoTime(ports.startOfDay(ports.clock.now()));
  let given = 0;
  let after: string | undefined;
  do {
    const page = await ports.journal.list({ register, from, limit: PAGE, ...(after !== undefined && { after }) });
    for (const { payment, type } of page.rows) {
      const found = givesBack(type) ? await load(ports, payment) : undefined;
      if (found !== undefined)
        given += hundredthsOf(givenBack(found.payment), requireCurrency(found.payment.accepted.currency));
    }
    after = page.next;
  } while (after !== undefined);
  return given;
}

function requireCurrency(code: string): Currency {
  const currency = currencyOf(code);
  if (currency === undefined)
    throw new RangeError(`the journal holds payments in ${code}, which this version does not take`);
  return currency;
}
