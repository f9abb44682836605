import { isoTime } from "../../kit/clock.ts";
import type { Found, SearchResult } from "../../payment/exchange.ts";
import { type Granted, granted, isFollowUp, refused } from "../../payment/request.ts";
import { idByOperator, type Payment } from "../../payment/state.ts";
import { paymentTypes } from "../../payment/view-schema.ts";
import type { Caller } from "../../register/ports.ts";
import { query } from "../gateway/query.ts";
import { hasBooked } from "../operator/named-booking.ts";
import { load } from "../shell/payment-loader.ts";
import type { PaymentsPorts, TerminalSettings } from "./service-ports.ts";

export interface LookedUp {
  /** The booking and all linked ones. */
  readonly bookings: readonly Found[];
  /** Payments of this journal that own some of the bookings. */
  readonly payments: readonly Payment[];
  /** The payment of this journal that owns the booking itself. */
  readonly own?: string;
  readonly terminal: string;
  readonly settings: TerminalSettings;
}

export interface LookingCaller extends Caller {
  /** Registers with a pending look-up: one each at a time. */
  readonly lookUps: Set<string>;
}

/**
 * Queries the gateway for a booking and all linked ones. A query covers one entity, so each entity is queried
 * (gateway-facts 2.4).
 */
export async function lookUp(
  ports: PaymentsPorts,
  caller: LookingCaller,
  gatewayId: string,
): Promise<Granted<LookedUp>> {
  const { register, lookUps } = caller;
  if (lookUps.has(register)) {
    const message = `the gateway is being asked about another booking for register "${register}", and it takes two queries a minute: wait for that reply`;
    return refused("too-many-requests", message, "retry", "of.gatewayId");
  }
  lookUps.add(register);
  try {
    return await lookUpNow(ports, caller, gatewayId);
  } finally {
    lookUps.delete(register);
  }
}

async function lookUpNow(ports: PaymentsPorts, caller: Caller, gatewayId: string): Promise<Granted<LookedUp>> {
  for (const [terminal, settings] of channelsOf(ports)) {
    const result = await ask(ports, settings, caller, gatewayId);
    if (caller.gone?.aborted === true)
      return refused("gateway-unreached", "the socket that asked about that booking was closed: ask again", "retry");
    if (result.is === "absent") continue;
    if (result.is !== "found")
      return refused(
        "gateway-unreached",
        "the gateway could not be asked about that booking: try again in a minute",
        "retry",
      );
    const { bookings } = result;
    const booking = bookings.find(({ id }) => id === gatewayId);
    if (booking === undefined) continue;
    const payments = await paymentsOf(ports, bookings);
    const own = ownerOf(booking, payments);
    // A payment of another register must neither be found nor named this way.
    const isReadable = own !== undefined && (caller.all || own.accepted.register === caller.register);
    const problem = isReadable ? problemOf(booking, own) : undefined;
    if (problem !== undefined) return problem;
    return granted({ bookings, payments, terminal, settings, ...(own !== undefined && { own: own.accepted.id }) });
  }
  return refused(
    "not-found",
    `of: the gateway knows no booking ${gatewayId} of this shop`,
    "fix-request",
    "of.gatewayId",
  );
}

/** The longest time a query may not show a booking: beyond the last late query (payment/attempt/attempt.ts). */
const UNSEEN_MS = 96 * 3_600_000;
const PAGE = 500;

/** Captures, voids, refunds and increments of this journal that a query may not show yet. */
export async function recentFollowUps(ports: PaymentsPorts): Promise<readonly Payment[]> {
  const ids = new Set(ports.engine.active().map(({ accepted }) => accepted.id));
  const from = isoTime(ports.clock.now() - UNSEEN_MS);
  let after: string | undefined;
  do {
    const page = await ports.journal.list({ from, limit: PAGE, ...(after !== undefined && { after }) });
    for (const row of page.rows)
      if (paymentTypes.some((type) => type === row.type && isFollowUp(type))) ids.add(row.payment);
    after = page.next;
  } while (after !== undefined);
  return loaded(ports, ids);
}

