import type { Booking } from "../../packages/sandbox/gateway/ledger/booking.ts";
import { createSandbox, type Sandbox } from "../../packages/sandbox/gateway/sandbox.ts";
import { JournalUnwritable } from "../../src/engine/ports.ts";
import { createMemoryJournal, type MemoryJournal } from "../../src/journal/memory-journal.ts";
import type { Clock } from "../../src/kit/clock.ts";
import { seededRandom } from "../../src/kit/seeded-random.ts";
import { receiptLines } from "../../src/receipt/content.ts";
import { english } from "../../src/receipt/words/en.ts";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.ts";
import { createBackOffice, ELSEWHERE } from "./back-office.ts";
import type { Asked, Row, Violation } from "./checker/evidence.ts";
import { SECOND } from "./checker/link-rules.ts";
import { HOME, textOf } from "./checker/money.ts";
import { createWitness, type Witness } from "./checker/witness.ts";
import { type Counter, createCounter } from "./counter.ts";
import { createDeletionBook } from "./deletion-book.ts";
import { seedFor } from "./draw.ts";
import { type History, noHistory, recordHistory } from "./history.ts";
import { judgesOf } from "./kinds.ts";
import { createLedgerStore } from "./ledger-store.ts";
import { beginLife, ENTITY, type Life, TOKEN } from "./life.ts";
import { createOffice, type Office } from "./office.ts";
import { operate } from "./operator.ts";
import { createPhones, type Phones } from "./phone.ts";
import { createRegister, type Register, toldOf } from "./register.ts";
import type { Script } from "./script.ts";
import { powerCycle, till } from "./till.ts";
import { TILLS } from "./tills.ts";
import { createTraffic, type Traffic } from "./traffic.ts";
import { createTraps, type Traps } from "./traps.ts";
import { createWire } from "./wire.ts";

export interface WorldResult {
  /** With what registers asked for besides: deletions of stored cards. */
  readonly payments: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** How many payments of each kind were approved. */
  readonly approved: Readonly<Record<string, number>>;
  readonly troubles: Readonly<Record<string, number>>;
  readonly crashes: number;
  /** Until the last sale was decided. */
  readonly virtualMs: number;
  readonly violations: readonly Violation[];
  readonly history: readonly string[];
}

/** What runs in a world, for those who sell in it and those who disturb it. */
export interface World {
  readonly clock: VirtualClock;
  readonly witness: Witness;
  readonly history: History;
  readonly counters: readonly Counter[];
  readonly traffic: Traffic;
  readonly traps: Traps;
  readonly registers: readonly Register[];
  /** A second register that wants the same terminals. */
  readonly rival: Register;
  readonly office: Office;
  readonly phones: Phones;
  /** The stored cards that somebody wanted to be deleted. */
  readonly deletions: { readonly reference: string; readonly registration: string; readonly register: Register }[];
  /** Another till of the shop books at the gateway what was asked of it. */
  sellElsewhere(asked: Asked): void;
  /** Of all its money; undefined: euros. */
  readonly currency: string | undefined;
  gatewayDownUntil: number;
  diskFullUntil: number;
  /**
   * The process dies now. Of the appends that wait the first `kept` reached the disk, but nobody was told. A new
   * process begins after `downMs`.
   */
  kill(kept: number, downMs: number): void;
}

const START = Date.UTC(2026, 0, 15, 9);
const HOUR_MS = 3_600_000;
/** Long enough for every unknown window, every backoff and the last late look. */
const AFTERMATH_MS = 100 * HOUR_MS;

/** What is left when all is over: the last journal, and the gateway. */
export interface Remains {
  readonly journal: MemoryJournal;
  readonly sandbox: Sandbox;
}

interface Playing {
  readonly recording?: boolean;
  /** Looks at what is left, once everything has settled and was judged. */
  readonly audit?: (remains: Remains) => Promise<void>;
}

/**
 * Plays a script through the production code under a clock of its own, lets everything settle, and judges after every
 * step and in the end.
 */
