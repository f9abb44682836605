import type { Fact } from "../../payment/machine.ts";
import { type Granted, granted } from "../../payment/request.ts";
import type { Payment } from "../../payment/state.ts";
import { viewOf } from "../../payment/view.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import type { AnyPaymentKey } from "../../register/ports.ts";
import { paymentNamed } from "../service/payment-named.ts";
import type { PaymentsPorts } from "../service/service-ports.ts";
import { readFact, readPayment } from "./journal-replay.ts";

export interface Recorded {
  readonly facts: readonly Fact[];
  /** The payment folded from these facts. */
  readonly payment: Payment;
  /** The present view for registers. */
  readonly view: PaymentView;
  /** The payment's own time, epoch milliseconds (mailbox.ts). */
  readonly now: number;
}

export async function recorded(
  { engine, journal, clock }: Pick<PaymentsPorts, "engine" | "journal" | "clock">,
  key: AnyPaymentKey,
): Promise<Granted<Recorded>> {
  const named = await paymentNamed({ journal }, key);
  if (!named.ok) return named;
  const id = named.value.payment;
  const mailbox = engine.find(id);
  const stored = await journal.facts(id);
  const read = readPayment(stored);
  if (read === undefined) throw new RangeError(`payment ${id} has no facts`);
  const { payment } = read;
  return granted({
    facts: stored.map(readFact),
    payment,
    view: viewOf(payment, mailbox?.prompt(), "listed"),
    now: mailbox?.now() ?? clock.now(),
  });
}
