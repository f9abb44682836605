import { type Clock, sleep } from "../../kit/clock.ts";
import { begin, evolve, isSettled } from "../../payment/machine.ts";
import type { Payment } from "../../payment/state.ts";
import { viewOf } from "../../payment/view.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import type { Journal, StoredFact } from "../ports.ts";
import { readFact, readPayment } from "./journal-replay.ts";

/** A change of one payment; the cursor is the number of its newest fact. */
export interface Change {
  readonly cursor: number;
  readonly payment: PaymentView;
}

/**
 * Changes being sent. `told` resolves when past changes were sent, or at the stop; rejects if they could not be read.
 */
interface Followed {
  stop(): void;
  readonly told: Promise<void>;
}

/**
 * Changes in order for each listener: first those in the journal after a cursor, then live ones, without a gap or
 * repeat.
 */
export interface Feed {
  publish(change: Change): void;
  live(hear: (change: Change) => void): () => void;
  /** Sends all changes up to the call; live changes follow. */
  follow(after: number, hear: (change: Change) => void): Followed;
}

/** Facts read at once while catching up. */
const PAGE = 500;

export function createFeed(journal: Journal, clock: Clock): Feed {
  const ears = new Set<(change: Change) => void>();
  const live = (hear: (change: Change) => void): (() => void) => {
    ears.add(hear);
    return () => ears.delete(hear);
  };
  return {
    publish: (change) => {
      for (const hear of ears) hear(change);
    },
    live,
    follow: (after, hear) => {
      const early: Change[] = [];
      let isTold = false;
      let stopped = false;
      // Live changes arrive in cursor order. A change of the prompt alone repeats its payment's newest cursor, and is
      // passed on as it comes.
      const deafen = live((change) => (isTold ? hear(change) : early.push(change)));
      const tell = async (): Promise<void> => {
        const newest = new Map<string, number>();
        const heard = (change: Change): void => {
          newest.set(change.payment.id, change.cursor);
          hear(change);
        };
        const replayed = await replay(journal, clock, { after, hear: heard, isStopped: () => stopped });
        // Prompts are not in the journal: also send a prompt of the newest replayed change.
        for (const change of early)
          if (!stopped && (change.cursor > replayed || isPromptOf(change, newest))) hear(change);
        isTold = true;
      };
      const stop = (): void => {
        stopped = true;
        deafen();
      };
      return { stop, told: tell() };
    },
  };
}

function isPromptOf({ cursor, payment }: Change, newest: ReadonlyMap<string, number>): boolean {
  return payment.prompt !== undefined && newest.get(payment.id) === cursor;
}

interface Reader {
  readonly after: number;
  hear(change: Change): void;
  /** True once the listener left: stop reading the history then. */
  isStopped(): boolean;
}

async function replay(journal: Journal, clock: Clock, { after, hear, isStopped }: Reader): Promise<number> {
  const known = new Map<string, Payment>();
  let told = after;
  for (;;) {
    const page = isStopped() ? [] : wholeBatches(await journal.after(told, PAGE));
    if (page.length === 0) return told;
    for (const [at, stored] of page.entries()) {
      const payment = await advance(journal, known, stored);
      if (isStopped()) return told;
      if (payment !== undefined && isLastOfBatch(stored, page[at + 1])) {
        hear({ cursor: stored.number, payment: viewOf(payment) });
        // Settled payments are dropped from memory; one that appears again is read again.
        if (isSettled(payment)) known.delete(stored.payment);
      }
      told = stored.number;
    }
    // Listeners need a turn to pass on changes, or a long history fills their buffers.
    await sleep(clock, 0);
  }
}

/** A full page may end within a batch. The batch then waits for the next page, unless it fills this one. */
function wholeBatches(page: readonly StoredFact[]): readonly StoredFact[] {
  const last = page.at(-1);
  if (page.length < PAGE || last === undefined) return page;
  const end = page.findLastIndex((stored) => stored.payment !== last.payment || stored.at !== last.at) + 1;
  return end === 0 ? page : page.slice(0, end);
}

/** Facts appended together are one change: same payment, same time, consecutive numbers. */
function isLastOfBatch(stored: StoredFact, next: StoredFact | undefined): boolean {
  return next === undefined || next.payment !== stored.payment || next.at !== stored.at;
}

async function advance(
  journal: Journal,
  known: Map<string, Payment>,
  stored: StoredFact,
): Promise<Payment | undefined> {
  const before = known.get(stored.payment) ?? (await stateBefore(journal, stored));
  const fact = readFact(stored);
  const payment = fact.fact === "accepted" ? begin(fact) : before && evolve(before, fact);
  if (payment !== undefined) known.set(stored.payment, payment);
  return payment;
}

async function stateBefore(journal: Journal, { payment, number }: StoredFact): Promise<Payment | undefined> {
  const facts = await journal.facts(payment);
  return readPayment(facts.filter((fact) => fact.number < number))?.payment;
}
