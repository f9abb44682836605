import type { Clock } from "../../src/kit/clock.ts";
import type { Granted } from "../../src/payment/fact/refusal.ts";
import type { DeletionStatus } from "../../src/payment/stored-card/deletion.ts";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import type { Caller, Payments } from "../../src/register/ports.ts";
import type { Asked, Told } from "./checker/evidence.ts";
import { minorOf, textOf } from "./checker/money.ts";
import type { Witness } from "./checker/witness.ts";
import type { History } from "./history.ts";
import { begin } from "./kinds.ts";
import type { Life } from "./life.ts";

/**
 * A register: it starts payments and asks for them, over a socket that comes and goes with the bridge and by itself.
 */
export interface Register {
  readonly caller: Caller;
  /** Its socket is gone for so long. */
  leave(forMs: number): void;
  /** Undefined: nobody was there, or the bridge died before it answered. */
  start(asked: Asked): Promise<Granted<{ readonly payment: PaymentView; readonly created: boolean }> | undefined>;
  cancel(reference: string): Promise<void>;
  /** What the bridge says of the deletion of a stored card; undefined where it was not there, or refused. */
  deleteCard(reference: string, registration: string): Promise<DeletionStatus | undefined>;
  /** The cashier's word on a signature. */
  judgeSignature(reference: string, accepted: boolean): Promise<void>;
  /**
   * Resolves after a decision, five seconds, or the end of the socket: what the payment then looks like, where the
   * bridge said so.
   */
  waitForDecision(reference: string): Promise<PaymentView | undefined>;
}

export interface RegisterPorts {
  readonly name: string;
  readonly clock: Clock;
  readonly witness: Witness;
  readonly history: History;
  readonly life: () => Life;
}

/** A call that the bridge has not answered by then is given up. */
const CALL_MS = 200_000;
const WAIT_MS = 5_000;

export function createRegister({ name, clock, witness, history, life }: RegisterPorts): Register {
  const caller: Caller = { register: name, all: false, foreign: true };
  let goneUntil = 0;

  const call = async <T>(ask: (payments: Payments) => Promise<T>, limitMs = CALL_MS): Promise<T | undefined> => {
    const bridge = life();
    if (clock.monotonic() < goneUntil || !bridge.isAlive()) return undefined;
    const asked = clock.monotonic();
    const [late, cancel] = after(clock, limitMs);
    const value = await Promise.race([bridge.call(bridge.served.then(ask)), late]);
    cancel();
    // Its socket was gone meanwhile, and the answer with it.
    return goneUntil > asked ? undefined : value;
  };
  return {
    caller,
    leave: (forMs) => {
      goneUntil = Math.max(goneUntil, clock.monotonic() + forMs);
    },
    start: async (asked) => {
      const { reference } = asked;
      const sentAt = clock.monotonic();
      witness.sending(reference);
      const answer = await call((payments) => begin(payments, caller, asked));
      history.note(
        "register",
        () =>
          `${reference}: start ${asked.does} ${textOf(asked.amount, asked.currency)} ${asked.by ?? `at ${asked.terminal}`}: ${answerText(answer)}`,
      );
      if (answer?.ok === true) witness.started(reference, toldOf(answer.value.payment), answer.value.created, sentAt);
      if (answer?.ok === false) witness.refused(reference, answer.refusal.code);
      return answer;
    },
    cancel: async (reference) => {
      const answer = await call((payments) => payments.cancel(caller, { reference }));
      history.note(
        "register",
        () =>
          `${reference}: cancel: ${answer?.ok === true ? answer.value.cancellation : (answer?.refusal.code ?? "no answer")}`,
      );
      if (answer?.ok !== true) return;
      if (answer.value.cancellation === "accepted") witness.calledOff(reference);
      witness.told(reference, toldOf(answer.value.payment));
    },
    deleteCard: async (reference, registration) => {
      const answer = await call((payments) => payments.deleteRegistration(caller, { reference, registration }));
      const said = answer?.ok === true ? answer.value : answer?.refusal.code;
      history.note("register", () => `${reference}: delete the stored card ${registration}: ${said ?? "no answer"}`);
      if (answer?.ok !== true) return undefined;
      witness.deletions.told(reference, answer.value);
      return answer.value;
    },
    judgeSignature: async (reference, accepted) => {
      // Before it is sent: the bridge may act on it and die before it has answered.
      if (accepted) witness.signed(reference);
      const answer = await call((payments) => payments.confirmSignature(caller, { reference }, accepted));
      history.note(
        "register",
        () =>
          `${reference}: signature ${accepted ? "accepted" : "refused"}: ${answer?.ok === false ? answer.refusal.code : "told"}`,
      );
      if (answer?.ok === true) witness.told(reference, toldOf(answer.value));
    },
    waitForDecision: async (reference) => {
      const answer = await call(
        (payments) => payments.wait(caller, { reference }, "decision", WAIT_MS),
        WAIT_MS + 1_000,
      );
      if (answer?.ok === true) witness.told(reference, toldOf(answer.value));
      if (answer?.ok === false) witness.refused(reference, answer.refusal.code);
      return answer?.ok === true ? answer.value : undefined;
    },
  };
}

function after(clock: Clock, ms: number): readonly [Promise<undefined>, () => void] {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return [promise, clock.after(ms, () => resolve(undefined))];
}

function answerText(answer: Awaited<ReturnType<Register["start"]>>): string {
  if (answer === undefined) return "no answer";
  if (!answer.ok) return `refused, ${answer.refusal.code}`;
  return `${answer.value.created ? "created" : "known"}, ${viewText(answer.value.payment)}`;
}

export function viewText({ state, decision, outcome, reason, capture, prompt }: PaymentView): string {
  return [state, decision, outcome, reason?.code, capture && `capture ${capture}`, prompt?.code]
    .filter((part) => part !== undefined)
    .join(" ");
}

/** The register's view in the checkers' words. */
export function toldOf(view: PaymentView): Told {
  const minor = (amount: string | undefined): number | undefined =>
    amount === undefined ? undefined : minorOf(amount, view.currency);
  return {
    id: view.id,
    state: view.state,
    decision: view.decision,
    outcome: view.outcome,
    reason: view.reason?.code,
    currency: view.currency,
    amount: minor(view.amount),
    tip: minor(view.tip),
    approvedAmount: minor(view.approvedAmount),
    capturedAmount: minor(view.capturedAmount),
    refundedAmount: minor(view.refundedAmount),
    capture: view.capture,
    lateBooking: view.lateBooking === true,
    entryMode: view.card?.entryMode,
    cryptogram: view.emv?.cryptogram,
    cvm: view.card?.cvm,
    registrationId: view.gateway?.registrationId,
    gatewayId: view.gateway?.id,
    link: view.link?.url,
    attempts: view.gateway?.attempts.map(({ merchantTransactionId }) => merchantTransactionId) ?? [],
  };
}
