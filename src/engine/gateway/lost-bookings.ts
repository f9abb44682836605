import { type Clock, isoTime, sleep } from "../../kit/clock.ts";
import type { Payment } from "../../payment/state.ts";
import { decisionOf } from "../../payment/view.ts";
import type { Journal, Listed, Lister, LostBooking, NameBegins, UntoldEntity } from "../ports.ts";
import { recall } from "../shell/journal-replay.ts";

/** Extra time at both ends: the specification names no time zone for a time frame, and clocks differ. */
const MARGIN_MS = 15 * 3_600_000;
/** A booking of no known payment counts only from this long before the backup. */
const CLOCKS_MS = 3_600_000;
/** The gateway takes two queries a minute from an entity (gateway-facts 2.5). */
const QUERIES = 2;
const WINDOW_MS = 62_000;
const THROTTLED_MOST = 10;
/** The shortest time frame: date.from and date.to are whole seconds. */
const SHORTEST_MS = 1_000;

export interface LostPorts {
  readonly lister: Lister;
  readonly journal: Pick<Journal, "byMerchantTransactionId" | "byGatewayId" | "openPayments" | "facts">;
  readonly clock: Clock;
  /** Start of the names of all requests of this bridge. */
  readonly mark: string;
  readonly nameBegins: NameBegins;
  /** Called before each query with the entity and the part of the time frame read, 0 to 1. */
  readonly progress?: (entityId: string, part: number) => void;
}

/** From and to: epoch milliseconds. */
export interface LostPeriod {
  readonly entities: readonly string[];
  /** Entities known only from the journal: the gateway may refuse to list them. */
  readonly formerEntities: readonly string[];
  readonly from: number;
  readonly to: number;
}

export type LostRead =
  | { readonly ok: true; readonly bookings: readonly LostBooking[]; readonly untold: readonly UntoldEntity[] }
  | { readonly ok: false; readonly why: "no-answer" | "refused"; readonly description: string };

/**
 * Reads bookings made since a backup that the restored journal does not know, and bookings of payments undecided at
 * that time.
 */
export async function readLostBookings(ports: LostPorts, period: LostPeriod): Promise<LostRead> {
  const found: LostBooking[] = [];
  const untold: UntoldEntity[] = [];
  const known = { ...ports, open: await openPayments(ports) };
  for (const entityId of [...period.entities, ...period.formerEntities]) {
    const listed = await listAll(ports, entityId, period);
    if ("why" in listed) {
      const { why, description } = listed;
      if (why !== "refused" || period.entities.includes(entityId))
        return { ...listed, description: `entity ${entityId}: ${description}` };
      untold.push({ entityId, description });
      continue;
    }
    const unique = new Map(listed.bookings.map((one) => [one.id, one]));
    for (const one of unique.values()) {
      const lost = await lostOf(known, one, period.from);
      if (lost !== undefined) found.push({ ...lost, entityId });
    }
  }
  return { ok: true, bookings: found.toSorted((a, b) => ((a.at ?? "") < (b.at ?? "") ? -1 : 1)), untold };
}

/** A payment open at the time of the backup, and the start of its request names. */
interface OpenPayment {
  readonly payment: Payment;
  readonly begins: string;
}

async function openPayments({ journal, nameBegins }: LostPorts): Promise<readonly OpenPayment[]> {
  const known = await Promise.all((await journal.openPayments()).map((id) => recall(journal, id)));
  return known.flatMap((one) =>
    one === undefined ? [] : [{ payment: one.payment, begins: nameBegins(one.payment.accepted) }],
  );
}

type ListedAll = { readonly bookings: readonly Listed[] } | Extract<LostRead, { ok: false }>;

/** A list that may be cut off is queried again in two halves. */
async function listAll(ports: LostPorts, entityId: string, period: LostPeriod): Promise<ListedAll> {
  const [start, end] = [wholeSecond(period.from - MARGIN_MS), wholeSecond(period.to + MARGIN_MS)];
  const ask = paced(ports, entityId);
  const waiting = [{ from: start, to: end }];
  const bookings: Listed[] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { from, to } = next;
    ports.progress?.(entityId, (from - start) / (end - start));
    const listing = await ask(from, to);
    if (listing.is !== "listed") {
      const description =
        listing.is === "throttled"
          ? "it is asked too often, by this bridge or by others of the same entity"
          : listing.description;
      return { ok: false, why: listing.is === "refused" ? "refused" : "no-answer", description };
    }
    if (!listing.isFull) bookings.push(...listing.bookings);
    else if (to - from < SHORTEST_MS)
      return { ok: false, why: "refused", description: `its list of ${isoTime(from)} is cut off` };
    else {
      const middle = wholeSecond((from + to) / 2);
      waiting.unshift({ from, to: middle }, { from: middle + SHORTEST_MS, to });
    }
  }
  return { bookings };
}

const wholeSecond = (epochMs: number): number => Math.floor(epochMs / 1000) * 1000;

/** Limits the queries to two a minute; repeats a throttled one after a minute. */
function paced(
  { lister, clock }: LostPorts,
  entityId: string,
): (from: number, to: number) => ReturnType<Lister["list"]> {
  const asked: number[] = [];
  const once = async (from: number, to: number): ReturnType<Lister["list"]> => {
    const before = asked.at(-QUERIES);
    const waitMs = before === undefined ? 0 : before + WINDOW_MS - clock.monotonic();
    if (waitMs > 0) await sleep(clock, waitMs);
    asked.push(clock.monotonic());
    return lister.list(entityId, from, to);
  };
  return async (from, to) => {
    for (let tries = 1; ; tries += 1) {
      const listing = await once(from, to);
      if (listing.is !== "throttled" || tries === THROTTLED_MOST) return listing;
      await sleep(clock, WINDOW_MS);
    }
  };
}

interface Known extends LostPorts {
  readonly open: readonly OpenPayment[];
}

/** Undefined if the journal knows the booking's outcome, or if it is older than the backup and of no known payment. */
async function lostOf(
  { journal, mark, open }: Known,
  listed: Listed,
  madeAt: number,
): Promise<Omit<LostBooking, "entityId"> | undefined> {
  const { at, merchantTransactionId: name = "", referencedId, ...rest } = listed;
  const own = name === "" ? undefined : await journal.byMerchantTransactionId(name);
  const begun = open.find(({ begins }) => name.startsWith(begins))?.payment;
  const payment = own ?? (referencedId === undefined ? undefined : (await journal.byGatewayId(referencedId))[0]);
  const known = begun ?? (payment === undefined ? undefined : (await recall(journal, payment))?.payment);
  if (own !== undefined && (known === undefined || decisionOf(known) !== undefined)) return undefined;
  const isOwn = own !== undefined || name.startsWith(mark);
  if (!isOwn && at !== undefined && at < madeAt - CLOCKS_MS) return undefined;
  return {
    ...rest,
    ...{ merchantTransactionId: name === "" ? undefined : name, referencedId, isOwn },
    ...(at !== undefined && { at: isoTime(at) }),
    ...(known !== undefined && { of: { register: known.accepted.register, reference: known.accepted.reference } }),
  };
}
