import { createMemoryJournal, type MemoryJournal } from "../../src/journal/memory-journal.ts";
import { type Clock, sleep } from "../../src/kit/clock.ts";
import { type SeededRandom, seededRandom } from "../../src/kit/seeded-random.ts";
import type { PaymentView } from "../../src/payment/public.ts";
import type { StartRequest } from "../../src/payment/request.ts";
import type { Caller } from "../../src/register/ports.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { openSandboxStore } from "../../src/sandbox/store.ts";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.ts";
import { audit, type Told } from "./checkers.ts";
import { type Counter, createCounter } from "./counter.ts";
import { beginLife, ENTITY, type Life, TOKEN } from "./life.ts";
import { type Trouble, troubleOf } from "./trouble.ts";
import { wireTo } from "./wire.ts";

export interface WorldResult {
  readonly payments: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly troubles: Readonly<Record<string, number>>;
  readonly crashes: number;
  readonly virtualMs: number;
  readonly violations: readonly string[];
}

/** Every fourth till sells on a single-message channel. */
const TILLS = [
  { card: "visa-contact", settlement: "dual" },
  { card: "visa-contact-cvn18", settlement: "single" },
  { card: "mastercard-contact", settlement: "dual" },
  { card: "contact-declines-after-approval", settlement: "dual" },
] as const;
/** Long enough for every unknown window, every backoff and the last late look. */
const AFTERMATH_MS = 90 * 3_600_000;

interface World {
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly sandbox: Sandbox;
  readonly counters: readonly Counter[];
  readonly told: Told[];
  readonly failures: string[];
  readonly troubles: Record<string, number>;
  journal: MemoryJournal;
  life: Life;
  gatewayDownUntil: number;
  crashes: number;
  restart(kept: number): Promise<void>;
}

/** Sells `payments` times through the production code under a clock and a chance that the seed decides, then lets everything settle and checks the books. */
export async function runWorld(seed: number, payments: number): Promise<WorldResult> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 9));
  const random = seededRandom(seed);
  const sandbox = createSandbox({ clock, random, store: openSandboxStore(":memory:"), entities: [{ entityId: ENTITY, token: TOKEN }] });
  const counters = TILLS.map((till, at) => createCounter({ ...till, id: `till-${at}`, serialNumber: `1000000${at}`, clock, random }));
  const journal = createMemoryJournal({ clock, appendDelayMs: 1 });
  const failures: string[] = [];
  const http = wireTo(sandbox, clock, () => clock.monotonic() < world.gatewayDownUntil);
  const begin = (book: MemoryJournal): Promise<Life> =>
    beginLife({ clock, random, journal: book, http, counters, failed: (problem) => void failures.push(problem) });
  const world: World = {
    ...{ clock, random, sandbox, counters, told: [], failures, troubles: {}, journal, gatewayDownUntil: 0, crashes: 0 },
    life: await begin(journal),
    restart: async (kept) => {
      world.crashes += 1;
      world.life.die();
      world.journal = world.journal.crash(kept);
      world.life = await begin(world.journal);
    },
  };
  let left = payments;
  const tills = counters.map((counter, at) =>
    till(world, counter, () => {
      left -= 1;
      return left >= 0 ? `W-${at}-${left}` : undefined;
    }),
  );
  let done = false;
  void Promise.all(tills).then(() => {
    done = true;
  });
  await clock.runUntil(() => done, payments * 3_600_000);
  const sold = clock.monotonic();
  await clock.advance(AFTERMATH_MS);
  const found = await audit(world.told, sandbox.ledger(), world.life.payments, clock);
  return {
    payments: world.told.length,
    outcomes: count(found.outcomes),
    ...{ troubles: world.troubles, crashes: world.crashes, virtualMs: sold },
    violations: [...failures, ...found.violations],
  };
}

