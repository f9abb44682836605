import { askDeletion, isKnown } from "./deletion.ts";
import type { JournalPayment } from "./journal.ts";
import { later } from "./processes.ts";
import { type Deletion, type Entry, isAccepted } from "./record.ts";
import { look, type Register } from "./register.ts";
import type { Shop } from "./shop.ts";

const LOOK_MS = 2_000;
const READY_MS = 90_000;
/**
 * One that starts anew every day says so three minutes before, and five after that the bridge looks whether it is back.
 */
const RESTING_MS = 500_000;
const RESTING = /it comes back on its own$/;
const HEARD_MS = 15_000;

export interface Healing {
  /** How long nothing may get better before what is still open counts. */
  readonly patienceMs: number;
  /** The bridge is killed once more: what it looks for ever more seldom is looked for at once then. */
  readonly restarts: boolean;
}

/**
 * Nothing is in the way any more, and nothing new happens. Resolves when every payment came to its end, or when none
 * has for too long.
 */
export async function heal(
  { gateway, terminals, bridge, ...shop }: Shop,
  { patienceMs, restarts }: Healing,
  told: (open: number) => void,
): Promise<void> {
  await gateway.heal();
  await Promise.all(terminals.map((terminal) => terminal.mend()));
  if (restarts) await bridge.kill();
  let least = Number.POSITIVE_INFINITY;
  let since = performance.now();
  for (;;) {
    const open = await openPayments(shop);
    told(open);
    if (open === 0) return;
    if (open < least) since = performance.now();
    least = Math.min(least, open);
    if (performance.now() - since > patienceMs) return;
    await later(LOOK_MS);
  }
}

/**
 * What the journal lists as open is not all unfinished: a booking that was never found is looked for again for days,
 * and a capture that failed stays until somebody cares. A
 * capture is counted with the payments that are not final, or nothing would seem to get better when one is through and
 * its capture is to follow; and so is a link by which
 * somebody has paid, for as long as a second booking of it is looked for or taken back.
 */
async function openPayments(shop: Pick<Shop, "open" | "export">): Promise<number> {
  const open = new Set((await shop.open()).map(({ id }) => id));
  if (open.size === 0) return 0;
  return (await shop.export()).filter(
    (payment) => isUnfinished(payment) || (open.has(payment.id) && isPaidByLink(payment)),
  ).length;
}

function isUnfinished({ state, capture, voidedBy }: JournalPayment): boolean {
  return state !== "FINAL" || (capture === "pending" && voidedBy === undefined);
}

function isPaidByLink({ type, terminal, registration, outcome, lateBooking }: JournalPayment): boolean {
  return (
    type === "SALE" && terminal === "" && registration === undefined && (outcome === "APPROVED" || lateBooking === true)
  );
}

/** The bridge asks the gateway ever more seldom, so that it may take a while. */
const DELETED_MS = 90_000;

/** Every deletion that somebody was told about has come to its end. */
export async function askForDeletions(register: Register, deletions: readonly Deletion[]): Promise<void> {
  const own = deletions.filter((deletion) => deletion.register === register.name && deletion.tellings.length > 0);
  await Promise.all(
    own.filter((deletion) => !isKnown(deletion)).map((deletion) => askDeletion(register, deletion, DELETED_MS)),
  );
  // What was told once stands.
  for (const deletion of own) await askDeletion(register, deletion, 0);
}

/** Every register asks for each of its payments once more, and hears by its cursor what it has missed. */
export async function askAgain(register: Register, entries: readonly Entry[]): Promise<void> {
  const own = entries.filter((entry) => entry.register === register.name);
  for (const entry of own) await look(register, entry);
  const hasHeard = (entry: Entry): boolean =>
    !isAccepted(entry) || entry.tellings.some(({ via, state }) => via === "change" && state === "FINAL");
  const until = performance.now() + HEARD_MS;
  while (!own.every(hasHeard) && performance.now() < until) await later(ASK_MS);
}

const ASK_MS = 100;

/** Terminals that do not come back, each in one line. */
export async function neverReady(register: Register): Promise<readonly string[]> {
  const since = performance.now();
  for (;;) {
    const { value } = await register.ask((client) => client.terminals());
    const away = value.filter(({ state }) => state !== "ready");
    if (away.length === 0) return [];
    const patienceMs = away.every(({ reason = "" }) => RESTING.test(reason)) ? RESTING_MS : READY_MS;
    if (performance.now() - since > patienceMs)
      return away.map(
        ({ id, state, reason }) =>
          `${id} is still ${state} after everything was healed${reason === undefined ? "" : `: ${reason}`}`,
      );
    await later(ASK_MS);
  }
}
