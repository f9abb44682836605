import { isoTime } from "../../kit/clock.ts";
import { oncePer } from "../../kit/once-per.ts";
import { type Granted, granted, type PaymentName, refused } from "../../payment/request.ts";
import { type CursorRead, JournalBroken, JournalUnwritable, type LostBooking, type Rollback } from "../ports.ts";
import type { PaymentsPorts } from "../service/service-ports.ts";

type RollbackPorts = Pick<
  PaymentsPorts,
  "journal" | "clock" | "pastMissing" | "rollbackConfirmed" | "broken" | "nameBegins"
>;

/** Detects that a data folder was put back to an earlier moment, and blocks payments until a technician confirms it. */
export interface RollbackWatch {
  /** A register has shown a cursor. The evidence is durable before this resolves. */
  shown(register: string, cursor: string): Promise<CursorRead>;
  /** Why no payment is accepted now; undefined if nothing blocks them. */
  refusal(): Granted<never> | undefined;
  /** Why this reference cannot be used: the gateway holds a booking of it that the restored folder has lost. */
  lostRefusal(of: PaymentName): Granted<never> | undefined;
  confirm(word: { readonly by: string; readonly reason: string }): Promise<Granted<Rollback>>;
}

/**
 * Forged cursors tolerated from a register before none counts. With unlimited guesses of the few digits
 * (journal/signed-cursor.ts), a register could close the shop.
 */
const INVENTED_AT_MOST = 3;

export function createRollbackWatch({
  journal,
  clock,
  pastMissing,
  rollbackConfirmed,
  broken,
  nameBegins,
}: RollbackPorts): RollbackWatch {
  const { cursors } = journal;
  const invented = new Map<string, Set<string>>();

  const isBelieved = (register: string): boolean => (invented.get(register)?.size ?? 0) < INVENTED_AT_MOST;
  const note = (register: string, cursor: string): void => {
    const known = invented.get(register) ?? new Set();
    if (known.size < INVENTED_AT_MOST) invented.set(register, known.add(cursor));
  };
  const notice = async (
    register: string,
    { number, generation }: Extract<CursorRead, { is: "rolled-back" }>,
    last: number,
  ): Promise<void> => {
    try {
      if (!(await cursors.notice({ register, at: isoTime(clock.now()), last, number, generation }))) return;
    } catch (cause) {
      // The rollback counts in this process anyway, and is written when a cursor shows it again. A full disk accepts no
      // payment either.
      if (!(cause instanceof JournalUnwritable)) throw cause;
      if (cause instanceof JournalBroken) broken("journal", cause);
    }
    pastMissing?.({ register, cursor: number, last, isProven: true });
  };
  return {
    shown: async (register, cursor) => {
      const read = cursors.read(cursor);
      if (read.is === "none" || read.is === "held" || read.is === "lost") return read;
      const last = await journal.lastNumber();
      if (read.is === "foreign") note(register, cursor);
      if (read.is === "rolled-back" && isBelieved(register)) await notice(register, read, last);
      else if (read.number > last) pastMissing?.({ register, cursor: read.number, last, isProven: false });
      return read;
    },
    refusal: () => {
      const open = cursors.rollbacks().at(-1);
      return open === undefined || open.confirmed !== undefined ? undefined : rolledBack(open);
    },
    lostRefusal: (of) => {
      const begins = nameBegins?.(of);
      const lost =
        begins === undefined
          ? undefined
          : lostBookings(cursors.rollbacks()).find((one) => one.merchantTransactionId?.startsWith(begins));
      return lost && usedBefore(of, lost);
    },
    confirm: async (word) => {
      try {
        const confirmed = await cursors.confirm({ at: isoTime(clock.now()), ...word });
        if (confirmed === undefined) return NOTHING_TO_CONFIRM;
        rollbackConfirmed?.(confirmed);
        return granted(confirmed);
      } catch (cause) {
        if (!(cause instanceof JournalUnwritable)) throw cause;
        if (cause instanceof JournalBroken) broken("journal", cause);
        return refused(
          "journal-unwritable",
          `this could not be written, so that nothing has changed: ${cause.message}`,
          "call-support",
        );
      }
    },
  };
}

const NOTHING_TO_CONFIRM = refused(
  "not-allowed",
  "the data folder was not seen to be put back to an earlier moment: there is nothing to confirm",
  "fix-request",
);

/** Bookings that moved money, or may have, and that this journal has lost. */
const lostBookings = oncePer((rollbacks: readonly Rollback[]) =>
  rollbacks
    .flatMap(({ restored }) => restored?.read?.bookings ?? [])
    .filter((one) => one.isOwn && one.is !== "refused"),
);

function usedBefore(
  { reference }: PaymentName,
  { id, paymentType, amount = "", currency = "", at = "" }: LostBooking,
): Granted<never> {
  const booking = [paymentType, amount, currency, at].filter((part) => part !== "").join(" ");
  const what = `reference "${reference}" was used before the data folder was restored from a backup: the gateway holds ${id} (${booking}) of it`;
  return refused(
    "reference-reused",
    `${what}; look there what became of it, and take a new reference for a new payment`,
    "call-support",
    "reference",
  );
}

function rolledBack({ shown, last, restored }: Rollback): Granted<never> {
  const [first] = shown;
  const who = first === undefined ? "a register" : `register "${first.register}"`;
  const what =
    restored === undefined
      ? `the data folder was put back to an earlier moment: ${who} has heard of payments after fact ${last} that are not in it`
      : `the data folder was restored from a backup of ${restored.madeAt}`;
  return refused(
    "data-folder-rolled-back",
    `${what}; nothing is accepted before a technician has confirmed that (posbridge rollbacks confirm --reason TEXT)`,
    "call-support",
  );
}
