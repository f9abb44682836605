import type { Booking } from "../../packages/sandbox/gateway/ledger/booking.ts";
import { books } from "../../packages/sandbox/gateway/ledger/codes.ts";
import type { SandboxStore } from "../../packages/sandbox/gateway/ledger/store.ts";
import { seededRandom } from "../../src/kit/seeded-random.ts";

/**
 * The gateway's own people, whom an operator rings: they see every row of the ledger, hidden or not, and book what the
 * gateway's interface refuses.
 */
export interface BackOffice {
  /** What went to the gateway under these names, and what was booked to it by hand, with what of each is left. */
  lookUp(names: readonly string[]): readonly Seen[];
  /** Takes back all that is left of it. */
  reverse(booking: Booking): void;
  /** Captures so much of a reservation, minor units. */
  capture(reservation: Booking, amount: number): void;
  /** Deletes a stored card. */
  erase(booking: Booking, registration: string): void;
  /** Somebody else of the shop sells, or reserves; minor units. */
  sell(what: { readonly name: string; readonly paymentType: "PA" | "DB"; readonly amount: number }): void;
}

/** What the names of requests begin with that somebody else of the shop makes. */
export const ELSEWHERE = "elsewhere-";

export interface Seen {
  readonly booking: Booking;
  /** Minor units, after reversals and refunds. A reservation counts in full, whatever was captured of it. */
  readonly left: number;
  /** The card that is still stored with it. */
  readonly stored: string | undefined;
}

export interface BackOfficePorts {
  readonly store: SandboxStore;
  readonly seed: number;
  readonly now: () => number;
  /** Of the shop's sales. */
  readonly entityId: string;
  readonly currency: string;
}

export function createBackOffice(on: BackOfficePorts): BackOffice {
  const { store, now } = on;
  const random = seededRandom(on.seed);
  const id = (): string => `b0${Array.from(random.bytes(15), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const taken = (original: string, types: readonly string[]): readonly Booking[] =>
    store.referringTo(original).filter((row) => types.includes(row.paymentType) && books(row.resultCode));
  const seen = (booking: Booking): Seen => {
    const less = taken(booking.id, ["RV", "RF"]).reduce((total, { amount = 0 }) => total + amount, 0);
    const card = booking.paymentType === "RG" && books(booking.resultCode) ? booking.id : booking.registrationId;
    const isStored = card !== undefined && taken(card, ["DR"]).length === 0;
    return {
      booking,
      left: books(booking.resultCode) ? (booking.amount ?? 0) - less : 0,
      stored: isStored ? card : undefined,
    };
  };
  const book = (
    { entityId, currency, testMode }: Pick<Booking, "entityId" | "currency" | "testMode">,
    row: Pick<Booking, "paymentType" | "referencedId" | "merchantTransactionId"> & { readonly amount?: number },
  ): void => {
    const resultCode = "000.100.110";
    store.append({
      ...{
        id: id(),
        entityId,
        testMode,
        resultCode,
        answeredCode: resultCode,
        receivedAt: now(),
        parameters: {},
        issuer: {},
        ...row,
      },
      ...(currency !== undefined && { currency }),
    });
  };
  return {
    lookUp: (names) => {
      const own = names.flatMap((name) => store.byMerchantTransactionId(name));
      const byHand = own
        .flatMap(({ id: root }) => store.referringTo(root))
        .filter((row) => row.merchantTransactionId === undefined);
      return [...own, ...byHand].map(seen);
    },
    reverse: (booking) => book(booking, { paymentType: "RV", referencedId: booking.id, amount: seen(booking).left }),
    capture: (reservation, amount) => book(reservation, { paymentType: "CP", referencedId: reservation.id, amount }),
    sell: ({ name, ...row }) =>
      book(
        { entityId: on.entityId, currency: on.currency, testMode: "INTERNAL" },
        { ...row, merchantTransactionId: name },
      ),
    erase: (booking, registration) => book(booking, { paymentType: "DR", referencedId: registration }),
  };
}
