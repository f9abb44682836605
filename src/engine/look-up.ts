import { currencyOf } from "../kit/money.ts";
import type { Standing } from "../payment/admit-follow-up.ts";
import type { Found as Booking, SearchResult } from "../payment/answer.ts";
import { type Granted, granted, refused } from "../payment/refusal.ts";
import { isTakenBack } from "../payment/reversals-shown.ts";
import type { Original, Own } from "./original.ts";
import type { PaymentsPorts, TerminalSettings } from "./payments-ports.ts";

/** The gateway's ids (specification, "Resources"), as far as one is a safe step of a path. */
const GATEWAY_ID = /^[A-Za-z0-9]{1,64}$/;

/** A booking that this journal does not know, as the gateway shows it with all that refers to it. A query sees one entity only, so each is asked (gateway-facts 2.4). */
export async function lookUp(ports: PaymentsPorts, gatewayId: string): Promise<Granted<Original | Own>> {
  if (!GATEWAY_ID.test(gatewayId))
    return refused("not-found", "of.gatewayId is not an id of the gateway: letters and digits only", "fix-request", "of.gatewayId");
  for (const [terminal, settings] of channelsOf(ports)) {
    const result = await ask(ports, settings, gatewayId);
    if (result.is === "absent") continue;
    if (result.is !== "found") return refused("gateway-unreached", "the gateway could not be asked about that booking: try again in a minute", "retry");
    const booking = result.bookings.find(({ id }) => id === gatewayId);
    if (booking === undefined) continue;
    const own = booking.merchantTransactionId && (await ports.journal.byMerchantTransactionId(booking.merchantTransactionId));
    if (own !== undefined && own !== "") return granted({ own });
    const standing = standingOf(booking, result.bookings, settings.oneCapture === true);
    if (standing === undefined) return refused("not-allowed", `of: ${booking.paymentType} ${gatewayId} is not an approved booking`, "fix-request", "of");
    return granted({ standing, asked: gatewayId, terminal, channel: settings.channel, device: settings.device });
  }
  return refused("not-found", `of: the gateway knows no booking ${gatewayId} of this shop`, "fix-request", "of.gatewayId");
}

/** One terminal of each entity. */
function channelsOf({ settings }: PaymentsPorts): ReadonlyMap<string, TerminalSettings> {
  const entities = new Set<string>();
  return new Map(
    [...settings].filter(([, { channel }]) => {
      const isNew = !entities.has(channel.entityId);
      entities.add(channel.entityId);
      return isNew;
    }),
  );
}

function ask({ engine, gateway, rules }: PaymentsPorts, { channel }: TerminalSettings, id: string): Promise<SearchResult> {
  return new Promise((resolve) => {
    engine.budget.ask(channel.entityId, "cashier", () => {
      gateway.search({ channel, of: { id }, linked: true }, rules.hostAnswerMs).then(
        (result) => {
          if (result.is === "throttled") engine.budget.throttled(channel.entityId);
          resolve(result);
        },
        (cause: unknown) => resolve({ is: "no-answer", description: String(cause) }),
      );
    });
  });
}

function standingOf(booking: Booking, all: readonly Booking[], oneCapture: boolean): Standing | undefined {
  const { id, paymentType, answer } = booking;
  if (answer.is !== "approved" || answer.amount === undefined) return undefined;
  const currency = currencyOf(answer.currency ?? "");
  if (currency === undefined) return undefined;
  const amount = leftOf(booking, all);
  const base = { name: `booking ${id}`, currency, oneCapture, capturing: false, reserved: 0, captures: [] };
  const closed = closedBy(id, all);
  switch (paymentType) {
    case "PA": {
      const increments = standing(all, id, "PA");
      const voids = [
        { id, paymentType: "PA" as const, amount },
        ...increments.map((one) => ({ id: one.id, paymentType: "PA" as const, amount: leftOf(one, all) })),
      ];
      return {
        ...base,
        ...closed,
        kind: "reservation",
        voids,
        reserved: amount + increments.reduce((total, one) => total + leftOf(one, all), 0),
        captures: standing(all, id, "CP").map((one) => capture(one, all)),
      };
    }
    case "CP":
    case "DB":
      return { ...base, ...closed, kind: paymentType === "DB" ? "sale" : "capture", voids: [{ id, paymentType, amount }], captures: [capture(booking, all)] };
    case "CD":
    case "RF":
      return { ...base, kind: "refund", voids: [] };
    default:
      return undefined;
  }
}

/** Why nothing may follow it; also as long as nobody knows how much of it was given back. */
function closedBy(id: string, all: readonly Booking[]): Pick<Standing, "closed"> {
  if (isTakenBack(all, { id }, false)) return { closed: "is reversed already" };
  const isOpen = all.some(({ paymentType, answer }) => paymentType === "RF" && OPEN.includes(answer.is));
  return isOpen ? { closed: "has a refund that the gateway has not decided yet" } : {};
}

const OPEN: readonly Booking["answer"]["is"][] = ["pending", "unknown", "half-reversed", "auto-reversed", "throttled", "duplicate", "still-pending"];

/** Approved bookings of that type that refer to `id` and were not reversed. */
function standing(all: readonly Booking[], id: string, paymentType: string): readonly Booking[] {
  return all.filter(
    (one) => one.referencedId === id && one.paymentType === paymentType && one.answer.is === "approved" && !isTakenBack(all, { id: one.id }, false),
  );
}

function capture(one: Booking, all: readonly Booking[]): Standing["captures"][number] {
  return { id: one.id, paymentType: one.paymentType === "DB" ? "DB" : "CP", amount: leftOf(one, all), refunded: sum(standing(all, one.id, "RF")) };
}

/** What reversals in part have left of it. */
function leftOf(booking: Booking, all: readonly Booking[]): number {
  return amountOf(booking) - sum(standing(all, booking.id, "RV"));
}

function amountOf({ answer }: Booking): number {
  return answer.is === "approved" ? (answer.amount ?? 0) : 0;
}

function sum(bookings: readonly Booking[]): number {
  return bookings.reduce((total, one) => total + amountOf(one), 0);
}
