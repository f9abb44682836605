import { type Clock, sleep } from "../../kit/clock.ts";
import { begin, evolve, isSettled } from "../../payment/machine.ts";
import type { Payment } from "../../payment/state.ts";
import { viewOf } from "../../payment/view.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import type { Journal, StoredFact } from "../ports.ts";
import { readFact, readPayment } from "./journal-replay.ts";

/** One change of one payment; the cursor is the number of the newest fact it shows. */
export interface Change {
  readonly cursor: number;
  readonly payment: PaymentView;
}

/** Changes on their way; `told` resolves when the past was told, or at the stop, and rejects where it could not be read. */
interface Followed {
  stop(): void;
  readonly told: Promise<void>;
}

/** What happened, in order, to whoever listens: first what the journal holds after a cursor, then live, without a gap or a repeat. */
export interface Feed {
  publish(change: Change): void;
  live(hear: (change: Change) => void): () => void;
  /** Tells everything up to the moment of the call; live changes follow by themselves. */
  follow(after: number, hear: (change: Change) => void): Followed;
}

/** Facts read from the journal at once while catching up. */
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
      // Live changes come in the order of their cursors; one of the prompt alone carries the newest of its payment and is passed on as it comes.
      const deafen = live((change) => (isTold ? hear(change) : early.push(change)));
      const tell = async (): Promise<void> => {
        const newest = new Map<string, number>();
        const heard = (change: Change): void => {
          newest.set(change.payment.id, change.cursor);
          hear(change);
        };
        const replayed = await replay(journal, clock, { after, hear: heard, isStopped: () => stopped });
        // What was shown meanwhile stands in no journal: a prompt of the newest that was replayed is told as well.
        for (const change of early) if (!stopped && (change.cursor > replayed || isPromptOf(change, newest))) hear(change);
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
  /** Nobody hears it any more: years of payments are not read for nobody. */
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
        // Years of settled payments are not kept in memory; one that comes up again is read again.
        if (isSettled(payment)) known.delete(stored.payment);
      }
      told = stored.number;
    }
    // Whoever listens must get a turn to pass on what it heard, or a long history fills its buffers.
    await sleep(clock, 0);
  }
}

/** A full page may end within a batch: its beginning then waits for the next page, unless there is nothing else on this one. */
function wholeBatches(page: readonly StoredFact[]): readonly StoredFact[] {
  const last = page.at(-1);
  if (page.length < PAGE || last === undefined) return page;
  const end = page.findLastIndex((stored) => stored.payment !== last.payment || stored.at !== last.at) + 1;
  return end === 0 ? page : page.slice(0, end);
}

/** Facts that were appended together are one change: same payment, same moment, consecutive numbers. */
function isLastOfBatch(stored: StoredFact, next: StoredFact | undefined): boolean {
  return next === undefined || next.payment !== stored.payment || next.at !== stored.at;
}

async function advance(journal: Journal, known: Map<string, Payment>, stored: StoredFact): Promise<Payment | undefined> {
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
