import { presentedCardOf } from "../../payment/exchange.ts";
import type { CardRead } from "../../payment/machine.ts";
import { type Granted, granted, type OriginalKey, refused } from "../../payment/request.ts";
import { followUpOf, foreignStandingOf, idsIn, NO_TERMINAL, type Payment, standingOf } from "../../payment/state.ts";
import { brandAndDigits } from "../../payment/view.ts";
import type { Caller } from "../../register/ports.ts";
import { load } from "../shell/payment-loader.ts";
import { type LookedUp, type LookingCaller, lookUp, recentFollowUps } from "./booking-lookup.ts";
import { type Family, familyOf, type Original, type Shown } from "./original-reference.ts";
import type { PaymentsPorts } from "./service-ports.ts";

export async function findOriginal(
  ports: PaymentsPorts,
  caller: LookingCaller,
  key: OriginalKey,
): Promise<Granted<Family>> {
  if ("gatewayId" in key) {
    const { gatewayId } = key;
    // Check before any query or hold: such a caller would use up the gateway's queries and block the booking.
    if (caller.foreign !== true && (await ports.journal.byGatewayId(gatewayId)).length === 0)
      return foreignForbidden(gatewayId);
    return granted({ family: [gatewayId], look: () => byGatewayId(ports, caller, gatewayId) });
  }
  const payment = await named(ports, caller, key);
  if (payment === undefined || (!caller.all && payment.accepted.register !== caller.register)) {
    return refused(
      "not-found",
      `of: no payment of register "${caller.register}" has that reference or id`,
      "fix-request",
      "of",
    );
  }
  const { accepted } = payment;
  const root = accepted.of?.root ?? accepted.of?.payment;
  return granted({
    family: [familyOf(payment)],
    look: async () => {
      const own = (await load(ports, accepted.id))?.payment ?? payment;
      const head = root === undefined ? undefined : (await load(ports, root))?.payment;
      const original = originalOf(ports, own, head);
      return accepted.type === "INCREMENT" ? ofForeign(ports, caller, own, original) : granted(original);
    },
  });
}

/**
 * Only the gateway knows the family of a foreign booking. This journal's follow-ups are counted once it is held, so
 * none accepted meanwhile is missed.
 */
async function byGatewayId(ports: PaymentsPorts, caller: LookingCaller, gatewayId: string): Promise<Granted<Family>> {
  const found = await lookUp(ports, caller, gatewayId);
  if (!found.ok) return found;
  const { bookings, payments, own } = found.value;
  if (own !== undefined) return findOriginal(ports, caller, { id: own });
  if (caller.foreign !== true) return foreignForbidden(gatewayId);
  return granted({
    family: [...new Set([...idsIn(bookings), ...payments.map(familyOf)])],
    look: () => foreignOf(ports, gatewayId, found.value),
  });
}

/** Without this scope, a cashier could refund any web shop booking of the entity to himself. */
function foreignForbidden(gatewayId: string): Granted<never> {
  const what = `of.gatewayId: this bridge did not make booking ${gatewayId}`;
  return refused(
    "forbidden",
    `${what}: ask for a token that has the scope foreign-bookings`,
    "fix-config",
    "of.gatewayId",
  );
}

/** An increment of ours on a foreign reservation: only the gateway knows whether it was captured. */
async function ofForeign(
  ports: PaymentsPorts,
  caller: LookingCaller,
  increment: Payment,
  original: Original,
): Promise<Granted<Original>> {
  const booked = followUpOf(increment).id;
  if (original.asked === undefined || original.standing.closed !== undefined || booked === undefined)
    return granted(original);
  const found = await lookUp(ports, caller, original.asked);
  if (!found.ok) return found;
  const foreign = await foreignOf(ports, booked, found.value);
  if (!foreign.ok) return foreign;
  const { closed } = foreign.value.standing;
  return granted({ ...original, standing: { ...original.standing, ...(closed !== undefined && { closed }) } });
}

async function foreignOf(
  ports: PaymentsPorts,
  gatewayId: string,
  { bookings, payments, terminal, settings }: LookedUp,
): Promise<Granted<Original>> {
  const { channel, device, oneCapture } = settings;
  const recent = await recentFollowUps(ports);
  const own = [...recent, ...payments.filter(({ accepted }) => recent.every((one) => one.accepted.id !== accepted.id))];
  const standing = foreignStandingOf(gatewayId, bookings, own, oneCapture === true);
  if (standing !== undefined) return granted({ standing, asked: gatewayId, terminal, channel, device });
  const type = bookings.find(({ id }) => id === gatewayId)?.paymentType;
  return refused("not-allowed", `of: ${type} ${gatewayId} is not an approved booking`, "fix-request", "of");
}

function originalOf({ settings, gateway }: PaymentsPorts, payment: Payment, head: Payment | undefined): Original {
  const { id, of, terminal, channel, device } = payment.accepted;
  const card = presentedCardOf(payment);
  const shown = payment.card === undefined ? of?.shown : shownOf(payment, payment.card);
  const away = gateway.reaches(channel)
    ? {}
    : { closed: `was made with another gateway, at ${channel.gateway}: settle it there` };
  return {
    standing: { ...standingOf(payment, head, takesOneCapture(settings, terminal)), ...away },
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

/** The channel's rule, even if the terminal is no longer configured. */
function takesOneCapture(settings: PaymentsPorts["settings"], terminal: string): boolean {
  return (settings.get(terminal) ?? settings.get(NO_TERMINAL))?.oneCapture === true;
}

function shownOf(payment: Payment, card: CardRead): Shown {
  return { last4: "", ...brandAndDigits(payment, card), entryMode: card.entryMode };
}

async function named(
  ports: PaymentsPorts,
  { register }: Caller,
  key: Exclude<OriginalKey, { gatewayId: string }>,
): Promise<Payment | undefined> {
  if ("id" in key) return (await load(ports, key.id))?.payment;
  const reference = "name" in key ? key.name : key.reference;
  const id = (await ports.journal.byReference(register, reference)) ?? ("name" in key ? key.name : undefined);
  return id === undefined ? undefined : (await load(ports, id))?.payment;
}
