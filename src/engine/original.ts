import type { Standing } from "../payment/admit-follow-up.ts";
import type { Channel, Device, PresentedCard } from "../payment/operation.ts";
import type { Payment } from "../payment/payment.ts";
import type { Granted } from "../payment/refusal.ts";

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

export type Shown = NonNullable<NonNullable<Payment["accepted"]["of"]>["shown"]>;
