import type { Clock } from "../../kit/clock.ts";
import type { Random } from "../../kit/random.ts";
import { evolve, type Fact, isSettled } from "../../payment/machine.ts";
import { resolutionProblem } from "../../payment/request.ts";
import type { Payment } from "../../payment/state.ts";
import { createBudget } from "../gateway/query-budget.ts";
import { createSequence } from "../gateway/sequence.ts";
import { type Gateway, type Journal, JournalUnwritable } from "../ports.ts";
import { recall } from "../shell/journal-replay.ts";
import { type Mailbox, openMailbox } from "../shell/mailbox.ts";
import { createCommits } from "../shell/ordered-commits.ts";
import { rowOf } from "../shell/payment-row.ts";
import type { ResolvePorts } from "./resolve.ts";

interface AtRestPorts {
  readonly journal: Journal;
  readonly gateway: Pick<Gateway, "search" | "reaches">;
  readonly clock: Clock;
  readonly random: Random;
  /** The journal refused a write, or a payment broke: the order will not be carried out. */
  readonly failed: (cause: unknown) => void;
}

/**
 * Payments of a stopped bridge. Each records that its process ended, then the operator's decision. Its effects are left
 * to the next start.
 */
export function paymentsAtRest({ journal, gateway, clock, random, failed }: AtRestPorts): ResolvePorts {
  const commits = createCommits(journal);
  const sequence = createSequence();
  const quiet = {
    perform: () => () => undefined,
    appended: () => undefined,
    changed: () => undefined,
    settled: () => undefined,
    isCardIn: () => false,
  };
  const take = (payment: Payment, cursor: number): Mailbox => {
    // Nobody waits here until a full disk has room.
    const unwritable = (what: string): void => {
      mailbox.stop();
      failed(new JournalUnwritable(what));
    };
    const ports = {
      commits,
      clock,
      random,
      sequence,
      ...quiet,
      alarms: { raise: ({ what }: { readonly what: string }) => unwritable(what) },
    };
    const mailbox = openMailbox({ ...ports, broken: (_, cause) => failed(cause) }, payment, cursor);
    return mailbox;
  };
  return {
    ...{ journal, gateway, budget: createBudget(clock) },
    hold: () => ({ ok: true, letGo: () => undefined }),
    active: async () => {
      const known = await Promise.all((await journal.openPayments()).map((id) => recall(journal, id)));
      return known.flatMap((one) => (one === undefined ? [] : [one.payment]));
    },
    open: async (id, as) => {
      const known = await recall(journal, id);
      if (known === undefined || isSettled(known.payment)) return undefined;
      sequence.goOnAfter(await journal.lastSequenceNumber());
      const at = Math.max(clock.now(), known.payment.updatedAt);
      const gone: Fact = { fact: "interrupted", at };
      const payment = evolve(known.payment, gone);
      let { cursor } = known;
      // A refused resolution writes nothing.
      if (resolutionProblem(payment, at, as) === undefined) {
        await commits.append([gone], at, rowOf(payment), (last) => {
          cursor = last;
        });
      }
      return take(payment, cursor);
    },
  };
}
