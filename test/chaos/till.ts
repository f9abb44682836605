import type { RegisterClient } from "../../src/client/client.ts";
import { CallRefused } from "../../src/client/errors.ts";
import { paymentResultSchema } from "../../src/register/wire.ts";
import type { Dealer } from "./dealer.ts";
import type { Follow, FollowKind, Kind } from "./kinds.ts";
import { type Counts, count, strike } from "./misfortunes.ts";
import type { Misfortune, Moment, Plan } from "./plan.ts";
import { later } from "./processes.ts";
import { type Entry, isAccepted, newEntry } from "./record.ts";
import { look, type Register } from "./register.ts";
import type { Shop } from "./shop.ts";
import type { Terminal } from "./terminals.ts";

/** How long a cashier stays with a payment that is not decided before the next customer is served. */
const PATIENCE_MS = 8_000;
/** How long a cashier asks for a terminal that is busy or away. */
const ASKING_MS = 60_000;
const ASK_AGAIN_MS = 120;
/** How long a customer who wants his money back waits until it was taken. */
const CAPTURED_MS = 10_000;
/** A card that never reaches the gateway is done in no time: its till does not take the customers away from the others. */
const ODD_PAUSE_MS = 1_500;

export interface TillOn {
  readonly shop: Shop;
  readonly terminal: Terminal;
  readonly register: Register;
  readonly entries: Pick<Entry[], "push">;
  readonly counts: Counts;
  readonly dealer: Dealer;
  /** Begins every reference, so that it is unique to the run. */
  readonly prefix: string;
}

type View = Awaited<ReturnType<RegisterClient["get"]>>;
type Send = (client: RegisterClient) => Promise<{ readonly payment: View; readonly created?: boolean }>;

/** One customer after the other. Resolves when the last has gone and everything that was set going for them has happened. */
export async function runTill(on: TillOn): Promise<void> {
  const { dealer, terminal } = on;
  const pending: Promise<void>[] = [];
  for (let plan = dealer.next(terminal); plan !== undefined; plan = dealer.next(terminal)) {
    await terminal.holds(plan.card);
    dealer.served(plan, await serve(on, plan, pending));
    if (terminal.isOdd) await later(ODD_PAUSE_MS);
  }
  await Promise.all(pending);
}

/** Resolves with how many payments came of it. */
async function serve(on: TillOn, plan: Plan, pending: Promise<void>[]): Promise<number> {
  const { story, cents, conduct, misfortunes } = plan;
  const entry = entryOf(on, plan, story.first, 1, story.first === "REGISTRATION" ? undefined : money(cents));
  const { reference, kind, terminal, currency, amount } = entry;
  const params = {
    ...{ reference, type: story.first, terminal, currency, merchantInvoiceId: reference },
    ...(amount !== undefined && { amount }),
    order: reference,
    ...(kind === "SALE" && conduct.allowPartialApproval && { allowPartialApproval: true }),
  };
  let last = await pay(on, plan, entry, misfortunes[0] ?? [], (client) => client.startPayment({ ...params, ...(conduct.queue && { queue: true }) }), pending);
  let made = (isAccepted(entry) ? 1 : 0) + (conduct.rush === undefined ? 0 : 1);
  const original = last;
  let asked = 1;
  for (const [at, { kind: following, share }] of story.after.entries()) {
    if (last?.outcome !== "APPROVED" || original === undefined) break;
    const next = entryOf(on, plan, following, at + 2, shareOf(original, share));
    if (following === "LINKED_REFUND") await captured(on.register, entry);
    // A capture can be voided by itself; everything else is about the first payment.
    const of = following === "VOID" && last.type === "CAPTURE" ? last.reference : original.reference;
    last = await pay(on, plan, next, misfortunes[at + 1] ?? [], sendFollow(next, METHODS[following], of), pending);
    asked += 1;
    if (isAccepted(next)) made += 1;
  }
  // So many kills were ordered: those of payments that were never asked for hit somebody else's.
  for (const one of misfortunes.slice(asked).flat()) if (one.is === "kill") pending.push(strike(on.shop, on.terminal, kind, one, on.counts));
  return made;
}

