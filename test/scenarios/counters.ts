import type { PaymentView } from "../../src/payment/view-schema.ts";
import { terminalReady } from "./sale.ts";
import type { Shop } from "./shop.ts";
import type { TestTerminal } from "./terminal.ts";
import type { Till } from "./till.ts";

/** What a customer pays, and with which card; the rest goes to `payment.start` as it is. */
export interface Purchase {
  readonly reference: string;
  readonly card: string;
  readonly type?: "SALE" | "PREAUTHORIZATION" | "REFUND" | "REGISTRATION";
  /** 12.34 when not said; a REGISTRATION has none. */
  readonly amount?: string;
  /** The number of the terminal; the one with the shortest line when not said. */
  readonly at?: number;
  readonly [parameter: string]: unknown;
}

/** The terminals of a shop with simulated customers: whoever wants to pay takes the next one that is free. */
export interface Counters {
  /** A whole payment: started, paid by a customer with that card, settled, and the terminal free again. */
  pay(purchase: Purchase): Promise<PaymentView>;
  /** As `pay`; `during` runs once it is started, and what it resolves with is the result. */
  payAnd<T>(purchase: Purchase, during: (terminal: TestTerminal) => Promise<T>): Promise<T>;
}

/** How long one payment may take at the most, several tries of its customer included. */
const PAYMENT_MS = 15_000;

export function openCounters({ terminals }: Pick<Shop, "terminals">, till: () => Till): Counters {
  const lines = terminals.map((terminal) => ({ terminal, length: 0, last: Promise.resolve() }));
  const [first] = lines;
  if (first === undefined) throw new RangeError("a shop has a terminal");
  /** A card stays with its terminal, because the issuer wants its counter to rise. */
  const lineOf = new Map<string, typeof first>();
  const queueUp = ({ card, at = 0 }: Purchase): typeof first => {
    const line =
      lines[at - 1] ??
      lineOf.get(card) ??
      lines.reduce((shortest, one) => (one.length < shortest.length ? one : shortest), first);
    lineOf.set(card, line);
    line.length += 1;
    return line;
  };
  const pay = async <T>(
    { card, type = "SALE", amount = "12.34", at: _, ...rest }: Purchase,
    terminal: TestTerminal,
    during: () => Promise<T>,
  ): Promise<T> => {
    await terminal.customerHas(card);
    const params = { ...rest, terminal: terminal.id, currency: "EUR" };
    await till().client.startPayment(type === "REGISTRATION" ? { ...params, type } : { ...params, type, amount });
    const result = await during();
    await terminalReady(till(), terminal);
    return result;
  };
  const payAnd: Counters["payAnd"] = (purchase, during) => {
    const line = queueUp(purchase);
    const done = line.last
      .then(() => pay(purchase, line.terminal, () => during(line.terminal)))
      .finally(() => {
        line.length -= 1;
      });
    line.last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  };
  return { payAnd, pay: (purchase) => payAnd(purchase, () => till().settled(purchase.reference, PAYMENT_MS)) };
}
