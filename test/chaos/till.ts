import { CallRefused } from "../../src/client/errors.ts";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { paymentResultSchema } from "../../src/register/rpc/schemas.ts";
import type { TestTerminal } from "../scenarios/terminal.ts";
import { COME_AGAIN } from "./checker.ts";
import { type Counts, strike } from "./misfortunes.ts";
import { inPlaceOf, type Kind, type Moment, type Plan, type Step } from "./plan.ts";
import { later } from "./processes.ts";
import { type Entry, newEntry } from "./record.ts";
import { note, type Register, type Send, started } from "./register.ts";
import type { Shop } from "./shop.ts";

/** How long a cashier asks for a terminal that is busy or away. */
const ASKING_MS = 300_000;
const ASK_AGAIN_MS = 120;
/** How long a cashier stays with a payment that is not decided before the next customer is served. */
const PATIENCE_MS = 8_000;
/** How long a customer who wants his money back waits until it was taken. */
const CAPTURED_MS = 10_000;

export interface Till {
  readonly shop: Shop;
  readonly terminal: TestTerminal;
  readonly register: Register;
  readonly entries: Entry[];
  readonly counts: Counts;
  /** The customers who have not come yet. */
  readonly plans: Plan[];
  /** Begins every reference, so that it is unique to the run. */
  readonly prefix: string;
}

/** One customer after the other. Resolves when the last has gone and all misfortunes have happened. */
export async function runTill(till: Till): Promise<void> {
  const pending: Promise<void>[] = [];
  for (let plan = till.plans.shift(); plan !== undefined; plan = till.plans.shift()) {
    let original: PaymentView | undefined;
    for (const [at, step] of plan.steps.entries()) {
      if (at > 0 && original?.outcome !== "APPROVED") till.plans.push(inPlaceOf(step, plan));
      else original = (await pay(till, plan, step, original, pending)) ?? original;
    }
  }
  await Promise.all(pending);
}

/** Asks for one payment and waits until it is decided, while misfortunes happen. */
async function pay(
  till: Till,
  { name, cents }: Plan,
  { kind, misfortunes }: Step,
  original: PaymentView | undefined,
  pending: Promise<void>[],
): Promise<PaymentView | undefined> {
  const { register, terminal, prefix } = till;
  const reference = `${prefix}-${name}-${kind.toLowerCase()}`;
  const entry = newEntry({ reference, register: register.name, kind });
  const send = sendOf(kind, { reference, terminal: terminal.id, amount: (cents / 100).toFixed(2), original });
  till.entries.push(entry);
  register.follow(entry);
  if (kind === "LINKED_REFUND" && original !== undefined) await untilCaptured(register, original.reference);
  let due = [...misfortunes];
  const reach = (fits: (state: Moment["state"]) => boolean): void => {
    const now = due.filter(({ at }) => fits(at.state));
    due = due.filter((one) => !now.includes(one));
    for (const one of now) pending.push(later(one.at.delayMs).then(() => strike({ ...till, entry, send }, one)));
  };
  const unwatch = register.watch((payment) => {
    if (payment.reference === reference) reach((state) => state === payment.state);
  });
  reach((state) => state === "asked");
  const seen = (await request(register, entry, send)) ? await decided(register, entry) : undefined;
  unwatch();
  // A state that never came: the moment is now, and may hit another payment.
  reach(() => true);
  return seen;
}

interface Wanted {
  readonly reference: string;
  readonly terminal: string;
  readonly amount: string;
  readonly original: PaymentView | undefined;
}

const FOLLOW_UPS = { CAPTURE: "payment.capture", VOID: "payment.void", LINKED_REFUND: "payment.refund" } as const;

function sendOf(kind: Kind, { reference, terminal, amount, original }: Wanted): Send {
  if (kind === "SALE" || kind === "PREAUTHORIZATION")
    return (client) => client.startPayment({ reference, type: kind, terminal, currency: "EUR", amount });
  const of = original?.reference;
  const params = { of, reference, ...(kind !== "VOID" && { amount }) };
  return (client) => client.call(FOLLOW_UPS[kind], params, paymentResultSchema);
}

/** True once a reply says that it was accepted; false if it is refused for good, or for too long. */
async function request(register: Register, entry: Entry, send: Send): Promise<boolean> {
  for (const until = performance.now() + ASKING_MS; ; await later(ASK_AGAIN_MS)) {
    let sentAt = 0;
    try {
      started(
        entry,
        await register.ask((client) => {
          sentAt = Date.now();
          return send(client);
        }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      entry.refusals.push({ sentAt, code: error.code });
      if (!COME_AGAIN.includes(error.code) || performance.now() > until) return false;
    }
  }
}

/** What the cashier knows once it is decided, or when he has waited for so long. */
async function decided(register: Register, entry: Entry): Promise<PaymentView | undefined> {
  const params = { reference: entry.reference, until: "decision", timeoutMs: PATIENCE_MS };
  try {
    const { payment } = await register.ask((client) => client.call("payment.wait", params, paymentResultSchema));
    note(entry, payment);
    return payment;
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    return register.look(entry);
  }
}

/** A customer who brings something back does not come before the money was taken. */
async function untilCaptured(register: Register, reference: string): Promise<void> {
  const until = performance.now() + CAPTURED_MS;
  const isPending = async (): Promise<boolean> =>
    (await register.ask((client) => client.get({ reference }))).capture === "pending";
  while (performance.now() < until && (await isPending())) await later(ASK_AGAIN_MS);
}