/** A customer who brings something back does not come before the money was taken. */
async function captured(register: Register, entry: Entry): Promise<void> {
  const until = performance.now() + CAPTURED_MS;
  while ((await look(register, entry))?.capture === "pending" && performance.now() < until) await later(ASK_AGAIN_MS);
}

function entryOf({ register, terminal, prefix }: TillOn, plan: Plan, kind: Kind, step: number, amount: string | undefined): Entry {
  const reference = `${prefix}-${String(plan.number).padStart(4, "0")}-${step}`;
  return newEntry({ reference, register: register.name, kind, terminal: terminal.id, amount, currency: "EUR" });
}

const money = (cents: number): string => (cents / 100).toFixed(2);

function shareOf({ amount = "0" }: View, share: Follow["share"]): string | undefined {
  const whole = Math.round(Number(amount) * 100);
  switch (share) {
    case "all":
      return money(whole);
    case "half":
      return money(Math.floor(whole / 2));
    case "third":
      return money(Math.floor(whole / 3));
    case undefined:
      return undefined;
  }
}

const METHODS: Readonly<Record<FollowKind, string>> = {
  CAPTURE: "payment.capture",
  VOID: "payment.void",
  LINKED_REFUND: "payment.refund",
  INCREMENT: "payment.increment",
};

function sendFollow({ reference, amount }: Entry, method: string, of: string): Send {
  return (client) => client.call(method, { of, reference, ...(amount !== undefined && { amount }) }, paymentResultSchema);
}

/** Whatever is to happen in a payment's life, by the moment. */
interface Happening {
  readonly at: Moment;
  readonly run: () => Promise<void>;
}

/** Asks for one payment and waits until it is decided, while all sorts of things happen. Resolves with what the cashier knows at the end. */
async function pay(on: TillOn, plan: Plan, entry: Entry, misfortunes: readonly Misfortune[], send: Send, pending: Promise<void>[]): Promise<View | undefined> {
  const { register, shop, terminal, counts } = on;
  on.entries.push(entry);
  register.follow(entry);
  let due = happeningsOf(on, plan, entry, misfortunes, send);
  const fire = (happening: Happening): void => void pending.push(later(happening.at.delayMs).then(happening.run));
  const reach = (fits: (state: Moment["state"]) => boolean): void => {
    const now = due.filter(({ at }) => fits(at.state));
    due = due.filter((happening) => !now.includes(happening));
    for (const happening of now) fire(happening);
  };
  const unwatch = register.watch(entry.reference, ({ state }) => reach((wanted) => wanted === state));
  for (const misfortune of misfortunes) if (isAtGatewayBefore(misfortune)) await strike(shop, terminal, entry.kind, misfortune, counts);
  reach((state) => state === "asked");
  const accepted = await request(register, entry, send, plan.conduct.twice);
  const seen = accepted ? await decided(register, entry) : undefined;
  unwatch();
  // A state that never came: the moment is now, and may hit somebody else's payment.
  reach(() => true);
  return seen;
}

/** What its gateway is told before it is asked for at all. */
function isAtGatewayBefore({ is, at }: Misfortune): boolean {
  return is === "gateway" && at.state === "asked";
}

function happeningsOf(on: TillOn, { conduct }: Plan, entry: Entry, misfortunes: readonly Misfortune[], send: Send): readonly Happening[] {
  const { register, shop, terminal, counts } = on;
  const { repeats, anew, rush, cancel, away } = conduct;
  const { kind } = entry;
  const befall = misfortunes.filter((misfortune) => !isAtGatewayBefore(misfortune));
  return [
    ...befall.map((misfortune) => ({ at: misfortune.at, run: () => strike(shop, terminal, kind, misfortune, counts) })),
    ...repeats.map((at) => ({ at, run: () => aside(register, entry, send) })),
    ...(anew === undefined || kind !== "SALE" ? [] : [{ at: anew, run: () => begunAnew(on, entry) }]),
    ...(rush === undefined || kind !== "SALE" ? [] : [{ at: rush, run: () => rushed(on, entry) }]),
    ...(cancel === undefined ? [] : [{ at: cancel, run: () => cancelled(register, entry, counts) }]),
    ...(away === undefined ? [] : [{ at: away, run: async () => register.away(away.forMs) }]),
  ];
}

