import { paymentResultSchema } from "../../src/register/rpc/schemas.ts";
import { captured, decided, request, type Send, type View } from "./asking.ts";
import { conductOn, type Happening } from "./beside.ts";
import type { Dealer } from "./dealer.ts";
import { askDeletion, askDeletionAside } from "./deletion.ts";
import { type Errand, type Follow, type FollowKind, kindOf, meansOf } from "./kinds.ts";
import { type Counts, count, strike } from "./misfortunes.ts";
import { usePhone } from "./phone.ts";
import type { Misfortune, Moment, Plan } from "./plan.ts";
import { later } from "./processes.ts";
import { type Deletion, type Entry, isAccepted, newEntry } from "./record.ts";
import type { Register } from "./register.ts";
import type { Shop } from "./shop.ts";
import type { Terminal } from "./terminals.ts";

/** How long a cashier stays with a payment that is not decided before the next customer is served. */
const PATIENCE_MS = 8_000;
/** Times as long for a link with a follow-up: the customer takes his time, and the bridge queries seldom. */
const LINK_PATIENCE = 3;
/**
 * A card that never reaches the gateway is done in no time: its till does not take the customers away from the others.
 */
const ODD_PAUSE_MS = 1_500;

export interface TillOn {
  readonly shop: Shop;
  readonly terminal: Terminal;
  readonly register: Register;
  readonly entries: Pick<Entry[], "push">;
  readonly deletions: Pick<Deletion[], "push">;
  readonly counts: Counts;
  readonly dealer: Dealer;
  /** Begins every reference, so that it is unique to the run. */
  readonly prefix: string;
}

/**
 * One customer after the other. Resolves when the last has gone and everything that was set going for them has
 * happened.
 */
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

/** What is known of one customer's business so far. */
interface Business {
  readonly on: TillOn;
  readonly plan: Plan;
  readonly pending: Promise<void>[];
  /** The last payment, as the cashier saw it. */
  last?: View | undefined;
  /** What may be captured, raised, voided or refunded. */
  original?: { readonly view: View; readonly entry: Entry };
  /** The card that was stored first. */
  registration?: string | undefined;
}

/** Resolves with how many payments came of it. */
async function serve(on: TillOn, plan: Plan, pending: Promise<void>[]): Promise<number> {
  const { story, conduct, misfortunes } = plan;
  const business: Business = { on, plan, pending };
  let made = conduct.rush === undefined ? 0 : 1;
  let asked = 0;
  for (const [step, { kind, share }] of [{ kind: story.first, share: undefined }, ...story.after].entries()) {
    if (!isPossible(business, kind)) break;
    asked += 1;
    if (kind === "DELETION") await deleteCard(business, step);
    else if (await payOne(business, kind, step, share)) made += 1;
  }
  // So many kills were ordered: those of payments that were never asked for hit somebody else's.
  for (const one of misfortunes.slice(asked).flat())
    if (one.is === "kill") pending.push(strike(on.shop, on.terminal, { kind: "SALE", by: "card" }, one, on.counts));
  return made;
}

/** Whether there is what it is about: an approved payment, or a card that was stored. */
function isPossible({ last, original, registration }: Business, errand: Errand): boolean {
  switch (errand) {
    case "SALE":
    case "PREAUTHORIZATION":
    case "REFUND":
    case "REGISTRATION":
    case "LINK":
      return true;
    case "CHARGE":
    case "HOLD":
    case "DELETION":
      return registration !== undefined;
    case "CAPTURE":
    case "VOID":
    case "LINKED_REFUND":
    case "INCREMENT":
      return last?.outcome === "APPROVED" && original !== undefined;
  }
}

/** Whether it was accepted. */
async function payOne(
  business: Business,
  errand: Exclude<Errand, "DELETION">,
  step: number,
  share: Follow["share"],
): Promise<boolean> {
  const { on, original } = business;
  const entry = entryOf(business, errand, step, share);
  if (errand === "LINKED_REFUND" && original !== undefined) await captured(on.register, original.entry);
  const view = await pay(business, entry, step, sendOf(business, errand, entry));
  business.last = view;
  if (view !== undefined && !isFollow(errand)) business.original = { view, entry };
  if (errand === "REGISTRATION" && view?.outcome === "APPROVED") business.registration = view.gateway?.registrationId;
  return isAccepted(entry);
}

function isFollow(errand: Errand): errand is FollowKind {
  return errand === "CAPTURE" || errand === "VOID" || errand === "LINKED_REFUND" || errand === "INCREMENT";
}

const referenceOf = ({ on, plan }: Business, step: number): string =>
  `${on.prefix}-${String(plan.number).padStart(4, "0")}-${step + 1}`;

