import type { CardRead } from "../payment/fact.ts";
import type { Payment } from "../payment/payment.ts";
import { presentedCardOf } from "../payment/presented-card.ts";
import { type Granted, granted, refused } from "../payment/refusal.ts";
import type { OriginalKey } from "../payment/request.ts";
import { standingOf } from "../payment/standing.ts";
import type { Caller } from "../register/ports.ts";
import { load } from "./load.ts";
import { lookUp } from "./look-up.ts";
import type { Found, Original, Shown } from "./original.ts";
import type { PaymentsPorts } from "./payments-ports.ts";

export async function findOriginal(ports: PaymentsPorts, caller: Caller, key: OriginalKey): Promise<Granted<Found>> {
  if ("gatewayId" in key) return granted({ family: key.gatewayId, look: () => lookUp(ports, key.gatewayId) });
  const payment = await named(ports, caller, key);
  if (payment === undefined || (!caller.all && payment.accepted.register !== caller.register)) {
    return refused("not-found", `of: no payment of register "${caller.register}" has that reference or id`, "fix-request", "of");
  }
  const { accepted } = payment;
  const root = accepted.of?.root ?? accepted.of?.payment;
  return granted({
    family: accepted.of?.asked ?? root ?? accepted.id,
    look: async () => {
      const own = (await load(ports, accepted.id))?.payment ?? payment;
      const head = root === undefined ? undefined : (await load(ports, root))?.payment;
      return granted(originalOf(ports, own, head));
    },
  });
}

function originalOf({ settings }: PaymentsPorts, payment: Payment, head: Payment | undefined): Original {
  const { id, of, terminal, channel, device } = payment.accepted;
  const card = payment.card === undefined ? of?.card : presentedCardOf(payment.card);
  const shown = payment.card === undefined ? of?.shown : shownOf(payment.card);
  return {
    standing: standingOf(payment, head, settings.get(terminal)?.oneCapture === true),
    payment: id,
    ...(of?.asked !== undefined && { asked: of.asked }),
    ...(head !== undefined && { root: head.accepted.id }),
    terminal,
    channel,
    device,
    ...(card !== undefined && { card }),
    ...(shown !== undefined && { shown }),
  };
}

function shownOf({ brand, bin, last4, entryMode }: CardRead): Shown {
  return { brand, ...(bin !== undefined && { bin }), last4, entryMode };
}

async function named(ports: PaymentsPorts, { register }: Caller, key: Exclude<OriginalKey, { gatewayId: string }>): Promise<Payment | undefined> {
  if ("id" in key) return (await load(ports, key.id))?.payment;
  const reference = "name" in key ? key.name : key.reference;
  const id = (await ports.journal.byReference(register, reference)) ?? ("name" in key ? key.name : undefined);
  return id === undefined ? undefined : (await load(ports, id))?.payment;
}
