import { createTurns } from "../../kit/turns.ts";
import { cancellation, isOverExceptLateQueries, isSettled } from "../../payment/machine.ts";
import { type Granted, granted, type PaymentName, refused } from "../../payment/request.ts";
import type { Payment } from "../../payment/state.ts";
import { viewForReceipt, viewOf } from "../../payment/view.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import type { AnyPaymentKey, Caller, PaymentKey, Payments } from "../../register/ports.ts";
import { type Closed, type OperatorOrder, resolve } from "../operator/resolve.ts";
import { createRollbackWatch } from "../operator/rollback.ts";
import { PageUnknown } from "../ports.ts";
import { createEventStream } from "../shell/event-stream.ts";
import { pageOf } from "../shell/paging.ts";
import { type Loaded, load } from "../shell/payment-loader.ts";
import { type Recorded, recorded } from "../shell/recorded.ts";
import { shuttingDown } from "../shell/stopping.ts";
import { waitUntil } from "../shell/wait-until.ts";
import { terminalViews, testTerminal } from "../terminal/terminal-desk.ts";
import { confirmSignature, startFollowUp } from "./follow-ups.ts";
import type { PaymentsPorts } from "./service-ports.ts";
import { type Admission, hold, holderOf, notWrittenYet, startOne } from "./start.ts";
import { startWithoutTerminal } from "./start-card-not-present.ts";
import { totals } from "./totals-desk.ts";

/** Maximum wait of a reply for the requested link. Events on its socket wait too. */
const LINK_MS = 5_000;

/** The register API's port, implemented on the engine. */
export interface PaymentsDesk extends Payments {
  /** An operator resolves a payment the gateway could not decide; the gateway is queried once more first. */
  resolve(key: AnyPaymentKey, order: OperatorOrder): Promise<Granted<Closed>>;
  /** A payment of any register with all its facts. */
  recorded(key: AnyPaymentKey): Promise<Granted<Recorded>>;
  /** The payment that has the terminal or still needs it. */
  holderOf(terminal: string): PaymentName | undefined;
  /** Accepts no new payment from here on. */
  close(): void;
}

export function createPayments(ports: PaymentsPorts): PaymentsDesk {
  const { engine, journal } = ports;
  const rollback = createRollbackWatch(ports);
  const admission: Admission = {
    closed: false,
    taking: new Set(),
    families: new Map(),
    lookUps: new Set(),
    givingBack: createTurns(),
    rollback,
  };
  const oneAtATime = perReference();
  return {
    start: (caller, request) =>
      oneAtATime(caller, request.reference, () => startOne(ports, admission, caller, request)),
    charge: (caller, request) =>
      oneAtATime(caller, request.reference, () => startWithoutTerminal(ports, admission, caller, request)),
    link: async (caller, request) => {
      const started = await oneAtATime(caller, request.reference, () =>
        startWithoutTerminal(ports, admission, caller, request),
      );
      if (!started.ok) return started;
      const isLinked = ({ link, decision }: PaymentView): boolean => link !== undefined || decision !== undefined;
      return granted({
        ...started.value,
        payment: await waitUntil(ports, started.value.payment.id, isLinked, LINK_MS),
      });
    },
    deleteRegistration: async (caller, request) =>
      ports.deletions === undefined
        ? refused("unsupported", "this bridge deletes no stored cards", "fix-config")
        : ports.deletions.ask(caller, request),
    followUp: (caller, request) =>
      oneAtATime(caller, request.reference, () => startFollowUp(ports, admission, caller, request)),
    confirmSignature: async (caller, key, accepted) => {
      const found = await findPayment(ports, caller, key);
      return found.ok ? confirmSignature(ports, found.value.payment, accepted) : found;
    },
    resolve: (key, order) =>
      resolve(
        {
          ...{
            journal,
            gateway: ports.gateway,
            budget: engine.budget,
            open: async (id) => engine.find(id),
            active: async () => engine.active(),
          },
          hold: (families, payment) => hold(admission, families, payment),
        },
        key,
        order,
      ),
    recorded: (key) => recorded(ports, key),
    ...createLooks(ports),
    ...createEventStream(ports, rollback),
    rollbacks: journal.cursors.rollbacks,
    confirmRollback: rollback.confirm,
    holderOf: (terminal) => holderOf(ports, admission, terminal),
    close: () => {
      admission.closed = true;
    },
  };
}