function entryOf(business: Business, errand: Exclude<Errand, "DELETION">, step: number, share: Follow["share"]): Entry {
  const { on, plan, original, registration } = business;
  const by = meansOf(errand);
  const whole = isFollow(errand) && original !== undefined ? shareOf(original.view, share) : money(plan.cents);
  return newEntry({
    ...{
      reference: referenceOf(business, step),
      register: on.register.name,
      kind: kindOf(errand),
      by,
      currency: "EUR",
    },
    terminal: by === "card" ? on.terminal.id : "",
    amount: errand === "REGISTRATION" ? undefined : whole,
    ...(by === "stored-card" && registration !== undefined && { registration }),
  });
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

function sendOf(
  { plan, last, original, registration = "" }: Business,
  errand: Exclude<Errand, "DELETION">,
  entry: Entry,
): Send {
  const { reference, terminal, currency, amount = "" } = entry;
  const { conduct, phone } = plan;
  const own = { reference, currency, merchantInvoiceId: reference, order: reference };
  switch (errand) {
    case "LINK":
      return (client) =>
        client.createLink({ ...own, amount, ...(phone?.validForMs !== undefined && { validForMs: phone.validForMs }) });
    case "CHARGE":
      return (client) => client.payRegistration({ ...own, registration, amount, standingInstruction: AGREED });
    case "HOLD":
      return (client) => client.payRegistration({ ...own, registration, amount, type: "PREAUTHORIZATION" });
    case "SALE":
    case "PREAUTHORIZATION":
    case "REFUND":
    case "REGISTRATION": {
      const isPartTaken = errand === "SALE" && conduct.allowPartialApproval;
      const params = { ...own, terminal, ...(conduct.queue && { queue: true }) };
      if (errand === "REGISTRATION") return (client) => client.startPayment({ ...params, type: errand });
      if (isPartTaken)
        return (client) => client.startPayment({ ...params, type: errand, amount, allowPartialApproval: true });
      return (client) => client.startPayment({ ...params, type: errand, amount });
    }
    case "CAPTURE":
    case "VOID":
    case "LINKED_REFUND":
    case "INCREMENT": {
      // A capture can be voided by itself; everything else is about the payment that began it.
      const of = errand === "VOID" && last?.type === "CAPTURE" ? last.reference : original?.entry.reference;
      return (client) =>
        client.call(METHODS[errand], { of, reference, ...(amount !== "" && { amount }) }, paymentResultSchema);
    }
  }
}

/** What the holder of a stored card has agreed to. */
const AGREED = { type: "RECURRING", mode: "REPEATED", source: "MIT" } as const;

/**
 * Asks for one payment and waits until it is decided, while all sorts of things happen. Resolves with what the cashier
 * knows at the end.
 */
async function pay(business: Business, entry: Entry, step: number, send: Send): Promise<View | undefined> {
  const { on, plan, pending } = business;
  const { register, shop, terminal, counts } = on;
  const misfortunes = plan.misfortunes[step] ?? [];
  on.entries.push(entry);
  register.follow(entry);
  let due = [
    ...misfortunesOn(on, entry, misfortunes),
    ...conductOn({ ...on, patienceMs: PATIENCE_MS }, plan.conduct, entry, step, send),
  ];
  const reach = (fits: (state: Moment["state"]) => boolean): void => {
    const now = due.filter(({ at }) => fits(at.state));
    due = due.filter((happening) => !now.includes(happening));
    for (const { at, run } of now) pending.push(later(at.delayMs).then(run));
  };
  const unwatch = register.watch(entry.reference, ({ state }) => reach((wanted) => wanted === state));
  for (const misfortune of misfortunes)
    if (isAtGatewayBefore(misfortune)) await strike(shop, terminal, entry, misfortune, counts);
  reach((state) => state === "asked");
  const accepted = await request(register, entry, send, plan.conduct.twice);
  if (accepted && entry.by === "link") pending.push(pickUpPhone(on, plan, entry));
  let seen = accepted ? await decided(register, entry, PATIENCE_MS) : undefined;
  const isAwaited = entry.by === "link" && plan.story.after.length > 0;
  for (let times = 1; isAwaited && times < LINK_PATIENCE && seen?.decision === undefined; times += 1)
    seen = await decided(register, entry, PATIENCE_MS);
  unwatch();
  // A state that never came: the moment is now, and may hit somebody else's payment.
  reach(() => true);
  return seen;
}

function pickUpPhone({ shop, register, counts }: TillOn, { phone }: Plan, entry: Entry): Promise<void> {
  return usePhone({
    gateway: shop.gateway,
    register,
    entry,
    deeds: phone?.deeds ?? [],
    did: (deed) => count(counts, `phone ${deed}`),
  });
}

/** What its gateway is told before it is asked for at all. */
function isAtGatewayBefore({ is, at }: Misfortune): boolean {
  return is === "gateway" && at.state === "asked";
}

function misfortunesOn(
  { shop, terminal, counts }: TillOn,
  entry: Entry,
  misfortunes: readonly Misfortune[],
): readonly Happening[] {
  const befall = misfortunes.filter((misfortune) => !isAtGatewayBefore(misfortune));
  return befall.map((misfortune) => ({
    at: misfortune.at,
    run: () => strike(shop, terminal, entry, misfortune, counts),
  }));
}

/** A deletion has no states that are told, so that whatever is to befall it comes by the clock. */
async function deleteCard(business: Business, step: number): Promise<void> {
  const { on, plan, pending, registration } = business;
  const { register, shop, terminal, counts } = on;
  if (registration === undefined) return;
  const deletion: Deletion = {
    reference: referenceOf(business, step),
    register: register.name,
    registration,
    tellings: [],
    refusals: [],
  };
  on.deletions.push(deletion);
  for (const misfortune of plan.misfortunes[step] ?? []) {
    const struck = (): Promise<void> =>
      strike(shop, terminal, { kind: "DELETION", by: "stored-card" }, misfortune, counts);
    if (isAtGatewayBefore(misfortune)) await struck();
    else pending.push(later(misfortune.at.delayMs).then(struck));
  }
  pending.push(askDeletionAside(register, deletion, plan.conduct));
  await askDeletion(register, deletion, PATIENCE_MS);
}
