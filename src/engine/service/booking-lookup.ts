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

/** What a query shows of a booking that was asked for by the gateway's id. */
export interface LookedUp {
  /** With all that is linked to it. */
  readonly bookings: readonly Found[];
  /** The payments of this journal that some of them are of. */
  readonly payments: readonly Payment[];
  /** The payment of this journal that the booking itself is of. */
  readonly own?: string;
  readonly terminal: string;
  readonly settings: TerminalSettings;
}

export interface LookingCaller extends Caller {
  /** Registers that wait for a look-up: each may have one at a time. */
  readonly lookUps: Set<string>;
}

/** Asks the gateway about a booking and all that is linked to it. A query sees one entity only, so each is asked (gateway-facts 2.4). */
export async function lookUp(ports: PaymentsPorts, caller: LookingCaller, gatewayId: string): Promise<Granted<LookedUp>> {
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
    if (caller.gone?.aborted === true) return refused("gateway-unreached", "the socket that asked about that booking was closed: ask again", "retry");
    if (result.is === "absent") continue;
    if (result.is !== "found") return refused("gateway-unreached", "the gateway could not be asked about that booking: try again in a minute", "retry");
    const { bookings } = result;
    const booking = bookings.find(({ id }) => id === gatewayId);
    if (booking === undefined) continue;
    const payments = await paymentsOf(ports, bookings);
    const own = ownerOf(booking, payments);
    // Another register's payment is not found by it, and its reference is not told here either.
    const isReadable = own !== undefined && (caller.all || own.accepted.register === caller.register);
    const problem = isReadable ? problemOf(booking, own) : undefined;
    if (problem !== undefined) return problem;
    return granted({ bookings, payments, terminal, settings, ...(own !== undefined && { own: own.accepted.id }) });
  }
  return refused("not-found", `of: the gateway knows no booking ${gatewayId} of this shop`, "fix-request", "of.gatewayId");
}

/** As long as a query may not show what was booked: past the last of the late looks for it (payment/attempt/attempt.ts). */
const UNSEEN_MS = 96 * 3_600_000;
const PAGE = 500;

/** Captures, voids, refunds and increments of this journal that a query may not show yet. */
export async function recentFollowUps(ports: PaymentsPorts): Promise<readonly Payment[]> {
  const ids = new Set(ports.engine.active().map(({ accepted }) => accepted.id));
  const from = isoTime(ports.clock.now() - UNSEEN_MS);
  let after: string | undefined;
  do {
    const page = await ports.journal.list({ from, limit: PAGE, ...(after !== undefined && { after }) });
    for (const row of page.rows) if (paymentTypes.some((type) => type === row.type && isFollowUp(type))) ids.add(row.payment);
    after = page.next;
  } while (after !== undefined);
  return loaded(ports, ids);
}

/**
 * The payment that a booking is of. What was captured by hand, or paid by a link, need not go by the name of a request of ours: as a stranger's it would be given back once by its
 * id and once more by its payment's reference, which would hear nothing of the first time.
 */
function ownerOf({ id, merchantTransactionId }: Found, payments: readonly Payment[]): Payment | undefined {
  const byName = payments.find(({ attempts }) => attempts.some(({ operation }) => operation.merchantTransactionId === merchantTransactionId));
  return byName ?? payments.find((payment) => hasBooked(payment, id));
}

/** The payments of this journal under whose names these bookings go, or which know them by their ids. */
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

/** Why a booking that goes by the name of that payment is not asked for by it: whatever followed would be booked on the one that the payment is worth. */
function problemOf({ id, paymentType, merchantTransactionId }: Found, payment: Payment): Granted<never> | undefined {
  const { reference } = payment.accepted;
  const gatewayId = "of.gatewayId";
  if (paymentType === "RV" || paymentType === "DR")
    return refused("not-allowed", `of.gatewayId: ${id} is a reversal by reference "${reference}": nothing follows it`, "fix-request", gatewayId);
  const second = `of.gatewayId: ${id} is a second booking under the name of reference "${reference}"`;
  // Money that was given to a customer twice is left to people.
  const isTakenBackHere = paymentType !== "RF" && paymentType !== "CD" && payment.seconds.some((one) => one.id === id);
  if (isTakenBackHere) return refused("not-allowed", `${second}: the bridge takes it back itself`, "fix-request", gatewayId);
  const { answer, standing } = payment.attempts.find(({ operation }) => operation.merchantTransactionId === merchantTransactionId) ?? {};
  if (standing !== "settled" || answer?.id === undefined || answer.id === id || idByOperator(payment) === id) return undefined;
  return refused("not-allowed", `${second}, whose own is ${answer.id}: settle it in the gateway's back office`, "fix-request", gatewayId);
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

/** No register waits longer: the gateway takes few queries, and a card that waits goes first. */
const WITHIN_MS = 90_000;

/** Ends with the socket that asks: the booking is held for it, and nobody else could ask about it meanwhile. */
function ask({ engine, gateway, rules, clock }: PaymentsPorts, { channel }: TerminalSettings, { register, gone }: Caller, id: string): Promise<SearchResult> {
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
    const stopClock = clock.after(WITHIN_MS, () => giveUp("the gateway takes two queries a minute, and others were before this one"));
    const asked = { channel, of: { id }, turn: { register }, deadlineMs: rules.hostAnswerMs } as const;
    const leaveLine = query({ budget: engine.budget, gateway }, asked, end);
    gone?.addEventListener("abort", leave);
    if (gone?.aborted === true) leave();
  });
}
