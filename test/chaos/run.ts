import path from "node:path";
import { check, type Exported } from "./checker.ts";
import type { Counts } from "./misfortunes.ts";
import type { Plan } from "./plan.ts";
import { later } from "./processes.ts";
import { type Entry, isAccepted } from "./record.ts";
import { Register } from "./register.ts";
import { openShop, type Shop } from "./shop.ts";
import { runTill } from "./till.ts";

const LOOK_MS = 2_000;
const HEARD_MS = 15_000;
const READY_MS = 90_000;
/** A terminal that restarts once a day says so; the bridge looks for it five minutes later. */
const RESTING_MS = 500_000;
const RESTING = /it comes back on its own$/;

/** What a run has come to so far. */
export interface Progress {
  readonly entries: Entry[];
  readonly counts: Counts;
  /** Payments that are not at their end yet, by shop, once the healing has begun. */
  readonly open: Map<number, number>;
}

export interface ShopResult {
  readonly violations: readonly string[];
  /** How each payment ended and why, with its kind. */
  readonly endings: readonly { readonly kind: string; readonly ending: string }[];
  readonly connections: number;
}

interface Day {
  readonly prefix: string;
  /** The customers of the run who have not come yet. */
  readonly plans: Plan[];
  readonly progress: Progress;
  readonly patienceMs: number;
}

/** One after the other: all their processes at once take long to start on a small machine. */
export async function openShops(count: number, folder: string): Promise<readonly Shop[]> {
  const shops: Shop[] = [];
  for (let number = 1; number <= count; number += 1)
    shops.push(await openShop(number, path.join(folder, `shop-${number}`)));
  return shops;
}

/** Serves customers until there are none, heals everything, and compares what everybody says. */
export async function runShop(shop: Shop, { prefix, plans, progress, patienceMs }: Day): Promise<ShopResult> {
  const registers = shop.tokens.map(({ register, token }) => new Register(register, token, shop.url));
  const tills = shop.terminals.flatMap((terminal, at) => {
    const register = registers[at % registers.length];
    return register === undefined ? [] : [{ terminal, register }];
  });
  await Promise.all(tills.map((till) => runTill({ ...progress, ...till, shop, plans, prefix })));
  const names = registers.map(({ name }) => name);
  const entries = progress.entries.filter(({ register }) => names.includes(register));
  await heal(shop, patienceMs, (open) => void progress.open.set(shop.number, open));
  await Promise.all(registers.map((register) => hearAll(register, entries)));
  const away = await Promise.all(registers.slice(0, 1).map(neverReady));
  const pages = await Promise.all(registers.map((each) => each.ask((client) => client.list({ limit: 500 }))));
  const payments = pages.flatMap((page) => page.payments);
  const [journal, listed, rows] = [await shop.export(), await shop.list(), await shop.sandbox.ledger()];
  await Promise.all(registers.map((register) => register.close()));
  await shop.close();
  const violations = [
    ...check({ entries, payments, journal, listed, rows }),
    ...registers.flatMap(({ name, problems }) => problems.map((problem) => `${name} ${problem}`)),
    ...away.flat(),
    ...shop.bridge.surprises,
  ];
  const connections = registers.reduce((total, register) => total + register.connections, 0);
  return { violations, endings: endingsOf(entries, journal), connections };
}

/** Nothing is in the way any more. Resolves when every payment came to its end, or when none has for too long. */
async function heal(shop: Shop, patienceMs: number, told: (open: number) => void): Promise<void> {
  // A sandbox that was killed has forgotten its faults.
  await shop.restartGateway(0);
  for (const terminal of shop.terminals) {
    await terminal.fault("plug");
    await terminal.fault("reboot");
    if ((await terminal.screen()).slot.card !== null) await terminal.pull();
  }
  // A new life queries at once for what the one before queried ever more seldom.
  await shop.bridge.kill();
  let least = Number.POSITIVE_INFINITY;
  for (let since = performance.now(); performance.now() - since < patienceMs; await later(LOOK_MS)) {
    const open = (await shop.export()).filter(isUnfinished).length;
    told(open);
    if (open === 0) return;
    if (open < least) since = performance.now();
    least = Math.min(least, open);
  }
}

function isUnfinished({ state, capture, voidedBy }: Exported): boolean {
  return state !== "FINAL" || (capture === "pending" && voidedBy === undefined);
}

/** A register asks for each of its payments once more, and hears by its cursor what it has missed. */
async function hearAll(register: Register, entries: readonly Entry[]): Promise<void> {
  const own = entries.filter((entry) => entry.register === register.name);
  for (const entry of own) await register.look(entry);
  const hasHeard = (entry: Entry): boolean =>
    !isAccepted(entry) || entry.tellings.some(({ via, state }) => via === "change" && state === "FINAL");
  for (const until = performance.now() + HEARD_MS; !own.every(hasHeard) && performance.now() < until; )
    await later(100);
}

/** Terminals that do not come back, each in one line. */
async function neverReady(register: Register): Promise<readonly string[]> {
  for (const since = performance.now(); ; await later(100)) {
    const away = (await register.ask((client) => client.terminals())).filter(({ state }) => state !== "ready");
    const patienceMs = away.every(({ reason = "" }) => RESTING.test(reason)) ? RESTING_MS : READY_MS;
    if (away.length > 0 && performance.now() - since < patienceMs) continue;
    return away.map(({ id, state, reason }) => `${id} is still ${state} after everything was healed: ${reason}`);
  }
}

function endingsOf(entries: readonly Entry[], journal: readonly Exported[]): ShopResult["endings"] {
  const ended = new Map(
    journal.map(({ reference, state, outcome = state, reason }) => [
      reference,
      reason === undefined ? outcome : `${outcome} (${reason.code})`,
    ]),
  );
  return entries.map(({ reference, kind }) => ({ kind, ending: ended.get(reference) ?? "never accepted" }));
}
