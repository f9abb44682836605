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

/** Reply while the journal refuses writes: the input is queued, and may still count later. */
export const notWrittenYet = refused(
  "journal-unwritable",
  "the journal cannot be written: what was said may count once it can; look at the payment then, and say it again",
  "retry",
);

/** State shared by all starts under way. */
export interface Admission {
  /** No new payment is accepted. */
  closed: boolean;
  /** Admitted starts whose acceptance is not durable yet. They already hold their terminal and order. */
  readonly taking: Set<BookEntry>;
  /** Follow-ups and operator decisions under way, each by booking. */
  readonly families: Map<string, PaymentName>;
  /** Registers with a pending look-up of a booking unknown to this journal. */
  readonly lookUps: Set<string>;
  /** Registers with refund limits take turns. */
  readonly givingBack: Turns;
  /** Blocks payments in a data folder that was put back to an earlier moment. */
  readonly rollback: Pick<RollbackWatch, "refusal" | "lostRefusal">;
}

/** Why nothing new is accepted now. Payments accepted before are still found, and go on. */
export function notNow({ closed, rollback }: Admission, of: PaymentName): Granted<never> | undefined {
  return closed ? shuttingDown : (rollback.refusal() ?? rollback.lostRefusal(of));
}

/** An exclusive hold on a booking and its family, or its present holder. */
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

/** Accepts a payment, or finds the existing one of this reference. */
export async function startOne(
  ports: PaymentsPorts,
  admission: Admission,
  caller: Caller,
  request: StartRequest,
): ReturnType<Payments["start"]> {
  const { register } = caller;
  const known = await ports.journal.byReference(register, request.reference);
  if (known !== undefined) return repeated(ports, known, request);
  const closed = notNow(admission, { register, reference: request.reference });
  if (closed !== undefined) return closed;
  if (request.queue) await connected(ports, request.terminal);
  if (admission.closed) return shuttingDown;
  // The terminal may have been replaced or removed meanwhile.
  const settings = ports.settings.get(request.terminal);
  const status = ports.terminals.status(request.terminal);
  if (settings === undefined || status === undefined)
    return refused(
      "unknown-terminal",
      `terminal "${request.terminal}" is not configured here`,
      "fix-request",
      "terminal",
    );
  const tooMany = tooManyCaptures(request, settings);
  if (tooMany !== undefined) return tooMany;
  const admitted = admit(request, register, terminalAtStart(ports, admission, status), [
    ...admission.taking,
    ...undecided(ports),
  ]);
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

/** Waits for the device before admission: its capabilities are known only once it is connected. */
function connected({ engine }: PaymentsPorts, terminal: string): Promise<void> {
  return new Promise((resolve) => engine.devices.whenConnected(terminal, resolve));
}

type Started = Awaited<ReturnType<Payments["start"]>>;

/** The register would rely on captures that its channel refuses. */
export function tooManyCaptures(
  { numberOfCaptures = 1 }: Pick<StartRequest, "numberOfCaptures">,
  { oneCapture }: TerminalSettings,
): Granted<never> | undefined {
  if (numberOfCaptures === 1 || oneCapture !== true) return undefined;
  return refused(
    "unsupported",
    "numberOfCaptures: the gateway's channel takes one capture of a preauthorization",
    "fix-request",
    "numberOfCaptures",
  );
}

/**
 * The write may have reached the disk, and the next start continues it. Only a retry with the same reference can tell.
 */
const perhapsAccepted = refused(
  "journal-broken",
  "the journal failed while this was written, so that it may have been accepted: ask payment.get once the bridge runs again, or send the same again under the same reference",
  "retry",
);

/**
 * Makes the acceptance durable. If refused, nothing was charged and the reference is free. If the journal broke, the
 * outcome is unknown.
 */
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
    const taken =
      cause instanceof ReferenceTaken
        ? await ports.journal.byReference(accepted.register, request.reference)
        : undefined;
    if (taken !== undefined) return repeated(ports, taken, request);
    if (cause instanceof EngineStopping) return shuttingDown;
    if (!(cause instanceof JournalUnwritable)) throw cause;
    if (cause instanceof JournalBroken) {
      ports.broken(request.reference, cause);
      return perhapsAccepted;
    }
    return refused(
      "journal-unwritable",
      `the journal cannot be written, so nothing was charged: ${cause.message}`,
      "retry",
    );
  }
}

/** The payment of this reference, if requested with the same parameters. */
export async function repeated(
  ports: PaymentsPorts,
  id: string,
  request: { readonly reference: string; readonly fingerprint: string },
): Promise<Started> {
  const found = await load(ports, id);
  if (found === undefined)
    return refused(
      "not-found",
      `reference "${request.reference}" is in the journal's list but has no facts`,
      "call-support",
    );
  if (found.payment.accepted.fingerprint !== request.fingerprint) {
    return refused(
      "reference-reused",
      `reference "${request.reference}" was used with other content: ask payment.get what became of it; a new reference is a new payment`,
      "fix-request",
      "reference",
    );
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
  const {
    expiresInMs,
    queue: _queue,
    despite: _despite,
    createRegistration,
    numberOfCaptures,
    tip,
    entryModes,
    cashier,
    order,
    ...rest
  } = request;
  const at = ports.clock.now();
  const { interfaces, pinAfterTap, onlinePin } = capabilities;
  return {
    ...rest,
    // A refund is never reversed for being too small.
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
  return {
    state: status.state,
    reason: status.reason,
    heldBy: holderOf(ports, admission, status.id),
    accepts: status.capabilities.interfaces,
  };
}

/** The payment that has the terminal, or is about to get it. */
export function holderOf(
  { engine }: Pick<PaymentsPorts, "engine">,
  { taking }: Pick<Admission, "taking">,
  terminal: string,
): PaymentName | undefined {
  const holder =
    engine.leases.holder(terminal) ?? engine.active().find((payment) => needsTerminal(payment, terminal))?.accepted.id;
  const payment = holder === undefined ? undefined : engine.find(holder)?.payment().accepted;
  // A start may hold its terminal before it is a payment.
  const entry = payment ?? [...taking].find((one) => one.terminal === terminal);
  return entry && nameOf(entry);
}

/**
 * True if accepted just now and about to lease the terminal, or recovered before the terminal's return to idle was
 * recorded.
 */
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
