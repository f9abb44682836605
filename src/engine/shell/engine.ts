import type { LocalTime } from "../../card/command.ts";
import { type Cancel, type Clock, sleep } from "../../kit/clock.ts";
import type { Random } from "../../kit/random.ts";
import { type Accepted, begin, decide, evolve, isOverExceptLateQueries } from "../../payment/machine.ts";
import { askedAt, type Payment } from "../../payment/state.ts";
import { viewOf } from "../../payment/view.ts";
import { type Budget, createBudget } from "../gateway/query-budget.ts";
import { createSequence, type Sequence } from "../gateway/sequence.ts";
import { createHints, type HintedAt, isMeant } from "../gateway/webhook-hints.ts";
import type { Alarms, Gateway, Journal, NameBegins, Terminals } from "../ports.ts";
import { createOriginals } from "../service/related-payments.ts";
import { createDevices, type Devices } from "../terminal/device.ts";
import { createLeases, type Leases } from "../terminal/lease.ts";
import { alarmed, alarmsOf } from "./alarms.ts";
import type { Appended } from "./appended.ts";
import type { EffectPorts } from "./effect-ports.ts";
import { isFreeAtOnce, perform } from "./effects.ts";
import { createFeed, type Feed } from "./feed.ts";
import { recall } from "./journal-replay.ts";
import { freshFor, type Mailbox, type MailboxPorts, openMailbox } from "./mailbox.ts";
import { createCommits } from "./ordered-commits.ts";
import { rowOf } from "./payment-row.ts";
import { EngineStopping } from "./stopping.ts";

export interface EnginePorts {
  readonly journal: Journal;
  readonly gateway: Gateway;
  readonly terminals: Terminals;
  readonly clock: Clock;
  readonly random: Random;
  readonly alarms: Alarms;
  readonly localTime: () => LocalTime;
  readonly removalMs: number;
  /** Start of the names of a payment's requests; absent: random names. */
  readonly nameBegins?: NameBegins | undefined;
  /** Called once for each write of facts, in the order of the journal. */
  readonly appended: (step: Appended) => void;
  /** An unforeseen error in a payment: the process should end, and the next one recover. */
  readonly broken: (payment: string, cause: unknown) => void;
}

/** All unsettled payments, each in its mailbox. */
export interface Engine {
  readonly feed: Feed;
  readonly leases: Leases;
  readonly devices: Devices;
  readonly budget: Budget;
  /**
   * Loads every open payment and starts its effects. Returns the number waiting for more than a background query.
   * Accept nothing before it resolves.
   */
  recover(): Promise<number>;
  /**
   * Makes the acceptance durable, then starts the payment. A free terminal is leased before, and that it is asked for
   * the card is durable by the same sync. Rejects with JournalUnwritable or EngineStopping; nothing has happened then.
   */
  accept(accepted: Accepted): Promise<Payment>;
  active(): readonly Payment[];
  find(id: string): Mailbox | undefined;
  /**
   * An outside hint about a payment: its pending query runs now, within the budget. False if no open payment has that
   * name.
   */
  hint(at: HintedAt): boolean;
  /**
   * Waits until no terminal is in use, at most `graceMs`, which may shrink meanwhile. Then stops everything; the next
   * start continues open payments.
   */
  stop(graceMs: () => number): Promise<void>;
}

export function createEngine(ports: EnginePorts): Engine {
  const { journal, clock } = ports;
  const mailboxes = new Map<string, Mailbox>();
  const feed = createFeed(journal, clock);
  const leases = createLeases();
  const devices = createDevices(ports.terminals, clock);
  const budget = createBudget(clock);
  const hints = createHints(clock);
  const commits = createCommits(journal);
  const sequence = createSequence();
  let stopping = false;
  const originals = createOriginals({ feed, broken: ports.broken, reach: (id) => reach(id) });
  const effects: EffectPorts = { ...ports, devices, leases, budget, hints, originals };
  const settled = (mailbox: Mailbox): void => {
    mailboxes.delete(mailbox.id);
    mailbox.stop();
  };
  const mailboxPorts: MailboxPorts = {
    ...ports,
    ...mailboxEnds(ports, feed, effects),
    commits,
    sequence,
    settled,
    isCardIn: devices.isCardIn,
  };
  const open = (payment: Payment, cursor: number): Mailbox => {
    const mailbox = openMailbox(mailboxPorts, payment, cursor);
    mailboxes.set(mailbox.id, mailbox);
    return mailbox;
  };
  const reach = reacher(journal, mailboxes, open, () => stopping);
  return {
    feed,
    leases,
    devices,
    budget,
    recover: () => recover(journal, sequence, open),
    accept: async (accepted) => {
      if (stopping) throw new EngineStopping();
      const began = ports.clock.monotonic();
      const payment = begin(accepted);
      const asking = isFreeAtOnce(effects, payment)
        ? decide(payment, { at: accepted.at, fresh: freshFor(mailboxPorts, payment), what: { on: "leased" } })
        : [];
      if (asking.length > 0) leases.ask(accepted.terminal, accepted.id, () => undefined);
      const after = asking.reduce(evolve, payment);
      const facts = [accepted, ...asking];
      try {
        await commits.append(facts, accepted.at, rowOf(after), (last) => {
          ports.appended({ before: payment, facts, after, tookMs: ports.clock.monotonic() - began });
          const mailbox = open(after, last);
          feed.publish({ cursor: last, payment: viewOf(after) });
          // A payment accepted while the bridge stops is left to the next start.
          if (stopping) mailbox.stop();
          else mailbox.put({ on: "woken" });
        });
      } catch (cause) {
        if (asking.length > 0) leases.giveBack(accepted.terminal, accepted.id);
        throw cause;
      }
      return after;
    },
    active: () => [...mailboxes.values()].map((mailbox) => mailbox.payment()),
    find: (id) => mailboxes.get(id),
    hint: (at) => {
      const meant = [...mailboxes.values()].filter((mailbox) => isMeant(mailbox.payment(), at));
      for (const mailbox of meant) hints.give(mailbox);
      return meant.length > 0;
    },
    stop: async (graceMs) => {
      stopping = true;
      leases.close();
      hints.stop();
      await untilNoneIsLeased(mailboxes, clock, graceMs);
      for (const mailbox of mailboxes.values()) mailbox.stop();
    },
  };
}

