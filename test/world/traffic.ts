import type { HttpRequest } from "../../src/gateway/http-exchange.ts";
import type { Booking } from "../../src/sandbox/booking.ts";
import type { Errand, GatewayTrouble } from "./script.ts";

/** A request to the gateway as the world reads it. */
export interface Read {
  /** Of the payment it is made for, or undefined where it names none that the world knows. */
  readonly reference: string | undefined;
  readonly errand: Errand;
  readonly fields: ReadonlyMap<string, string>;
  readonly name: { readonly of: string | undefined; readonly text: string };
  /** How many requests this payment has made before. */
  readonly nth: number;
  readonly trouble: GatewayTrouble | undefined;
}

/** Whose request is whose: by the invoice number that the register gave, by the names of the requests it was seen with, and by the bookings these made. */
export interface Traffic {
  plan(reference: string, trouble: GatewayTrouble): void;
  read(request: HttpRequest): Read;
  /** The payment behind a booking. */
  ownerOf(booking: Booking): string | undefined;
  /** What the next booking is bent with. */
  bendNext(trouble: GatewayTrouble | undefined): void;
  bend(booking: Booking, siblings: readonly Booking[]): Booking;
}

const ERRANDS: Readonly<Record<string, Errand>> = { PA: "booking", DB: "booking", CD: "booking", RG: "booking", CP: "CP", RV: "RV", RF: "RF", DR: "DR" };

export function createTraffic(now: () => number): Traffic {
  const plans = new Map<string, GatewayTrouble[]>();
  const owners = new Map<string, string>();
  const counts = new Map<string, number>();
  let bending: GatewayTrouble | undefined;
  const count = (key: string): number => {
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before;
  };
  return {
    plan: (reference, trouble) => void plans.set(reference, [...(plans.get(reference) ?? []), trouble]),
    read: (request) => {
      const url = new URL(request.url);
      const fields = new Map(new URLSearchParams(request.method === "POST" ? (request.body ?? "") : url.search));
      const of = /^\/v1\/[a-z]+\/([A-Za-z0-9]+)$/.exec(url.pathname)?.[1];
      const errand = request.method === "GET" ? "query" : (ERRANDS[fields.get("paymentType") ?? ""] ?? "booking");
      const merchantTransactionId = fields.get("merchantTransactionId");
      const known = [merchantTransactionId, of].flatMap((key) => (key === undefined ? [] : (owners.get(key) ?? [])))[0];
      const reference = fields.get("merchantInvoiceId") ?? known;
      if (reference !== undefined && merchantTransactionId !== undefined) owners.set(merchantTransactionId, reference);
      const nth = count(`${reference} all`);
      const same = count(`${reference} ${errand}`);
      const trouble = plans.get(reference ?? "")?.find((one) => one.errand === errand && same >= one.nth && same < one.nth + one.times);
      const amount = fields.get("amount");
      const text = [fields.get("paymentType") ?? "query", ...(amount === undefined ? [] : [amount])].join(" ");
      return { reference, errand, fields, name: { of, text }, nth, trouble };
    },
    ownerOf: ({ id, merchantTransactionId, referencedId }) => {
      const owner = owners.get(merchantTransactionId ?? "") ?? owners.get(referencedId ?? "");
      if (owner !== undefined) owners.set(id, owner);
      return owner;
    },
    bendNext: (trouble) => {
      bending = trouble;
    },
    bend: (booking, siblings) => {
      const hidden = bending?.hideMs === undefined ? booking : { ...booking, hiddenUntil: now() + bending.hideMs };
      // The gateway's rules come first: what was captured, reversed or refunded before is not once more.
      if (bending?.becomes === undefined || bending.result === undefined || siblings.some(({ resultCode }) => resultCode.startsWith("000."))) return hidden;
      const resultCode = bending.becomes === "approved" ? "000.100.110" : "800.100.152";
      return { ...hidden, resultCode, answeredCode: bending.result, interim: { resultCode: bending.result, until: now() + (bending.forMs ?? 0) } };
    },
  };
}
