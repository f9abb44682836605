import { viewOf } from "../../payment/view.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import type { PaymentsPorts } from "../service/service-ports.ts";
import { load } from "./payment-loader.ts";

/** Waits until the condition holds, or the time is over. Listens before it looks, so that no change is missed. */
export async function waitUntil(
  ports: Pick<PaymentsPorts, "engine" | "journal" | "clock">,
  id: string,
  isSo: (view: PaymentView) => boolean,
  timeoutMs: number,
): Promise<PaymentView> {
  const done = Promise.withResolvers<undefined>();
  const stopListening = ports.engine.feed.live(({ payment }) => {
    if (payment.id === id && isSo(payment)) done.resolve(undefined);
  });
  const stopTimer = ports.clock.after(timeoutMs, () => done.resolve(undefined));
  const look = async (): Promise<PaymentView> => {
    const found = await load(ports, id);
    if (found === undefined) throw new Error(`payment ${id} has no facts any more`);
    return viewOf(found.payment, found.prompt);
  };
  try {
    const now = await look();
    if (isSo(now)) return now;
    await done.promise;
    return await look();
  } finally {
    stopListening();
    stopTimer();
  }
}