async function untilNoneIsLeased(
  mailboxes: ReadonlyMap<string, Mailbox>,
  clock: Clock,
  graceMs: () => number,
): Promise<void> {
  const since = clock.monotonic();
  const isLeased = (): boolean => [...mailboxes.values()].some((mailbox) => mailbox.payment().leased);
  while (isLeased() && clock.monotonic() - since < graceMs()) await sleep(clock, 50);
}

/** Open all payments before the first input: one may ask for another, which must not be opened twice. */
async function recover(
  journal: Journal,
  sequence: Sequence,
  open: (payment: Payment, cursor: number) => Mailbox,
): Promise<number> {
  sequence.goOnAfter(await journal.lastSequenceNumber());
  const ids = await journal.openPayments();
  const opened: Mailbox[] = [];
  for (const id of ids) {
    const known = await recall(journal, id);
    if (known !== undefined) opened.push(open(known.payment, known.cursor));
  }
  const waiting = opened.filter((mailbox) => !isOverExceptLateQueries(mailbox.payment()));
  // The gateway takes two queries a minute. If processes end early, a fixed order would always serve the same payments.
  const inTurn = opened.toSorted((a, b) => queriedAt(a.payment()) - queriedAt(b.payment()));
  for (const mailbox of inTurn) mailbox.put({ on: "restarted" });
  return waiting.length;
}

/** Time of the payment's last query in the previous process, or 0. */
function queriedAt({ attempts }: Payment): number {
  return Math.max(0, ...attempts.map((attempt) => askedAt(attempt) ?? 0));
}

/** The mailbox of any payment of the journal. A settled payment is opened once, however many callers ask. */
function reacher(
  journal: Journal,
  mailboxes: ReadonlyMap<string, Mailbox>,
  open: (payment: Payment, cursor: number) => Mailbox,
  isStopping: () => boolean,
): (id: string) => Promise<Mailbox> {
  const reaching = new Map<string, Promise<Mailbox>>();
  const recalled = async (id: string): Promise<Mailbox> => {
    if (isStopping()) throw new EngineStopping();
    const known = await recall(journal, id);
    if (isStopping()) throw new EngineStopping();
    if (known === undefined) throw new RangeError(`payment ${id} is not in the journal`);
    return mailboxes.get(id) ?? open(known.payment, known.cursor);
  };
  return (id) => {
    const known = mailboxes.get(id);
    if (known !== undefined && !isStopping()) return Promise.resolve(known);
    const wanted = reaching.get(id) ?? recalled(id).finally(() => reaching.delete(id));
    reaching.set(id, wanted);
    return wanted;
  };
}

function mailboxEnds(
  ports: EnginePorts,
  feed: Feed,
  effects: EffectPorts,
): Pick<MailboxPorts, "perform" | "changed" | "broken"> {
  return {
    perform: (mailbox, effect): Cancel => perform(effects, mailbox, effect),
    changed: (mailbox, before) => {
      // A change of the prompt alone leaves the payment unchanged.
      if (before !== mailbox.payment()) tell(ports.alarms, before, mailbox.payment());
      feed.publish({ cursor: mailbox.cursor(), payment: viewOf(mailbox.payment(), mailbox.prompt()) });
    },
    broken: (mailbox, cause) => ports.broken(mailbox.id, cause),
  };
}

function tell(alarms: Alarms, before: Payment, after: Payment): void {
  for (const alarm of alarmsOf(before, after)) alarms.raise({ ...alarmed(after.accepted), ...alarm });
}