/** Calls about existing payments: read, wait or cancel. */
function createLooks(
  ports: PaymentsPorts,
): Pick<Payments, "get" | "wait" | "cancel" | "list" | "receipt" | "totals" | "terminals" | "testTerminal"> {
  return {
    get: async (caller, key) =>
      mapGranted(await findPayment(ports, caller, key), ({ payment, prompt }) => viewOf(payment, prompt)),
    wait: async (caller, key, until, timeoutMs) => {
      const found = await findPayment(ports, caller, key);
      if (!found.ok) return found;
      const isDone = ({ state, decision }: PaymentView): boolean =>
        until === "final" ? state === "FINAL" : decision !== undefined;
      return granted(await waitUntil(ports, found.value.payment.accepted.id, isDone, timeoutMs));
    },
    cancel: async (caller, key) => {
      const found = await findPayment(ports, caller, key);
      return found.ok ? cancelled(ports, found.value.payment) : found;
    },
    list: (caller, filter) => list(ports, caller, filter),
    receipt: async (caller, key) =>
      mapGranted(await findPayment(ports, caller, key), ({ payment }) => ({
        ...{ payment: viewForReceipt(payment), merchant: ports.merchant, made: ports.wallTime(payment.accepted.at) },
      })),
    totals: (caller, period) => totals(ports, caller, period),
    terminals: () => terminalViews(ports),
    testTerminal: (terminal) => testTerminal(ports, terminal),
  };
}

/** One start of a reference at a time, across sockets and methods: the second one finds the first one's payment. */
function perReference(): <T>(caller: Caller, reference: string, start: () => Promise<T>) => Promise<T> {
  const turns = createTurns();
  return ({ register }, reference, start) => turns(JSON.stringify([register, reference]), start);
}

/** Nobody waits for this payment. */
function isOver(payment: Payment): boolean {
  return isSettled(payment) || isOverExceptLateQueries(payment);
}

async function list(
  ports: PaymentsPorts,
  caller: Caller,
  filter: Parameters<Payments["list"]>[1],
): ReturnType<Payments["list"]> {
  try {
    const { open, ...others } = filter;
    // Rows stay open for background queries, so the filter for closed payments must read open rows too.
    const wanted = { ...others, ...(open === true && { open }), ...(caller.all ? {} : { register: caller.register }) };
    const { found: payments, ...next } = await pageOf(ports.journal.list, wanted, async (row) => {
      const found = await load(ports, row.payment);
      if (found === undefined || (open !== undefined && open === isOver(found.payment))) return undefined;
      return viewOf(found.payment, found.prompt, "listed");
    });
    return granted({ payments, ...next });
  } catch (cause) {
    if (cause instanceof PageUnknown) return refused("cursor-gone", cause.message, "fix-request", "after");
    throw cause;
  }
}

function mapGranted<A, B>(result: Granted<A>, map: (value: A) => B): Granted<B> {
  return result.ok ? granted(map(result.value)) : result;
}

async function findPayment(ports: PaymentsPorts, caller: Caller, key: PaymentKey): Promise<Granted<Loaded>> {
  const id = "id" in key ? key.id : await ports.journal.byReference(caller.register, key.reference);
  const found = id === undefined ? undefined : await load(ports, id);
  const name = "id" in key ? `id "${key.id}"` : `reference "${key.reference}"`;
  if (found === undefined || (!caller.all && found.payment.accepted.register !== caller.register)) {
    const whose = "id" in key ? "" : ` from register "${caller.register}"`;
    return refused(
      "not-found",
      `${name} was never accepted${whose} here`,
      "fix-request",
      "id" in key ? "id" : "reference",
    );
  }
  return granted(found);
}

/** The mailbox decides whether the cancel still counts; the reply reports its decision. */
async function cancelled(ports: PaymentsPorts, payment: Payment): ReturnType<Payments["cancel"]> {
  const { id } = payment.accepted;
  const isOpen = cancellation(payment) === "accepted";
  if (isOpen && (await ports.engine.find(id)?.askNow({ on: "cancel" })) === false) return notWrittenYet;
  const after = await load(ports, id);
  const now = after?.payment ?? payment;
  const answer = isOpen && now.cancelAskedAt !== undefined ? "accepted" : cancellation(now);
  // A stopping bridge takes no more input: a cancel that is not durable was not accepted.
  if (answer === "accepted" && now.cancelAskedAt === undefined) return shuttingDown;
  return granted({ cancellation: answer, payment: viewOf(now, after?.prompt) });
}
