import { isoTime } from "../../kit/clock.ts";
import type { Fact } from "../../payment/machine.ts";
import type { Journal, PaymentRow } from "../ports.ts";

/**
 * The journal's appends, whose consequences are told in the order of the facts' numbers: a register resumes by the number of the last fact it heard of, so none with a
 * higher number may be told before it.
 */
export interface Commits {
  /** `done` runs once the facts are durable and everything appended before was told. Rejects as the journal does; `done` does not run then. */
  append(facts: readonly Fact[], at: number, row: PaymentRow, done: (last: number) => void): Promise<void>;
}

interface Ticket {
  /** Set when the journal has answered: what is to be told, or nothing where it refused. */
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
