import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import type { Figures, Of } from "../figures.ts";
import { generateJournal } from "../journal/generate.ts";
import { moment } from "../moment.ts";
import { type BenchShop, deviceOf, openBenchShop } from "../shop/shop.ts";
import { type BridgePlace, commandOf, prepareBridge, type RunningBridge, startBridge } from "../sides/bridge.ts";
import { type BenchRegister, openRegister } from "../sides/register.ts";
import { residentMb } from "../sides/started.ts";
import { terminalsReady } from "./world.ts";

export interface HistoryOn {
  readonly folder: string;
  readonly program: string | undefined;
  /** Payments of the long journal; undefined: the usual one alone is measured. */
  readonly payments: number | undefined;
  /** A data folder with a long journal that was generated before. */
  readonly dataDir: string | undefined;
  readonly rounds: number;
  readonly withExport: boolean;
  readonly figures: Figures;
  readonly progress: (text: string) => void;
}

export const USUAL_PAYMENTS = 1_000;
const DAY_MS = 86_400_000;
/** After the start, until memory is looked at. */
const CALM_MS = 2_000;

interface Place {
  /** `bridge` is the long journal and `bare` the usual one; where there is none, the usual one stands alone. */
  readonly of: Of;
  readonly payments: number;
  readonly place: BridgePlace;
}

/** A journal of the usual size and a long one, by turns, each start a process of its own. */
export async function measureHistory(on: HistoryOn): Promise<void> {
  const { folder, figures, progress, payments, rounds } = on;
  const sizes = payments === undefined ? [USUAL_PAYMENTS] : [payments, USUAL_PAYMENTS];
  const sides = sizes.map((size) => ({ name: `j${size}`, entityId: "8a8294174b7ecb28014b9699220015ca", terminals: 1 }));
  const shop = await openBenchShop(folder, sides);
  const places: Place[] = [];
  for (const [at, size] of sizes.entries()) places.push(await placeOf(on, shop, at === 0 ? "bridge" : "bare", size));
  for (let round = 0; round < rounds; round += 1)
    for (const each of places) {
      progress(`${each.payments} payments, round ${round + 1} of ${rounds}`);
      const bridge = await startBridge(each.place, on.program);
      figures.add("start", each.of, bridge.tookMs);
      await new Promise((later) => setTimeout(later, CALM_MS));
      figures.add("memory", each.of, residentMb(bridge.pid));
      await measureCalls(each, bridge, figures, round);
      measureCommands(each, on, round);
      await bridge.stop();
    }
  await shop.close();
}

async function placeOf(on: HistoryOn, shop: BenchShop, of: Of, payments: number): Promise<Place> {
  const { folder, figures, progress } = on;
  const isGiven = on.dataDir !== undefined && payments !== USUAL_PAYMENTS;
  const dataDir =
    isGiven && on.dataDir !== undefined ? path.resolve(on.dataDir) : path.join(folder, `data-${payments}`);
  if (!fs.existsSync(path.join(dataDir, "journal.db")))
    await generateJournal({
      ...{ dataDir, payments, seed: 1, clock: systemClock, random: systemRandom },
      progress: (done) => progress(`${done} of ${payments} payments are written`),
    });
  figures.add("journal-bytes", of, folderBytes(dataDir) / payments);
  const side = { name: `j${payments}`, entityId: "8a8294174b7ecb28014b9699220015ca", terminals: 1 };
  const place = prepareBridge(path.join(folder, side.name), {
    ...{ dataDir, gateway: shop.url, entityId: side.entityId, devices: [deviceOf(shop, side, 1)] },
  });
  return { of, payments, place };
}

function folderBytes(folder: string): number {
  const entries = fs.readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0);
}

async function measureCalls(
  { of, payments, place }: Place,
  bridge: RunningBridge,
  figures: Figures,
  round: number,
): Promise<void> {
  const own = await openRegister(bridge.url, place.token);
  const office = await openRegister(bridge.url, place.officeToken);
  const other = await openRegister(bridge.url, place.token);
  await terminalsReady(own, 1);
  const day = yesterday();
  const timed = async (row: string, register: BenchRegister, method: string, params: object): Promise<void> => {
    const began = moment();
    await register.call(method, params);
    figures.add(row, of, moment() - began);
  };
  // The first call of each kind compiles and fills caches.
  for (const method of ["payment.list", "totals.get"]) await own.call(method, method === "totals.get" ? day : {});
  const waited = waitsOf(other);
  for (let n = 0; n < 5; n += 1) await timed("list-own", own, "payment.list", { limit: 50 });
  for (let n = 0; n < 2; n += 1) await timed("totals-own", own, "totals.get", day);
  figures.add("other-till", of, await waited());
  for (let n = 0; n < 5; n += 1) await timed("list-all", office, "payment.list", { limit: 50 });
  for (let n = 0; n < 2; n += 1) await timed("totals-all", office, "totals.get", day);
  for (let n = 0; n < 10; n += 1) await timed("get", own, "payment.get", { reference: newest(payments, n) });
  for (let n = 0; n < 5; n += 1) {
    const reference = `history-${process.pid}-${round}-${n}`;
    const start = { reference, type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" };
    await timed("start-call", own, "payment.start", start);
    await own.until(reference, ({ state }) => state === "FINAL");
    await terminalsReady(own, 1);
  }
  for (const register of [own, office, other]) register.close();
}

function yesterday(): { readonly from: string; readonly to: string } {
  const today = systemClock.now() - (systemClock.now() % DAY_MS);
  return { from: new Date(today - DAY_MS).toISOString(), to: new Date(today).toISOString() };
}

/** Asks for something small again and again; what is returned ends that, and tells the longest wait. */
function waitsOf(register: BenchRegister): () => Promise<number> {
  let isOver = false;
  let longest = 0;
  const asking = (async () => {
    while (!isOver) {
      const began = moment();
      await register.call("session.ping", {});
      longest = Math.max(longest, moment() - began);
      // Below the calls that a socket may make in a second.
      await new Promise((later) => setTimeout(later, 25));
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return longest;
  };
}

/** Generated payments of register-1. */
const newest = (payments: number, n: number): string => `R-${payments - 50 - n}`;

function measureCommands(
  { of, payments, place }: Place,
  { program, figures, withExport }: HistoryOn,
  round: number,
): void {
  const run = (row: string, ...argv: readonly string[]): void => {
    const [command = "", ...first] = commandOf(program);
    const began = moment();
    const { status, stderr } = spawnSync(command, [...first, "payments", ...argv, "--config", place.configFile], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (status !== 0) throw new Error(`payments ${argv.join(" ")}: ${stderr}`);
    figures.add(row, of, moment() - began);
  };
  run("show", "show", newest(payments, 0), "--register", "register-1");
  run("list-command", "list");
  if (withExport && round === 0) run("export", "export");
}
