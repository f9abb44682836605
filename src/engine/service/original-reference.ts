import type { Channel, Device, PresentedCard } from "../../payment/exchange.ts";
import type { Granted, Standing } from "../../payment/request.ts";
import { type Payment, targetsOf } from "../../payment/state.ts";

/** What a follow-up is asked of. `family` names the booking and all that belongs to it, as far as it is known: one follow-up of it at a time. */
export interface Family {
  readonly family: readonly string[];
  /** How it stands now; or, of what only the gateway could tell what it belongs to, the whole family. */
  look(): Promise<Granted<Original | Family>>;
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

/** The name of the family that a payment belongs to: the booking or payment everything began with, as far as this journal knows it. */
export function familyOf({ accepted: { id, of } }: Payment): string {
  return of?.asked ?? of?.root ?? of?.payment ?? id;
}

/** Whether it is a follow-up within that family, also by a booking that it refers to. */
export function isFollowUpIn(payment: Payment, family: readonly string[]): boolean {
  return payment.accepted.of !== undefined && [familyOf(payment), ...targetsOf(payment).map(({ id }) => id)].some((name) => family.includes(name));
}
