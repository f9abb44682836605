import path from "node:path";
import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import { isInPart, type Row } from "./books.ts";
import { check, type Violation } from "./checker.ts";
import type { Dealer } from "./dealer.ts";
import { askAgain, askForDeletions, type Healing, heal, neverReady } from "./healing.ts";
import type { Counts } from "./misfortunes.ts";
import { startOperator } from "./operator.ts";
import type { Deletion, Entry, Word } from "./record.ts";
import { openRegister, type Register } from "./register.ts";
import { closeShop, openShop, type Shop } from "./shop.ts";
import { runTill } from "./till.ts";

/** What a run has come to so far, for whoever watches. */
export interface Progress {
  readonly entries: Entry[];
  readonly counts: Counts;
  /** Payments that are not at their end yet, by shop, once the healing has begun. */
  readonly open: Map<number, number>;
  connections: number;
}

export interface ShopResult {
  readonly violations: readonly Violation[];
  /** How each payment ended, with its kind and reason. */
  readonly endings: readonly { readonly kind: string; readonly ending: string; readonly reason: string }[];
  /** Of what the gateway did a part, by payment type. */
  readonly parts: readonly string[];
  readonly words: readonly Word[];
}

/** One after the other, because all their processes at once take long to start on a small machine. */
export async function openShops(count: number, folder: string): Promise<readonly Shop[]> {
  const shops: Shop[] = [];
  for (let number = 1; number <= count; number += 1)
    shops.push(await openShop(number, path.join(folder, `shop-${number}`)));
  return shops;
}

interface Day {
  /** Begins every reference. */
  readonly prefix: string;
  readonly dealer: Dealer;
  readonly progress: Progress;
  readonly healing: Healing;
  /** The operator's choices. */
  readonly random: SeededRandom;
}

/**
 * One shop's day: serves customers until there are none, heals everything, and compares what everybody says. Nothing of
 * the shop is left running.
 */
export async function runShop(shop: Shop, { prefix, dealer, progress, healing, random }: Day): Promise<ShopResult> {
  const { number } = shop;
  const entries: Entry[] = [];
  const deletions: Deletion[] = [];
  const operator = startOperator(shop, random, healing.patienceMs);
  const registers = shop.tokens.map(({ register, token }) => openRegister(register, token, shop.url));
  await Promise.all(
    shop.terminals.map((terminal, at) => {
      const register = registers[at % registers.length];
      if (register === undefined) throw new RangeError("a shop has registers");
      return runTill({
        shop,
        terminal,
        register,
        entries: both(entries, progress.entries),
        deletions,
        counts: progress.counts,
        dealer,
        prefix,
      });
    }),
  );
  await heal(shop, healing, (open) => void progress.open.set(number, open));
  progress.open.set(number, 0);
  const { words, problems } = await operator.end();
  const late = await comeTogether(registers, entries, deletions);
  progress.connections += registers.reduce((total, register) => total + register.connections(), 0);
  const rows = await shop.gateway.ledger();
  const [journal, listed, open] = [await shop.export(), await shop.list(), await shop.open()];
  await Promise.all(registers.map((register) => register.close()));
  await closeShop(shop);
  shop.keepLogs();
  const said = [
    ...registers.flatMap(({ name, problems }) => problems.map((problem) => ({ about: name, problem }))),
    ...processProblems(shop),
    ...late,
    ...problems,
  ];
  const endings = [...endingsOf(entries, journal), ...deletions.map(deletionEnding)];
  const violations = [
    ...check({ entries, deletions, journal, listed, open, words, rows }),
    ...said.map((one) => ({ ...one, rows: [] })),
  ];
  return { violations, endings, words, parts: rows.filter(isPartDone).map(({ paymentType }) => paymentType) };
}

function isPartDone(row: Row): boolean {
  return isInPart(row) && row.referencedId !== undefined;
}

/** One list that is the shop's, and one that whoever watches reads: both get what is pushed. */
function both(own: Entry[], all: Entry[]): Pick<Entry[], "push"> {
  return {
    push: (...added) => {
      all.push(...added);
      return own.push(...added);
    },
  };
}

async function comeTogether(
  registers: readonly Register[],
  entries: readonly Entry[],
  deletions: readonly Deletion[],
): Promise<readonly { about: string; problem: string }[]> {
  await Promise.all(registers.map((register) => askAgain(register, entries)));
  await Promise.all(registers.map((register) => askForDeletions(register, deletions)));
  const [register] = registers;
  const late = register === undefined ? [] : await neverReady(register);
  return late.map((problem) => ({ about: "terminals.list", problem }));
}

function processProblems({ bridge, gateway, terminals }: Shop): readonly { about: string; problem: string }[] {
  const processes = { bridge: bridge.surprises, sandbox: gateway.keeper.surprises };
  const ended = Object.entries(processes).flatMap(([about, surprises]) =>
    surprises.map((problem) => ({ about, problem })),
  );
  return [
    ...ended,
    ...terminals.flatMap(({ id, program }) =>
      program.err.map((line) => ({ about: id, problem: `the simulator said: ${line}` })),
    ),
  ];
}

function endingsOf(entries: readonly Entry[], journal: Awaited<ReturnType<Shop["export"]>>): ShopResult["endings"] {
  const byKey = new Map(journal.map((payment) => [payment.reference, payment] as const));
  return entries.map(({ reference, kind: type, by, refusals }) => {
    const kind = `${type}${BY[by]}`;
    const payment = byKey.get(reference);
    if (payment === undefined) return { kind, ending: "never accepted", reason: refusals.at(-1)?.code ?? "" };
    const { outcome, state, reason, capture } = payment;
    return { kind, ending: outcome ?? state, reason: reason?.code ?? (capture === "failed" ? "capture failed" : "") };
  });
}

const BY: Readonly<Record<Entry["by"], string>> = { card: "", link: " by a link", "stored-card": " by a stored card" };

function deletionEnding({ tellings }: Deletion): ShopResult["endings"][number] {
  return { kind: "deletion of a stored card", ending: tellings.at(-1)?.says ?? "never accepted", reason: "" };
}
