import { newPaymentId } from "../../kit/ids.ts";
import type { Turns } from "../../kit/turns.ts";
import type { Accepted } from "../../payment/machine.ts";
import {
  admit,
  type BookEntry,
  type Granted,
  granted,
  interfacesFor,
  nameOf,
  type PaymentName,
  refused,
  type StartRequest,
  type TerminalAtStart,
} from "../../payment/request.ts";
import { isCardPresent, type Payment } from "../../payment/state.ts";
import { decisionOf, viewOf } from "../../payment/view.ts";
import type { Caller, Payments } from "../../register/ports.ts";
import type { TerminalStatus } from "../../terminal/status.ts";
import type { RollbackWatch } from "../operator/rollback.ts";
import { JournalBroken, JournalUnwritable, ReferenceTaken } from "../ports.ts";
import { load } from "../shell/payment-loader.ts";
import { EngineStopping, shuttingDown } from "../shell/stopping.ts";
import { acceptWithinLimits } from "./refund-allowance.ts";
import type { PaymentsPorts, TerminalSettings } from "./service-ports.ts";

/** A word about a payment while the disk takes nothing: it is in the payment's queue, or not, as far as it got. */
export const notWrittenYet = refused(
  "journal-unwritable",
  "the journal cannot be written: what was said may count once it can; look at the payment then, and say it again",
  "retry",
);

/** What the desk knows of starts that are under way. */
export interface Admission {
  /** No new payment is accepted any more. */
  closed: boolean;
  /** Starts that were admitted and whose acceptance is not durable yet: they hold their terminal and their order already. */
  readonly taking: Set<BookEntry>;
  /** Follow-ups likewise, and what a person is saying just now: the booking each is about, and the payment. */
  readonly families: Map<string, PaymentName>;
  /** Registers for which the gateway is being asked about a booking that this journal does not know. */
  readonly lookUps: Set<string>;
  /** Registers whose tokens limit what they give back take turns at it. */
  readonly givingBack: Turns;
  /** Nothing is accepted into a data folder that was put back to an earlier moment. */
  readonly rollback: Pick<RollbackWatch, "refusal" | "lostRefusal">;
}

/** Why nothing new is accepted now. What was accepted before is found all the same, and goes on. */
export function notNow({ closed, rollback }: Admission, of: PaymentName): Granted<never> | undefined {
  return closed ? shuttingDown : (rollback.refusal() ?? rollback.lostRefusal(of));
}

/** A booking, and all that belongs to it, is one's alone until it is let go of; or it is another one's. */
export type Held = { readonly ok: true; readonly letGo: () => void } | { readonly ok: false; readonly by: PaymentName };

export function hold({ families }: Pick<Admission, "families">, family: readonly string[], payment: PaymentName): Held {
  const by = family.map((name) => families.get(name)).find((other) => other !== undefined);
  if (by !== undefined) return { ok: false, by };
  for (const name of family) families.set(name, payment);
  return {
    ok: true,
    letGo: () => {
      for (const name of family) families.delete(name);
    },
  };
}

/** Accepts a payment, or finds the one that this reference stands for already. */
export async function startOne(ports: PaymentsPorts, admission: Admission, caller: Caller, request: StartRequest): ReturnType<Payments["start"]> {
  const { register } = caller;
  const known = await ports.journal.byReference(register, request.reference);
  if (known !== undefined) return repeated(ports, known, request);
  const closed = notNow(admission, { register, reference: request.reference });
  if (closed !== undefined) return closed;
  if (request.queue) await connected(ports, request.terminal);
  if (admission.closed) return shuttingDown;
  // A terminal may have been replaced or taken away meanwhile.
  const settings = ports.settings.get(request.terminal);
  const status = ports.terminals.status(request.terminal);
  if (settings === undefined || status === undefined)
    return refused("unknown-terminal", `terminal "${request.terminal}" is not configured here`, "fix-request", "terminal");
  const tooMany = tooManyCaptures(request, settings);
  if (tooMany !== undefined) return tooMany;
  const admitted = admit(request, register, terminalAtStart(ports, admission, status), [...admission.taking, ...undecided(ports)]);
  if (!admitted.ok) return admitted;
  const entry: BookEntry = { ...request, register, order: request.order };
  admission.taking.add(entry);
  try {
    const { warnings } = admitted.value;
    return await acceptWithinLimits(ports, admission.givingBack, { ...request, caller }, () =>
      acceptOne(ports, admission, acceptedOf(ports, register, request, settings, status), request, (payment) =>
        granted({ payment: viewOf(payment), created: true, warnings }),
      ),
    );
  } finally {
    admission.taking.delete(entry);
  }
}

/** Waited for before the payment is accepted: only a device that has told of itself can be admitted by what it can do. */
function connected({ engine }: PaymentsPorts, terminal: string): Promise<void> {
  return new Promise((resolve) => engine.devices.whenConnected(terminal, resolve));
}

type Started = Awaited<ReturnType<Payments["start"]>>;

/** A register would count on captures that its channel does not take. */
export function tooManyCaptures(
  { numberOfCaptures = 1 }: Pick<StartRequest, "numberOfCaptures">,
  { oneCapture }: TerminalSettings,
): Granted<never> | undefined {
  if (numberOfCaptures === 1 || oneCapture !== true) return undefined;
  return refused("unsupported", "numberOfCaptures: the gateway's channel takes one capture of a preauthorization", "fix-request", "numberOfCaptures");
}

