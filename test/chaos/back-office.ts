import { moved, type Net, netOf, type Row } from "./books.ts";
import { GATEWAY_TOKEN, type TestGateway } from "./gateway.ts";

/**
 * The gateway's back office, where people look a payment up and book by hand what the bridge could not
 * (docs/payments.md, "Closing one by hand").
 */
export interface BackOffice {
  /** The reservation that stands for that reference, with what was captured of it; undefined where there is none. */
  lookUp(reference: string): Promise<Reserved | undefined>;
  /** Asks for it once, and does not say what became of that: the books do. */
  capture(reservation: Row, cents: number): Promise<void>;
  reverse(capture: Row): Promise<void>;
}

export interface Reserved {
  readonly reservation: Row;
  /** Cents that the bridge has captured of it. */
  readonly captured: number;
  /** What was captured by hand, and stands. */
  readonly byHand: readonly Net[];
  /** Some of what the bridge captured was taken back: the customer does not want it any more. */
  readonly isGivenBack: boolean;
}

export function openBackOffice({ url, ledger }: Pick<TestGateway, "url" | "ledger">): BackOffice {
  /**
   * The same interface that the bridge books by, so that its faults meet this too. A booking by hand has no name of the
   * bridge's.
   */
  const book = async (
    { id, entityId, currency = "" }: Row,
    fields: Readonly<Record<string, string>>,
  ): Promise<void> => {
    const body = new URLSearchParams({ entityId, ...fields, ...("amount" in fields && { currency }) });
    try {
      const response = await fetch(`${url}v1/payments/${id}`, {
        method: "POST",
        headers: { authorization: `Bearer ${GATEWAY_TOKEN}` },
        body,
      });
      await response.text();
    } catch (error) {
      // The connection went away, before or after it was booked: fetch says so with a TypeError, and the books say
      // which.
      if (!(error instanceof TypeError)) throw error;
    }
  };
  return {
    lookUp: async (reference) => reservedFor(reference, await ledger()),
    capture: (reservation, cents) => book(reservation, { paymentType: "CP", amount: (cents / 100).toFixed(2) }),
    reverse: (capture) => book(capture, { paymentType: "RV" }),
  };
}

export function reservedFor(reference: string, rows: readonly Row[]): Reserved | undefined {
  const isOwn = ({ row: { parameters, referencedId } }: Net): boolean =>
    parameters["merchantInvoiceId"] === reference && referencedId === undefined;
  const [one] = netOf(rows, ["PA"], ["RV"]).filter((net) => net.left > 0 && isOwn(net));
  if (one === undefined) return undefined;
  const captures = netOf(rows, ["CP"], ["RV"]).filter(({ row }) => row.referencedId === one.row.id);
  const own = captures.filter(({ row }) => row.merchantTransactionId !== undefined);
  const takenBack = rows
    .filter((row) => row.paymentType === "RV" && moved(row))
    .map(({ referencedId }) => referencedId);
  return {
    reservation: one.row,
    captured: own.reduce((total, { left }) => total + left, 0),
    byHand: captures.filter(({ row, left }) => row.merchantTransactionId === undefined && left > 0),
    isGivenBack: own.some(({ row }) => takenBack.includes(row.id)),
  };
}
