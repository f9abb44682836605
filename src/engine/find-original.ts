import type { Standing } from "../payment/admit-follow-up.ts";
import type { CardRead } from "../payment/fact.ts";
import type { Channel, Device, PresentedCard } from "../payment/operation.ts";
import type { Payment } from "../payment/payment.ts";
import { presentedCardOf } from "../payment/presented-card.ts";
import { type Granted, granted, refused } from "../payment/refusal.ts";
import type { OriginalKey } from "../payment/request.ts";
import { standingOf } from "../payment/standing.ts";
import type { Caller } from "../register/ports.ts";
import { load } from "./load.ts";
import { lookUp } from "./look-up.ts";
import type { PaymentsPorts } from "./payments-ports.ts";

/** What a follow-up is asked of. `family` names the booking and all that belongs to it: one follow-up of it at a time. */
export interface Found {
  readonly family: string;
  /** How it stands now. */
  look(): Promise<Granted<Original | Own>>;
}

/** A booking asked for by the gateway's id is that of a payment of this journal after all: its own rules hold. */
export interface Own {
  readonly own: string;
}

export interface Original {
  readonly standing: Standing;
  readonly payment?: string;
  readonly root?: string;
  /** By the gateway's id, where this journal does not know it. */
  readonly asked?: string;
  readonly terminal: string;
  readonly channel: Channel;
  readonly device: Device;
  readonly card?: PresentedCard;
  /** The card as its receipts name it. */
  readonly shown?: Shown;
}

type Shown = NonNullable<NonNullable<Payment["accepted"]["of"]>["shown"]>;

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
