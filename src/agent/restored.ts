import type { Configuration } from "../config/configuration.ts";
import type { ControlReply } from "../control/methods.ts";
import { type LostRead, readLostBookings } from "../engine/gateway/lost-bookings.ts";
import { type SinceBackup, sinceBackup } from "../engine/gateway/since-backup.ts";
import { undecidedIn } from "../engine/operator/close-undecided.ts";
import type { CursorBook, Journal, LostBooking, LostBookings, NameBegins, UntoldEntity } from "../engine/ports.ts";
import { reachedBy } from "../gateway/other-gateway.ts";
import { JournalRefused } from "../journal/refusal.ts";
import { markOfBridge } from "../journal/signed-cursor.ts";
import { openJournal } from "../journal/sqlite-journal.ts";
import { isoTime } from "../kit/clock.ts";
import { currencyOf, formatAmount } from "../kit/money.ts";
import { systemClock } from "../kit/system-clock.ts";
import { systemRandom } from "../kit/system-random.ts";
import { addressesOf, openLister } from "./gateway.ts";
import { openRollback } from "./rollback.ts";
import { openPairedStore } from "./roster.ts";

/** Facts for a technician before a restored folder sells again. */
export interface RestoredReport {
  readonly madeAt: string;
  readonly bookings: readonly LostBooking[];
  readonly untold: readonly UntoldEntity[];
  /** Payments that were undecided when the backup was made. */
  readonly undecided: readonly {
    readonly register: string;
    readonly reference: string;
    readonly type: string;
    readonly amount: string;
  }[];
}

/** Limit of foreign bookings kept in the journal; all are printed. */
const OTHERS_KEPT = 1000;

const NOT_RESTORED =
  "this data folder was not restored from a backup, or that is confirmed already: there is nothing to read";

/**
 * Lists the gateway's bookings since the backup and keeps them in the journal for the confirmation. Rejects with
 * JournalRefused if a daemon holds the folder.
 */
export async function readRestored(
  configuration: Configuration,
  progress: (entityId: string, part: number) => void,
): Promise<ControlReply<RestoredReport>> {
  const clock = systemClock;
  const { dataDir, environment } = configuration;
  const journal = await openJournal({ clock, random: systemRandom, dataDir, environment });
  const { lister, close } = openLister(configuration, clock);
  try {
    const restored = openRollback(journal.cursors)?.restored;
    if (restored === undefined) return { ok: false, message: NOT_RESTORED };
    const [from, to] = [Date.parse(restored.madeAt), clock.now()];
    const { bridge, nameBegins } = journal;
    const ports = { lister, journal, clock, mark: markOfBridge(bridge), nameBegins, progress };
    const read = await readLostBookings(ports, { ...entitiesOf(configuration, await journal.channels()), from, to });
    if (!read.ok) return { ok: false, message: notRead(read) };
    const { bookings, untold } = read;
    const kept: LostBookings = {
      at: isoTime(clock.now()),
      from: isoTime(from),
      to: isoTime(to),
      bookings: keptOf(bookings),
      untold,
    };
    await journal.cursors.lost(kept);
    return {
      ok: true,
      value: {
        madeAt: restored.madeAt,
        bookings,
        untold,
        undecided: await undecidedOf(journal, sinceBackup(kept, nameBegins)),
      },
    };
  } finally {
    await close();
    await journal.close();
  }
}

/** Keeps all bookings of this bridge, and a readable number of foreign ones. */
function keptOf(bookings: readonly LostBooking[]): readonly LostBooking[] {
  let others = 0;
  return bookings.filter(({ isOwn, of }) => {
    if (isOwn || of !== undefined) return true;
    others += 1;
    return others <= OTHERS_KEPT;
  });
}

function notRead({ why, description }: Extract<LostRead, { ok: false }>): string {
  if (why === "no-answer") return `the gateway did not tell what it has booked since the backup: ${description}`;
  return `the gateway does not tell what it has booked in a time (${description}): have queries by time enabled, or look in its back office and confirm with --unread`;
}

/** Entities of the file and of paired terminals, and former ones, which still get refunds. */
export function entitiesOf(
  { dataDir, gateway, terminals }: Pick<Configuration, "dataDir" | "gateway" | "terminals">,
  channels: Awaited<ReturnType<Journal["channels"]>>,
): { readonly entities: readonly string[]; readonly formerEntities: readonly string[] } {
  const paired = openPairedStore(dataDir)
    .book()
    .paired.flatMap(({ terminal }) => (terminal.entityId === undefined ? [] : [terminal.entityId]));
  const entities = new Set([gateway.entityId, ...terminals.map(({ entityId }) => entityId), ...paired]);
  const former = channels.filter(reachedBy(addressesOf(gateway))).map(({ entityId }) => entityId);
  return {
    entities: [...entities],
    formerEntities: [...new Set(former)].filter((entityId) => !entities.has(entityId)),
  };
}

async function undecidedOf(
  journal: Pick<Journal, "openPayments" | "facts">,
  since: SinceBackup,
): Promise<RestoredReport["undecided"]> {
  return (await undecidedIn(journal, since)).map(({ accepted: { register, reference, type, amount, currency } }) => {
    const known = currencyOf(currency);
    return {
      register,
      reference,
      type,
      amount: `${known === undefined ? amount : formatAmount(amount, known)} ${currency}`,
    };
  });
}

type RestoredJournal = Pick<Journal, "openPayments" | "facts"> & {
  readonly cursors: Pick<CursorBook, "rollbacks">;
  readonly nameBegins: NameBegins;
};

/** Why a restored folder cannot be confirmed yet; undefined: it can. */
export async function confirmProblem(journal: RestoredJournal, isUnread: boolean): Promise<string | undefined> {
  const restored = openRollback(journal.cursors)?.restored;
  if (restored === undefined) return undefined;
  const { read } = restored;
  if (read === undefined && !isUnread)
    return "the gateway was not asked yet what it has booked since the backup: posbridge rollbacks read --config FILE; where it cannot tell, look in its back office and say --unread";
  const untold = (read?.untold ?? []).map(({ entityId }) => entityId).join(", ");
  if (untold !== "" && !isUnread)
    return `the gateway does not tell what it has booked of ${untold}: look in its back office and say --unread`;
  const undecided = await undecidedIn(journal, sinceBackup(read, journal.nameBegins));
  if (undecided.length === 0) return undefined;
  const names = undecided
    .map(({ accepted }) => `"${accepted.reference}" of register "${accepted.register}"`)
    .join(", ");
  return `it was not decided yet when the backup was made: ${names}; say what became of each first (posbridge resolve), because the bridge would end it as not approved, and reverse what it finds booked of it`;
}

/**
 * Refuses an unconfirmed restored folder: nothing may be sold from it, and no booking reversed that a register may know
 * as approved.
 */
export function requireConfirmed(cursors: Pick<CursorBook, "rollbacks">, dataDir: string): void {
  const restored = openRollback(cursors)?.restored;
  if (restored === undefined) return;
  const next =
    restored.read === undefined
      ? "ask the gateway what it booked since: posbridge rollbacks read --config FILE"
      : "see what the gateway booked since: posbridge rollbacks list --json --config FILE";
  const what = `${dataDir} was restored from a backup of ${restored.madeAt}, and nobody has confirmed that nothing is sold twice`;
  throw new JournalRefused(
    "unconfirmed",
    `${what}; ${next}; close those sales in the registers; then: posbridge rollbacks confirm --reason TEXT --config FILE (docs/backup.md)`,
  );
}