export async function runWorld(script: Script, { recording = false, audit }: Playing = {}): Promise<WorldResult> {
  const stage = createStage(script, recording);
  const { world } = stage;
  const { clock, witness, counters, registers } = world;
  const tills = counters.map((counter, at) =>
    till(
      world,
      counter,
      registers[at],
      script.steps.filter((step) => tillName(step.till) === counter.id),
    ),
  );
  let done = false;
  void Promise.all(tills).then(() => {
    done = true;
  });
  let virtualMs = 0;
  try {
    await clock.runUntil(() => done, (script.steps.length + 1) * 24 * HOUR_MS);
    virtualMs = clock.monotonic();
    for (let hour = 1; hour <= AFTERMATH_MS / HOUR_MS; hour += 1) {
      await clock.advance(HOUR_MS);
      stage.goRound();
    }
    await stage.putInOrder();
    await stage.readBack();
    witness.end();
  } catch (cause) {
    witness.broken(
      "the-product-itself",
      "bridge",
      `threw ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
    );
  }
  await audit?.(stage.remains());
  const told = witness
    .evidence()
    .map(({ asked, told, acceptedAt }) => [
      told?.outcome ?? told?.state ?? (acceptedAt === undefined ? unheardOf(asked) : "?"),
      told?.reason,
    ]);
  return {
    payments: witness.evidence().length + witness.deletions.all().length,
    outcomes: count([
      ...told.map((parts) => parts.filter((part) => part !== undefined).join(" ")),
      ...witness.deletions.all().map((said) => `DELETION ${said}`),
    ]),
    approved: count(
      witness.evidence().flatMap(({ asked, told }) => (told?.decision === "approved" ? namesOf(asked) : [])),
    ),
    troubles: count(script.steps.flatMap(({ troubles }) => troubles.map(({ is }) => is))),
    crashes: stage.crashes(),
    virtualMs,
    violations: witness.violations(),
    history: world.history.lines(),
  };
}

/** What follows a payment by the gateway's id is counted twice: as what it is, and so. */
function namesOf({ does, by, ofBooking }: Asked): readonly string[] {
  if (by !== undefined) return [`${does} by ${by}`];
  return ofBooking === undefined ? [does] : [does, `${does} by gateway id`];
}

const unheardOf = ({ elsewhere }: Asked): string => (elsewhere === true ? "sold elsewhere" : "never accepted");

const tillName = (till: number): string => `till-${till}`;

interface Stage {
  readonly world: World;
  readonly crashes: () => number;
  /** Somebody switches off and on what does not answer. */
  readonly goRound: () => void;
  /** An operator closes what the bridge could not; then everything settles once more. */
  readonly putInOrder: () => Promise<void>;
  /** Asks the bridge once more for every payment that it ever accepted. */
  readonly readBack: () => Promise<void>;
  readonly remains: () => Remains;
}

function createStage(script: Script, recording: boolean): Stage {
  const clock = createVirtualClock(START, { settling: "promises", afterEach: () => witness.step() });
  const now = () => clock.monotonic();
  // Gateway and terminals have clocks of their own, which nobody sets.
  const trueClock: Clock = { ...clock, now: () => START + clock.monotonic() };
  const history = recording ? recordHistory(now) : noHistory;
  const shown = (reference: string, url: string): void => world.phones.shown(reference, url);
  const witness = createWitness({
    now,
    judgesOf,
    oneCapture: script.captures === "one",
    shown,
    found: ({ rule, reference, text }) => history.note("checker", () => `${reference}: ${rule}: ${text}`),
  });
  const traffic = createTraffic(trueClock.now);
  const traps = createTraps();
  const kept = (booking: Booking): void => {
    witness.booked(traffic.ownerOf(booking), rowOf(booking));
    history.note(
      "gateway",
      () => `ledger: ${booking.paymentType} ${textOf(booking.amount ?? 0, booking.currency)} ${booking.resultCode}`,
    );
  };
  const oneCapture = script.captures === "one";
  const randomOf = (name: string, number = 0) => seededRandom(seedFor(script.seed, name, number));
  const store = createLedgerStore({ bend: traffic.bend, kept });
  const sandbox = createSandbox({
    clock: trueClock,
    random: randomOf("gateway"),
    store,
    rules: { severalCaptures: !oneCapture },
    entities: [{ entityId: ENTITY, token: TOKEN }],
  });
  const backOffice = createBackOffice({
    store,
    seed: seedFor(script.seed, "back office"),
    now: trueClock.now,
    entityId: ENTITY,
    currency: script.currency ?? HOME,
  });
  const counters = TILLS.flatMap((tillOf, at) => {
    const id = tillName(at);
    const stand = script.stands.find(({ till }) => till === at);
    if (stand === undefined || !script.steps.some((step) => step.till === at)) return [];
    return createCounter({
      ...{
        ...tillOf,
        id,
        number: at,
        stand,
        pace: script.pace ?? "quick",
        clock: trueClock,
        random: randomOf("terminal", at),
      },
      cardSaid: ({ type, amount, cryptogram, card }) => {
        witness.said({ terminal: id, type, amount, cryptogram });
        history.note("card", () => `${id}: ${card} says ${type} over ${textOf(amount, script.currency)}`);
        traps.spoken(id);
      },
    });
  });
  const http = createWire({
    ...{ sandbox, clock: trueClock, traffic, history, isDown: () => now() < world.gatewayDownUntil },
    failed: (problem) => witness.broken("the-world-itself", "wire", problem),
    posted: witness.posted,
    passing: traps.passing,
  });
  let journal = createMemoryJournal({ clock, appendDelayMs: 1 });
  let deletionBook = createDeletionBook({
    clock,
    isDiskFull: () => now() < world.diskFullUntil,
    trapped: (reference) => world.traps.appending(reference),
  });
  let lives = 0;
  const alarmed = new Set<string>();
  const begin = (): Life =>
    beginLife({
      ...{ clock, random: randomOf("bridge", lives), counters, http, journal: guarded(world, journal), deletionBook },
      // Worlds of both sorts, whatever is left out of them.
      settlement: script.seed % 2 === 0 ? "dual" : "single",
      oneCapture,
      writing: ({ id }) => traps.writing(id),
      heard: (terminal, what) => {
        if ("do" in what && what.do === "collect")
          witness.cardAskedFor(terminal, what.request.amount, what.request.currencyCode, what.request.decimals);
        history.note("terminal", () => `${terminal}: ${"do" in what ? `← ${what.do}` : `→ ${what.on}`}`);
      },
      alarmed: (payment) => alarmed.add(payment),
      failed: (problem) => witness.broken("the-product-itself", "bridge", problem),
    });
  let life: Life;
  const register = (name: string) => createRegister({ name, clock, witness, history, life: () => life });
  const registers = counters.map(({ id }) => register(id));
  const office = createOffice({ clock, witness, history, life: () => life });
  const enter = (): void => {
    life = begin();
    witness.restarted();
    void office.connect(life);
  };
  const world: World = {
    ...{
      clock,
      witness,
      history,
      counters,
      traffic,
      traps,
      registers,
      rival: register("rival"),
      office,
      deletions: [],
    },
    ...{ gatewayDownUntil: 0, diskFullUntil: 0 },
    currency: script.currency,
    sellElsewhere: ({ reference, does, amount }) => {
      const name = `${ELSEWHERE}${reference}`;
      traffic.intended(name, reference);
      backOffice.sell({ name, paymentType: does === "SALE" ? "DB" : "PA", amount });
    },
    phones: createPhones({ clock: trueClock, http, store, history, owner: traffic.ownerOfId }),
    kill: (keptAppends, downMs) => {
      if (!life.isAlive()) return;
      lives += 1;
      life.die();
      journal = journal.crash(keptAppends);
      deletionBook = deletionBook.crash(keptAppends);
      clock.after(downMs, enter);
    },
  };
  life = begin();
  void office.connect(life);
  const putInOrder = async (): Promise<void> => {
    let looked: number | undefined;
    void operate({ clock, witness, history, backOffice, alarmed, random: randomOf("operator"), life: () => life }).then(
      (count) => {
        looked = count;
      },
    );
    await clock.runUntil(() => looked !== undefined, AFTERMATH_MS);
    if (looked !== 0) await clock.advance(AFTERMATH_MS);
  };
  return {
    world,
    crashes: () => lives,
    goRound: () => goRound(world, life),
    putInOrder,
    readBack: () => readBack(world, life),
    remains: () => ({ journal, sandbox }),
  };
}

/** The journal with its disk's troubles and the crashes around an append. */
function guarded(world: World, journal: MemoryJournal): MemoryJournal {
  return {
    ...journal,
    append: (facts, at, row) => {
      if (world.clock.monotonic() < world.diskFullUntil)
        return Promise.reject(new JournalUnwritable("the journal cannot be written: the disk is full"));
      const trap = world.traps.appending(row.reference);
      if (trap?.durable === false) trap.spring();
      world.history.note("journal", () => `${row.reference}: ${facts.map(factText).join(", ")}`);
      for (const fact of facts) noteIntention(world.traffic, row.reference, fact);
      const appended = journal.append(facts, at, row);
      if (trap?.durable === true) trap.spring();
      return appended;
    },
  };
}

function noteIntention(traffic: Traffic, reference: string, fact: unknown): void {
  if (typeof fact !== "object" || fact === null || !("operation" in fact)) return;
  const { operation } = fact;
  if (typeof operation !== "object" || operation === null || !("merchantTransactionId" in operation)) return;
  traffic.intended(String(operation.merchantTransactionId), reference);
}

function factText(fact: unknown): string {
  return typeof fact === "object" && fact !== null && "fact" in fact ? String(fact.fact) : "?";
}

function rowOf(booking: Booking): Row {
  const {
    id,
    paymentType,
    amount = 0,
    currency,
    resultCode,
    referencedId,
    merchantTransactionId,
    receivedAt,
    hiddenUntil,
    registrationId,
  } = booking;
  const at = receivedAt - START;
  return {
    id,
    type: paymentType,
    amount,
    currency,
    code: resultCode,
    of: referencedId,
    registration: registrationId,
    request: merchantTransactionId,
    at,
    visibleAt: Math.max(at, (hiddenUntil ?? 0) - START),
    isSecond: id.startsWith(SECOND),
  };
}

/**
 * Comes an hour after the last sale: a terminal that hangs stays so past the unknown window, and not for the rest of
 * the week.
 */
function goRound(world: World, life: Life): void {
  void life.served.then((payments) => {
    for (const { id, state } of payments.terminals()) {
      const counter = state === "offline" ? world.counters.find((one) => one.id === id) : undefined;
      if (counter !== undefined) void powerCycle(world, counter);
    }
  });
}

async function readBack(world: World, life: Life): Promise<void> {
  const { clock, witness, history } = world;
  const reading = life.served.then(async (payments) => {
    for (const { asked, acceptedAt } of witness.evidence()) {
      const { reference, tip } = asked;
      const caller = { register: asked.register, all: false };
      const answer = await payments.get(caller, { reference });
      if (answer.ok) witness.told(reference, toldOf(answer.value));
      else if (acceptedAt !== undefined) witness.refused(reference, answer.refusal.code);
      const receipt = tip === undefined ? undefined : await payments.receipt(caller, { reference });
      if (receipt?.ok === true)
        witness.printed(
          reference,
          new Map(receiptLines(receipt.value, "customer", english).map(({ key, value }) => [key, value])),
        );
    }
    // The folder was never put back: no cursor may ever have proven that it was.
    for (const { last } of payments.rollbacks())
      witness.broken("accepted-stays", "bridge", `takes its folder for one that was put back to fact ${last}`);
    for (const { reference, registration, register } of world.deletions) {
      if (!witness.deletions.isTold(reference)) continue;
      const answer = await payments.deleteRegistration(register.caller, { reference, registration });
      if (answer.ok) witness.deletions.told(reference, answer.value);
    }
    return "read" as const;
  });
  await clock.settle();
  if ((await Promise.race([reading, clock.settle().then(() => "not read" as const)])) === "not read") {
    witness.broken("the-product-itself", "bridge", "does not answer in the end");
    history.note("checker", () => "the bridge does not answer in the end");
  }
}

function count(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
