import type { OperatorOrder } from "../../src/engine/operator/resolve.ts";
import { type Clock, sleep } from "../../src/kit/clock.ts";
import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import { openPayment } from "../../src/observe/open-payment.ts";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import type { Caller } from "../../src/register/ports.ts";
import type { BackOffice, Seen } from "./back-office.ts";
import { minorOf } from "./checker/money.ts";
import type { Witness } from "./checker/witness.ts";
import type { History } from "./history.ts";
import type { Life } from "./life.ts";
import { viewText } from "./register.ts";

/**
 * Who looks after a shop in the end: the person whom the bridge tells of every payment that it cannot settle
 * (docs/payments.md, "Open payments").
 */
export interface OperatorPorts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly witness: Witness;
  readonly history: History;
  readonly life: () => Life;
  readonly backOffice: BackOffice;
  /** The ids of the payments of which people were told. */
  readonly alarmed: ReadonlySet<string>;
}

const CALLER: Caller = { register: "operator", all: true };
/** The bridge keeps in sight what is not clear, and looks at it every hour. */
const SEEN_MS = 2 * 3_600_000;
/** The longest that a command waits for its daemon. */
const ANSWER_MS = 300_000;
/** The daemon may be killed before it has answered. */
const TRIES = 5;

/**
 * Has the gateway's people put right what the bridge could not, waits until it may have seen that, and then says of
 * everything that still stands open what became of it.
 * Resolves to how many payments were looked at.
 */
export async function operate(on: OperatorPorts): Promise<number> {
  const open = await openOnes(on);
  const told = await alarmedOnes(on);
  if (open.length + told.length === 0) return 0;
  for (const view of open) putRight(on, view);
  for (const view of told) eraseCards(on, view);
  await sleep(on.clock, SEEN_MS);
  for (const view of await openOnes(on)) await close(on, view);
  return open.length + told.length;
}

/** What people are told of until it is closed. */
async function openOnes({ clock, life, witness }: OperatorPorts): Promise<readonly PaymentView[]> {
  const list = await heard(
    clock,
    () => life(),
    async (payments) => payments.list(CALLER, { open: true, limit: 500 }),
  );
  if (list?.ok !== true)
    witness.broken(
      "the-product-itself",
      "operator",
      `the open payments cannot be listed: ${list?.refusal.message ?? "no answer"}`,
    );
  return list?.ok === true ? list.value.payments.filter((view) => openPayment(view) !== undefined) : [];
}

/** Of those that the bridge has closed, the ones of which people were told. */
async function alarmedOnes(on: OperatorPorts): Promise<readonly PaymentView[]> {
  const views: PaymentView[] = [];
  for (const id of on.alarmed) {
    const found = await heard(on.clock, on.life, (payments) => payments.get(CALLER, { id }));
    if (found?.ok === true && found.value.state === "FINAL" && found.value.decision === "not-approved")
      views.push(found.value);
  }
  return views;
}

/**
 * What of a payment that was not approved is still booked is taken back by hand, and what is missing of an approved one
 * is captured.
 */
function putRight(on: OperatorPorts, view: PaymentView): void {
  const { backOffice, history, random } = on;
  const seen = bookingsOf(on, view);
  const note = (what: string): void => history.note("gateway", () => `${view.reference}: by hand: ${what}`);
  if (view.decision === "approved") {
    const reserved = seen.find(({ booking, left }) => booking.paymentType === "PA" && left > 0);
    const isCaptured = seen.some(({ booking, left }) => booking.paymentType === "CP" && left > 0);
    // Now and then he lets the reservation lapse instead.
    if (isInPart(view) && reserved !== undefined && random.below(2) === 0) {
      const rest =
        (minorOf(view.approvedAmount ?? "", view.currency) || 0) -
        (minorOf(view.capturedAmount ?? "", view.currency) || 0);
      note(`captures the rest, ${rest / 100}`);
      backOffice.capture(reserved.booking, rest);
    }
    if (view.capture !== "failed" || isCaptured || reserved === undefined || random.below(3) === 0) return;
    note(`captures ${view.approvedAmount}`);
    backOffice.capture(reserved.booking, minorOf(view.approvedAmount ?? "", view.currency) || 0);
    return;
  }
  eraseCards(on, view);
  if (isForCustomer(view)) return;
  const isWrong = ({ booking }: Seen): boolean =>
    view.decision === "not-approved" || booking.amount !== (minorOf(view.amount ?? "", view.currency) || 0);
  for (const one of seen.filter(({ booking }) => BOOKED_BY[view.type].includes(booking.paymentType))) {
    if (one.left <= 0 || !isWrong(one)) continue;
    note(`reverses ${one.booking.paymentType} ${one.left / 100}`);
    backOffice.reverse(one.booking);
  }
}

