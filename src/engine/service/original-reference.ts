import type { Channel, Device, PresentedCard } from "../../payment/exchange.ts";
import type { Granted, Standing } from "../../payment/request.ts";
import { type Payment, targetsOf } from "../../payment/state.ts";

/**
 * The target of a follow-up. `family` names the booking and its known relatives, which allow one follow-up at a time.
 */
export interface Family {
  readonly family: readonly string[];
  /** The current state; or the whole family, if only the gateway knew it. */
  look(): Promise<Granted<Original | Family>>;
}

export interface Original {
  readonly standing: Standing;
  readonly payment?: string;
  readonly root?: string;
  /** The gateway id of a booking unknown to this journal. */
  readonly asked?: string;
  readonly terminal: string;
  readonly channel: Channel;
  readonly device: Device;
  readonly card?: PresentedCard;
  /** The card as printed on receipts. */
  readonly shown?: Shown;
}

export type Shown = NonNullable<NonNullable<Payment["accepted"]["of"]>["shown"]>;

/** The family's name: the first booking or payment of the chain known to this journal. */
export function familyOf({ accepted: { id, of } }: Payment): string {
  return of?.asked ?? of?.root ?? of?.payment ?? id;
}

/** Whether the payment is a follow-up in this family, including by a booking it refers to. */
export function isFollowUpIn(payment: Payment, family: readonly string[]): boolean {
  return (
    payment.accepted.of !== undefined &&
    [familyOf(payment), ...targetsOf(payment).map(({ id }) => id)].some((name) => family.includes(name))
  );
}
