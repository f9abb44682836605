import { newPaymentId } from "../../kit/ids.ts";
import { type Accepted, canJudgeSignature } from "../../payment/machine.ts";
import {
  type AdmittedFollowUp,
  admitFollowUp,
  type FollowUpRequest,
  type Granted,
  granted,
  hasToTell,
  nameOf,
  type PaymentName,
  refused,
} from "../../payment/request.ts";
import { isClear, type Payment } from "../../payment/state.ts";
import { viewOf } from "../../payment/view.ts";
import type { Caller, Payments } from "../../register/ports.ts";
import { load } from "../shell/payment-loader.ts";
import { shuttingDown } from "../shell/stopping.ts";
import { findOriginal } from "./original-lookup.ts";
import { type Family, isFollowUpIn, type Original } from "./original-reference.ts";
import { acceptWithinLimits } from "./refund-allowance.ts";
import type { PaymentsPorts } from "./service-ports.ts";
import { type Admission, acceptOne, hold, notNow, notWrittenYet, repeated } from "./start.ts";

/** Accepts a capture, void, refund or increment, or finds the existing one of this reference. */
export async function startFollowUp(
  ports: PaymentsPorts,
  admission: Admission,
  caller: Caller,
  request: FollowUpRequest,
): ReturnType<Payments["followUp"]> {
  const known = await ports.journal.byReference(caller.register, request.reference);
  if (known !== undefined) return repeated(ports, known, request);
  const closed = notNow(admission, { register: caller.register, reference: request.reference });
  if (closed !== undefined) return closed;
  const found = await findOriginal(ports, { ...caller, lookUps: admission.lookUps }, request.of);
  return found.ok ? startWithin(ports, admission, caller, request, found.value) : found;
}

/** Accepts the follow-up if no other one of the same family is under way. */
async function startWithin(
  ports: PaymentsPorts,
  admission: Admission,
  caller: Caller,
  request: FollowUpRequest,
  { family, look }: Family,
): ReturnType<Payments["followUp"]> {
  await untilTold(ports, family);
  const other = undecidedOf(ports, family);
  if (other !== undefined) return undecidedBeside(caller, other, "is not decided yet");
  const late = lateOf(ports, family);
  if (late !== undefined) return undecidedBeside(caller, late, "was booked late, and is not set right yet");
  const held = hold(admission, family, { register: caller.register, reference: request.reference });
  if (!held.ok) return undecidedBeside(caller, held.by, "is not decided yet");
  let whole: Family;
  try {
    // Look again: now no other follow-up can be accepted meanwhile.
    const original = await look();
    if (!original.ok) return original;
    if (!("look" in original.value)) return await admitted(ports, admission, caller, request, original.value);
    whole = original.value;
  } finally {
    held.letGo();
  }
  return startWithin(ports, admission, caller, request, whole);
}

/** A payment of another register is named only to a caller who may read it. */
function undecidedBeside({ register, all }: Caller, other: PaymentName, why: string): Granted<never> {
  const isNamed = all || other.register === register;
  const name = isNamed ? `reference "${other.reference}"` : "a payment of another register";
  return refused(
    "undecided-payment",
    `${name} about the same booking ${why}: wait for it`,
    "retry",
    "of",
    isNamed ? nameOf(other) : undefined,
  );
}

async function admitted(
  ports: PaymentsPorts,
  admission: Admission,
  caller: Caller,
  request: FollowUpRequest,
  original: Original,
): ReturnType<Payments["followUp"]> {
  const order = admitFollowUp(request.type, original.standing, request.amount);
  if (!order.ok) return order;
  const accepted = acceptedOf(ports, caller.register, request, original, order.value);
  return acceptWithinLimits(ports, admission.givingBack, { ...accepted, caller }, () =>
    acceptOne(ports, admission, accepted, request, (payment) =>
      granted({ payment: viewOf(payment), created: true, warnings: [] }),
    ),
  );
}

function acceptedOf(
  ports: PaymentsPorts,
  register: string,
  request: FollowUpRequest,
  original: Original,
  order: AdmittedFollowUp,
): Accepted {
  const { standing, terminal, channel, device, card, shown, asked } = original;
  const payment = order.payment ?? original.payment;
  const root = order.payment === undefined ? original.root : (original.root ?? original.payment);
  return {
    fact: "accepted",
    at: ports.clock.now(),
    id: newPaymentId(ports.random),
    reference: request.reference,
    register,
    type: request.type,
    terminal,
    amount: order.amount,
    currency: standing.currency.code,
    allowPartialApproval: true,
    ...(request.cashier !== undefined && { cashier: request.cashier }),
    ...(order.last && { last: true as const }),
    of: {
      targets: [...order.targets],
      ...(order.increments !== undefined && order.increments.length > 0 && { increments: [...order.increments] }),
      ...(payment !== undefined && { payment }),
      ...(root !== undefined && root !== payment && { root }),
      ...(asked !== undefined && { asked }),
      ...(order.capturing && { capturing: true as const }),
      ...(card !== undefined && { card }),
      ...(shown !== undefined && { shown }),
    },
    parameters: {},
    fingerprint: request.fingerprint,
    channel,
    device,
    rules: { ...ports.rules, hostWaitMs: ports.rules.hostAnswerMs },
  };
}

/** Only one follow-up of a family at a time, so that the remaining amount is certain. */
function undecidedOf({ engine }: PaymentsPorts, family: readonly string[]): PaymentName | undefined {
  return engine
    .active()
    .find((payment) => isFollowUpIn(payment, family) && (payment.concluded === undefined || hasToTell(payment)))
    ?.accepted;
}

/**
 * A follow-up that failed, but whose booking appeared later. Until it is reversed or resolved, the remaining amount is
 * uncertain.
 */
function lateOf({ engine }: PaymentsPorts, family: readonly string[]): PaymentName | undefined {
  return engine
    .active()
    .find((payment) => isFollowUpIn(payment, family) && payment.ending !== undefined && !isClear(payment))?.accepted;
}

/** Maximum time until an original has recorded a follow-up: two appends to the journal. */
const TELLING_MS = 2_000;

/** Waits until the original has recorded a finished follow-up, because a register may send the next one at once. */
function untilTold({ engine, clock }: PaymentsPorts, family: readonly string[]): Promise<void> {
  const isTelling = (): boolean =>
    engine.active().some((payment) => isFollowUpIn(payment, family) && hasToTell(payment));
  if (!isTelling()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      stopClock();
      deafen();
      resolve();
    };
    const stopClock = clock.after(TELLING_MS, end);
    const deafen = engine.feed.live(() => {
      if (!isTelling()) end();
    });
  });
}

/** The cashier's decision on a signature (contract, `payment.confirmSignature`). */
export async function confirmSignature(
  ports: PaymentsPorts,
  payment: Payment,
  accepted: boolean,
): Promise<Granted<ReturnType<typeof viewOf>>> {
  const { id, reference } = payment.accepted;
  if ((await ports.engine.find(id)?.askNow({ on: "signature", accepted })) === false) return notWrittenYet;
  const after = await load(ports, id);
  const judged = after?.payment.signature;
  if (after !== undefined && judged === undefined && canJudgeSignature(after.payment)) return shuttingDown;
  if (after === undefined || judged?.accepted !== accepted) {
    const why =
      judged === undefined
        ? "waits for no signature"
        : `has its signature ${judged.accepted ? "accepted" : "refused"} already`;
    return refused("not-allowed", `reference "${reference}" ${why}`, "fix-request");
  }
  return granted(viewOf(after.payment, after.prompt));
}