/** True once a reply says that it was accepted; false where it is refused for good, or for too long. */
async function request(register: Register, entry: Entry, send: Send, twice: boolean): Promise<boolean> {
  const until = performance.now() + ASKING_MS;
  const second = twice ? aside(register, entry, send) : Promise.resolve();
  for (;;) {
    let sentAt = 0;
    try {
      const { value, connection } = await register.ask((client) => {
        sentAt = Date.now();
        return send(client);
      });
      started(register, entry, connection, value);
      await second;
      return true;
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      const { code, message, advice } = error;
      entry.refusals.push({ sentAt, code, message });
      if ((advice !== "retry" && !code.startsWith("terminal-")) || performance.now() > until) return false;
      await later(ASK_AGAIN_MS);
    }
  }
}

function started(register: Register, entry: Entry, connection: number, { payment, created }: Awaited<ReturnType<Send>>): void {
  if (created === true) entry.created += 1;
  register.note(entry, "start", connection, payment);
}

/** The same request once more, on a socket of its own. */
async function aside(register: Register, entry: Entry, send: Send): Promise<void> {
  const sentAt = Date.now();
  try {
    const reply = await register.askAside(send);
    if (reply !== undefined) started(register, entry, 0, reply);
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    entry.refusals.push({ sentAt, code: error.code, message: error.message });
  }
}

/** A second payment for the order of one that may be undecided: to be refused as long as that is so. What is taken all the same is called off again. */
async function begunAnew({ register, entries }: TillOn, first: Entry): Promise<void> {
  const { terminal, currency, amount } = first;
  const reference = `${first.reference}-anew`;
  const params = { reference, type: "SALE" as const, terminal, currency, merchantInvoiceId: reference, order: first.reference, queue: true };
  const entry = newEntry({ ...first, reference });
  register.follow(entry);
  try {
    const { value, connection } = await register.ask((client) => client.startPayment({ ...params, ...(amount !== undefined && { amount }) }));
    entries.push(entry);
    started(register, entry, connection, value);
    const { value: other } = await register.ask((client) => client.get({ reference: first.reference }));
    if (other.decision === undefined) entry.besideUndecided = first.reference;
    await register.ask((client) => client.cancel({ reference }));
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
  }
}

/** The next customer's sale on the same terminal, started before the first one is through. */
async function rushed({ register, entries }: TillOn, first: Entry): Promise<void> {
  const { terminal, currency, amount } = first;
  const reference = `${first.reference}-next`;
  const entry = newEntry({ ...first, reference });
  entries.push(entry);
  register.follow(entry);
  const params = { reference, type: "SALE" as const, terminal, currency, merchantInvoiceId: reference, queue: true };
  const accepted = await request(register, entry, (client) => client.startPayment({ ...params, ...(amount !== undefined && { amount }) }), false);
  if (accepted) await decided(register, entry);
}

async function cancelled(register: Register, entry: Entry, counts: Counts): Promise<void> {
  try {
    const { value, connection } = await register.ask((client) => client.cancel({ reference: entry.reference }));
    entry.cancellations.push(value.cancellation);
    register.note(entry, "cancel", connection, value.payment);
    count(counts, `cancellation ${value.cancellation}`);
  } catch (error) {
    // A payment that was never accepted cannot be cancelled either, and a bridge that stops takes nothing.
    if (!(error instanceof CallRefused)) throw error;
  }
}

async function decided(register: Register, entry: Entry): Promise<View | undefined> {
  const params = { reference: entry.reference, until: "decision", timeoutMs: PATIENCE_MS };
  try {
    const { value, connection } = await register.ask((client) => client.call("payment.wait", params, paymentResultSchema));
    register.note(entry, "wait", connection, value.payment);
    return value.payment;
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    return look(register, entry);
  }
}
