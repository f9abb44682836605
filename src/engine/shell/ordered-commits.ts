import { isoTime } from "../../kit/clock.ts";
import type { Fact } from "../../payment/machine.ts";
import type { Journal, PaymentRow } from "../ports.ts";

/**
 * Publishes appends in the order of fact numbers: a register resumes from its last number, so it must not hear a higher
 * one first.
 */
export interface Commits {
  /**
   * `done` runs once the facts are durable and all earlier appends were published. Rejects as the journal does, without
   * running `done`.
   */
  append(facts: readonly Fact[], at: number, row: PaymentRow, done: (last: number) => void): Promise<void>;
}

interface Ticket {
  /** Set by the journal's answer: publishes the append, or rejects it. */
  tell: (() => void) | undefined;
}

export function createCommits(journal: Journal): Commits {
  const line: Ticket[] = [];
  const serve = (): void => {
    for (let first = line[0]; first?.tell !== undefined; first = line[0]) {
      line.shift();
      first.tell();
    }
  };
  return {
    append: (facts, at, row, done) => {
      const ticket: Ticket = { tell: undefined };
      line.push(ticket);
      return new Promise((resolve, reject) => {
        const answered = (tell: () => void): void => {
          ticket.tell = tell;
          serve();
        };
        journal.append(facts, isoTime(at), row).then(
          ({ last }) =>
            answered(() => {
              done(last);
              resolve();
            }),
          (cause: unknown) => answered(() => reject(cause)),
        );
      });
    },
  };
}