/** A register: one sale after another, each begun again with the same reference until the bridge has taken it, as registers do that lost their socket. */
async function till(world: World, counter: Counter, nextReference: () => string | undefined): Promise<void> {
  const caller: Caller = { register: counter.id, all: false };
  for (let reference = nextReference(); reference !== undefined; reference = nextReference()) {
    const told: Told = { reference, register: counter.id, amount: 100 + world.random.below(2_000), decisions: new Set(), last: undefined };
    world.told.push(told);
    const trouble = troubleOf(world.random);
    world.troubles[trouble.is] = (world.troubles[trouble.is] ?? 0) + 1;
    void makeTrouble(world, counter, caller, reference, trouble);
    await sell(world, counter, caller, told);
    await sleep(world.clock, 500);
  }
}

const request = (terminal: string, { reference, amount }: Told): StartRequest => ({
  ...{ reference, type: "SALE", terminal, currency: "EUR", amount, allowPartialApproval: false, queue: false, parameters: {} },
  fingerprint: `${terminal} ${reference} ${amount}`,
});

async function sell(world: World, counter: Counter, caller: Caller, told: Told): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const view = await within(world.clock, 200_000, attempt(world.life, counter, caller, told));
    if (view !== undefined) note(told, view);
    if (view?.decision !== undefined) return;
    await sleep(world.clock, 1_000);
    // A cashier whose terminal does not come back switches it off and on.
    if (tries % 60 === 59) await powerCycle(world.clock, counter);
  }
  const status = JSON.stringify(world.life.payments.terminals().find(({ id }) => id === counter.id));
  world.failures.push(`${told.reference}: not decided after 600 tries: ${told.last?.state ?? "never accepted"}, terminal ${status}`);
}

/** A call to a bridge that dies is never answered: the register's socket closes, here after a while. */
async function attempt({ payments }: Life, counter: Counter, caller: Caller, told: Told): Promise<PaymentView | undefined> {
  const started = await payments.start(caller, request(counter.id, told));
  if (!started.ok) return undefined;
  note(told, started.value.payment);
  const waited = await payments.wait(caller, { reference: told.reference }, "decision", 5_000);
  return waited.ok ? waited.value : undefined;
}

function note(told: Told, view: PaymentView): void {
  told.last = view;
  if (view.decision !== undefined) told.decisions.add(view.decision);
}

async function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, sleep(clock, ms).then(() => undefined)]);
}

async function makeTrouble(world: World, { terminal }: Counter, caller: Caller, reference: string, trouble: Trouble): Promise<void> {
  const { clock } = world;
  switch (trouble.is) {
    case "none":
      return;
    case "gateway": {
      const body = JSON.stringify({ on: { paymentType: trouble.paymentType }, times: 1, ...trouble.fault });
      const handled = await world.sandbox.handle({ method: "POST", path: "/sandbox/v1/faults", headers: { "content-type": "application/json" }, body });
      if (handled.is !== "reply" || handled.status !== 201) world.failures.push(`the sandbox refuses the fault ${body}`);
      return;
    }
    case "gateway-down":
      world.gatewayDownUntil = clock.monotonic() + trouble.forMs;
      return;
    case "crash":
      await sleep(clock, trouble.afterMs);
      return world.restart(trouble.kept);
    case "unplug":
      await sleep(clock, trouble.afterMs);
      if (terminal.plugged()) terminal.fault("unplug");
      await sleep(clock, trouble.forMs);
      if (!terminal.plugged()) terminal.fault("plug");
      return;
    case "line":
      if (!terminal.plugged()) return;
      terminal.fault(trouble.fault, trouble.after);
      return;
    case "card-pulled":
      await sleep(clock, trouble.afterMs);
      if (terminal.screen().slot.card !== null) terminal.removeCard();
      return;
    case "clock-set":
      await sleep(clock, trouble.afterMs);
      clock.setWall(clock.now() + trouble.byMs);
      return;
    case "cancel":
      await sleep(clock, trouble.afterMs);
      await world.life.payments.cancel(caller, { reference });
      return;
  }
}

async function powerCycle(clock: Clock, { terminal }: Counter): Promise<void> {
  if (!terminal.plugged()) terminal.fault("plug");
  terminal.fault("reboot");
  await sleep(clock, 2_000);
}

function count(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