/**
 * A manual capture or paid link has no request name of ours. Treated as foreign, it could be refunded twice: by id and
 * by its payment's reference.
 */
function ownerOf({ id, merchantTransactionId }: Found, payments: readonly Payment[]): Payment | undefined {
  const byName = payments.find(({ attempts }) =>
    attempts.some(({ operation }) => operation.merchantTransactionId === merchantTransactionId),
  );
  return byName ?? payments.find((payment) => hasBooked(payment, id));
}

/** Payments of this journal that own these bookings, by request name or by gateway id. */
async function paymentsOf(ports: PaymentsPorts, bookings: readonly Found[]): Promise<readonly Payment[]> {
  const ids = new Set<string>();
  for (const { id } of bookings) for (const payment of await ports.journal.byGatewayId(id)) ids.add(payment);
  for (const name of new Set(bookings.map(({ merchantTransactionId = "" }) => merchantTransactionId))) {
    const id = name === "" ? undefined : await ports.journal.byMerchantTransactionId(name);
    if (id !== undefined) ids.add(id);
  }
  return loaded(ports, ids);
}

async function loaded(ports: PaymentsPorts, ids: ReadonlySet<string>): Promise<readonly Payment[]> {
  const payments: Payment[] = [];
  for (const id of ids) {
    const found = await load(ports, id);
    if (found !== undefined) payments.push(found.payment);
  }
  return payments;
}

/** Why a duplicate booking of a payment cannot be followed up: the follow-up would go to the payment's own booking. */
function problemOf({ id, paymentType, merchantTransactionId }: Found, payment: Payment): Granted<never> | undefined {
  const { reference } = payment.accepted;
  const gatewayId = "of.gatewayId";
  if (paymentType === "RV" || paymentType === "DR")
    return refused(
      "not-allowed",
      `of.gatewayId: ${id} is a reversal by reference "${reference}": nothing follows it`,
      "fix-request",
      gatewayId,
    );
  const second = `of.gatewayId: ${id} is a second booking under the name of reference "${reference}"`;
  // Money given to a customer twice is left to an operator.
  const isTakenBackHere = paymentType !== "RF" && paymentType !== "CD" && payment.seconds.some((one) => one.id === id);
  if (isTakenBackHere)
    return refused("not-allowed", `${second}: the bridge takes it back itself`, "fix-request", gatewayId);
  const { answer, standing } =
    payment.attempts.find(({ operation }) => operation.merchantTransactionId === merchantTransactionId) ?? {};
  if (standing !== "settled" || answer?.id === undefined || answer.id === id || idByOperator(payment) === id)
    return undefined;
  return refused(
    "not-allowed",
    `${second}, whose own is ${answer.id}: settle it in the gateway's back office`,
    "fix-request",
    gatewayId,
  );
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

/** Maximum wait of a register: the gateway takes few queries, and waiting cards go first. */
const WITHIN_MS = 90_000;

/** Ends with the asking socket: the booking is held for it, and blocks others meanwhile. */
function ask(
  { engine, gateway, rules, clock }: PaymentsPorts,
  { channel }: TerminalSettings,
  { register, gone }: Caller,
  id: string,
): Promise<SearchResult> {
  return new Promise((resolve) => {
    const end = (result: SearchResult): void => {
      stopClock();
      gone?.removeEventListener("abort", leave);
      resolve(result);
    };
    const giveUp = (description: string): void => {
      leaveLine();
      end({ is: "no-answer", description });
    };
    const leave = (): void => giveUp("nobody waits for it any more");
    const stopClock = clock.after(WITHIN_MS, () =>
      giveUp("the gateway takes two queries a minute, and others were before this one"),
    );
    const asked = { channel, of: { id }, turn: { register }, deadlineMs: rules.hostAnswerMs } as const;
    const leaveLine = query({ budget: engine.budget, gateway }, asked, end);
    gone?.addEventListener("abort", leave);
    if (gone?.aborted === true) leave();
  });
}