/** What was being written may be on the disk all the same, and the next start goes on with what it finds: only the same reference says whether it was accepted. */
const perhapsAccepted = refused(
  "journal-broken",
  "the journal failed while this was written, so that it may have been accepted: ask payment.get once the bridge runs again, or send the same again under the same reference",
  "retry",
);

/** Makes the acceptance durable, or says why it is not: nothing was charged then, and the reference is free. But where the journal broke nobody knows. */
export async function acceptOne(
  ports: PaymentsPorts,
  { rollback }: Pick<Admission, "rollback">,
  accepted: Accepted,
  request: { readonly reference: string; readonly fingerprint: string },
  begun: (payment: Payment) => Started,
): Promise<Started> {
  const refusal = rollback.refusal();
  if (refusal !== undefined) return refusal;
  try {
    return begun(await ports.engine.accept(accepted));
  } catch (cause) {
    const taken = cause instanceof ReferenceTaken ? await ports.journal.byReference(accepted.register, request.reference) : undefined;
    if (taken !== undefined) return repeated(ports, taken, request);
    if (cause instanceof EngineStopping) return shuttingDown;
    if (!(cause instanceof JournalUnwritable)) throw cause;
    if (cause instanceof JournalBroken) {
      ports.broken(request.reference, cause);
      return perhapsAccepted;
    }
    return refused("journal-unwritable", `the journal cannot be written, so nothing was charged: ${cause.message}`, "retry");
  }
}

/** The payment that this reference stands for, where it was asked for in the same words. */
export async function repeated(ports: PaymentsPorts, id: string, request: { readonly reference: string; readonly fingerprint: string }): Promise<Started> {
  const found = await load(ports, id);
  if (found === undefined) return refused("not-found", `reference "${request.reference}" is in the journal's list but has no facts`, "call-support");
  if (found.payment.accepted.fingerprint !== request.fingerprint) {
    return refused("reference-reused", `reference "${request.reference}" belongs to another payment: use a new one`, "fix-request", "reference");
  }
  return granted({ payment: viewOf(found.payment, found.prompt), created: false, warnings: [] });
}

function acceptedOf(
  ports: PaymentsPorts,
  register: string,
  request: StartRequest,
  { channel, device }: TerminalSettings,
  { capabilities, hostWaitMs }: TerminalStatus,
): Accepted {
  const { expiresInMs, queue: _queue, despite: _despite, createRegistration, numberOfCaptures, tip, entryModes, cashier, order, ...rest } = request;
  const at = ports.clock.now();
  const { interfaces, pinAfterTap, onlinePin } = capabilities;
  return {
    ...rest,
    // What was given to a customer is never taken back for being too little.
    allowPartialApproval: request.allowPartialApproval || request.type === "REFUND",
    interfaces: [...interfacesFor(entryModes, interfaces)],
    ...(pinAfterTap && { pinAfterTap: true as const }),
    ...(createRegistration === true && { createRegistration: true as const }),
    ...(numberOfCaptures !== undefined && { numberOfCaptures }),
    ...(tip !== undefined && { tip }),
    ...(entryModes !== undefined && { entryModes }),
    ...(cashier !== undefined && { cashier }),
    ...(order !== undefined && { order }),
    ...(expiresInMs !== undefined && { expiresAt: at + expiresInMs }),
    fact: "accepted",
    at,
    id: newPaymentId(ports.random),
    register,
    channel,
    device: { ...device, pinEntry: device.pinEntry && onlinePin },
    rules: { ...ports.rules, hostWaitMs },
  };
}

function terminalAtStart(ports: PaymentsPorts, admission: Admission, status: TerminalStatus): TerminalAtStart {
  return { state: status.state, reason: status.reason, heldBy: holderOf(ports, admission, status.id), accepts: status.capabilities.interfaces };
}

/** The payment that has the terminal, or is about to have it. */
export function holderOf({ engine }: Pick<PaymentsPorts, "engine">, { taking }: Pick<Admission, "taking">, terminal: string): PaymentName | undefined {
  const holder = engine.leases.holder(terminal) ?? engine.active().find((payment) => needsTerminal(payment, terminal))?.accepted.id;
  const entry = holder === undefined ? [...taking].find((one) => one.terminal === terminal) : engine.find(holder)?.payment().accepted;
  return entry && nameOf(entry);
}

/** Accepted a moment ago and about to ask for the terminal; or loaded by a start whose journal has not taken yet that its terminal was sent to idle. */
export function needsTerminal({ accepted, terminal, ending }: Payment, wanted: string): boolean {
  if (!isCardPresent(accepted) || accepted.terminal !== wanted) return false;
  switch (terminal.at) {
    case "none":
    case "queued":
      return ending === undefined;
    case "collecting":
    case "asking-pin":
    case "holding":
    case "completing":
      return true;
    case "over":
      return false;
  }
}

export function undecided({ engine }: PaymentsPorts): readonly BookEntry[] {
  return engine
    .active()
    .filter((payment) => decisionOf(payment) === undefined)
    .map(({ accepted }) => ({ ...accepted, order: accepted.order }));
}