/** The gateway captured a part of a sale. */
function isInPart({ type, capture, approvedAmount, capturedAmount }: PaymentView): boolean {
  return type === "SALE" && capture === "captured" && capturedAmount !== approvedAmount;
}

/** No card stays stored for a payment that was not approved. */
function eraseCards(on: OperatorPorts, view: PaymentView): void {
  if (view.decision !== "not-approved") return;
  for (const { booking, stored } of bookingsOf(on, view)) {
    if (stored === undefined) continue;
    on.history.note("gateway", () => `${view.reference}: by hand: deletes the stored card`);
    on.backOffice.erase(booking, stored);
  }
}

/** What was given to a customer and showed up after the end is settled with the customer, and stays as it is. */
function isForCustomer({ state, type }: PaymentView): boolean {
  return state === "FINAL" && (type === "REFUND" || type === "LINKED_REFUND");
}

/** Says what became of it, as the gateway's ledger shows it. */
async function close(on: OperatorPorts, view: PaymentView): Promise<void> {
  const { clock, witness, history, life, random } = on;
  const { reference, register } = view;
  if (openPayment(view)?.mend.includes("posbridge resolve") !== true)
    witness.broken(
      "people-are-told",
      reference,
      `is ${viewText(view)}, and nobody is told that it has to be closed by hand`,
    );
  const order = orderFor(on, view, random.below(2) === 0 ? "reversed" : "declined");
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const done = await heard(clock, life, (payments) => payments.resolve({ reference, register }, order));
    history.note(
      "register",
      () =>
        `${reference}: the operator says ${order.as}: ${done?.ok === true ? viewText(done.value.payment) : (done?.refusal.message ?? "no answer")}`,
    );
    if (done?.ok === true) return;
    if (done?.ok === false) {
      // What the gateway told when it was asked once more counts, and so does an answer that got lost with its process.
      const isOpen = (await openOnes(on)).some(({ id }) => id === view.id);
      return isOpen
        ? witness.broken("people-can-close-it", reference, `${viewText(view)}, ${order.as}: ${done.refusal.message}`)
        : undefined;
    }
    await sleep(clock, 10_000);
  }
}

function orderFor(on: OperatorPorts, view: PaymentView, otherwise: "reversed" | "declined"): OperatorOrder {
  const said = { reason: "looked up in the back office", by: "world" };
  const seen = bookingsOf(on, view);
  const isOfCapture = view.capture === "failed" || view.capture === "pending";
  const wanted = isOfCapture ? ["CP"] : BOOKED_BY[view.type];
  const standing = seen.find(({ booking, left }) => left > 0 && wanted.includes(booking.paymentType));
  const rest = isInPart(view)
    ? seen.find(({ booking }) => booking.paymentType === "CP" && booking.merchantTransactionId === undefined)
    : undefined;
  if (rest !== undefined) return { ...said, as: "approved", gatewayId: rest.booking.id };
  const isUndecided = view.decision === undefined && view.type !== "VOID";
  if (standing !== undefined && (isUndecided || isOfCapture))
    return { ...said, as: "approved", gatewayId: standing.booking.id };
  if (view.type !== "VOID" || view.decision !== undefined) return { ...said, as: otherwise };
  const reversal = seen.find(({ left }) => left > 0)?.booking;
  return reversal === undefined ? { ...said, as: "declined" } : { ...said, as: "approved", gatewayId: reversal.id };
}

/**
 * What each payment is about, as the ledger names it. Of a sale that has a capture the capture is, which is asked for
 * before the rest.
 */
const BOOKED_BY: Readonly<Record<PaymentView["type"], readonly string[]>> = {
  ...{ SALE: ["CP", "DB", "PA"], PREAUTHORIZATION: ["PA"], REFUND: ["CD"], REGISTRATION: [] },
  ...{ CAPTURE: ["CP"], VOID: [], LINKED_REFUND: ["RF"], INCREMENT: ["PA"] },
};

function bookingsOf({ backOffice }: OperatorPorts, { gateway }: PaymentView): readonly Seen[] {
  return backOffice.lookUp(gateway?.attempts.map(({ merchantTransactionId }) => merchantTransactionId) ?? []);
}

/** What a command hears from its daemon; undefined where that died, or did not answer in time. */
async function heard<T>(
  clock: Clock,
  life: () => Life,
  ask: (payments: Awaited<Life["served"]>) => Promise<T>,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = clock.after(ANSWER_MS, () => resolve(undefined));
  const bridge = life();
  const answer = await Promise.race([bridge.call(bridge.served.then(ask)), promise]);
  stop();
  return answer;
}
