import type { Booking } from "../../packages/sandbox/gateway/ledger/booking.ts";
import type { HttpRequest } from "../../src/gateway/http-exchange.ts";
import type { Errand, GatewayTrouble } from "./script.ts";

/** A request to the gateway as the world reads it. */
export interface Read {
  /** Of the payment it is made for, or undefined where it names none that the world knows. */
  readonly reference: string | undefined;
  /** The payment type, "query", or what is done about a link: "link", "look", "phone". */
  readonly type: string;
  readonly errand: Errand;
  readonly merchantTransactionId: string | undefined;
  readonly name: { readonly of: string | undefined; readonly text: string };
  /** As it stands in the form. */
  readonly money: { readonly amount: string; readonly currency: string | undefined } | undefined;
  /** It says that it is the last one of its kind (specification, "Basic payment parameters", sequence). */
  readonly isLast: boolean;
  /** The address without the host: path and query. */
  readonly path: string;
  /** How many requests this payment has made before. */
  readonly nth: number;
  readonly trouble: GatewayTrouble | undefined;
}

/**
 * Whose request is whose: by the invoice number that the register gave, by the names of the requests it was seen with,
 * and by the bookings these made.
 */
export interface Traffic {
  plan(reference: string, trouble: GatewayTrouble): void;
  /** The payment has the name of a request in its journal: from then on the request may leave. */
  intended(merchantTransactionId: string, reference: string): void;
  /**
   * That stored card is to be deleted under that reference: the requests for it are made for neither of the payments
   * that know the card.
   */
  deleting(registration: string, reference: string): void;
  read(request: HttpRequest): Read;
  /** A link was made by that request. */
  linked(reference: string | undefined, id: string): void;
  /** The payment behind a booking that is on the ledger, by its id. */
  ownerOfId(id: string): string | undefined;
  /** The payment behind a booking. */
  ownerOf(booking: Booking): string | undefined;
  /** What the next booking is bent with. */
  bendNext(trouble: GatewayTrouble | undefined): void;
  bend(booking: Booking, siblings: readonly Booking[]): Booking;
}

const ERRANDS: Readonly<Record<string, Errand>> = {
  ...{ PA: "booking", DB: "booking", CD: "booking", RG: "booking", CP: "CP", RV: "RV", RF: "RF", DR: "DR" },
  ...{ link: "link", look: "look", phone: "phone" },
};

const NONE_MADE = { all: 0, booking: 0, CP: 0, RV: 0, RF: 0, DR: 0, query: 0, link: 0, look: 0, phone: 0 } as const;

/** Registrations and links have addresses of their own (gateway-facts 0 and 5). */
function typeOf(method: string, path: string, form: string): string {
  if (path.startsWith("/shopper/")) return "phone";
  if (path.startsWith("/paybylink/")) return method === "GET" ? "look" : "link";
  if (method === "GET") return "query";
  if (!path.startsWith("/v1/registrations") || path.endsWith("/payments"))
    return fieldIn(form, "&paymentType=") ?? "query";
  return method === "DELETE" ? "DR" : "RG";
}

/**
 * A form of which every field begins with an ampersand is looked through for the few that say whose it is: a world
 * makes no list of what it does not ask for.
 */
function fieldIn(form: string, sign: `&${string}=`): string | undefined {
  const found = form.indexOf(sign);
  if (found < 0) return undefined;
  const start = found + sign.length;
  const end = form.indexOf("&", start);
  return decodeURIComponent(form.slice(start, end < 0 ? undefined : end).replaceAll("+", " "));
}

/** What stands behind the host: the path, and the query without its question mark. */
function targetOf(url: string): readonly [target: string, path: string, query: string] {
  const target = url.slice(url.indexOf("/", "https://".length));
  const end = target.indexOf("?");
  return end < 0 ? [target, target, ""] : [target, target.slice(0, end), target.slice(end + 1)];
}

const NAMED = /^(?:\/v1\/[a-z]+|\/paybylink\/v1|\/shopper\/[a-z]+)\/([A-Za-z0-9]+)$/;

export function createTraffic(now: () => number): Traffic {
  const plans = new Map<string, GatewayTrouble[]>();
  const owners = new Map<string, string>();
  /** Who last asked for something about a booking. */
  const lastAbout = new Map<string, string>();
  const deletions = new Map<string, string>();
  const counts = new Map<string, Record<Errand | "all", number>>();
  let bending: GatewayTrouble | undefined;
  /** How many requests of the payment came before this one, and how many of that errand. */
  const count = (reference: string, errand: Errand): readonly [all: number, same: number] => {
    const made = counts.get(reference) ?? { ...NONE_MADE };
    counts.set(reference, made);
    return [made.all++, made[errand]++];
  };
  return {
    plan: (reference, trouble) => void plans.set(reference, [...(plans.get(reference) ?? []), trouble]),
    intended: (merchantTransactionId, reference) => void owners.set(merchantTransactionId, reference),
    deleting: (registration, reference) => void deletions.set(registration, reference),
    linked: (reference, id) => void (reference !== undefined && owners.set(id, reference)),
    read: (request) => {
      const [target, path, query] = targetOf(request.url);
      const form = `&${request.method === "POST" ? (request.body ?? "") : query}`;
      const type = typeOf(request.method, path, form);
      const of = fieldIn(form, "&referenceUuid=") ?? NAMED.exec(path)?.[1];
      const errand = ERRANDS[type] ?? "query";
      const merchantTransactionId = fieldIn(form, "&merchantTransactionId=");
      const deletion = type === "DR" ? deletions.get(of ?? "") : undefined;
      const known = owners.get(merchantTransactionId ?? "") ?? owners.get(of ?? "");
      // What follows a payment carries no invoice number, and a query not even a name.
      const reference =
        deletion ??
        fieldIn(form, "&merchantInvoiceId=") ??
        (errand === "query" ? lastAbout.get(of ?? "") : undefined) ??
        known;
      if (reference !== undefined && merchantTransactionId !== undefined) owners.set(merchantTransactionId, reference);
      if (deletion === undefined && reference !== undefined && of !== undefined) lastAbout.set(of, reference);
      const [nth, same] = count(reference ?? "", errand);
      const trouble = plans
        .get(reference ?? "")
        ?.find((one) => one.errand === errand && same >= one.nth && same < one.nth + one.times);
      const amount = fieldIn(form, "&amount=");
      const text = amount === undefined ? type : `${type} ${amount}`;
      const money = amount === undefined ? undefined : { amount, currency: fieldIn(form, "&currency=") };
      const isLast = fieldIn(form, "&sequence=") === "FINAL";
      return {
        reference,
        type,
        errand,
        merchantTransactionId,
        money,
        isLast,
        name: { of, text },
        path: target,
        nth,
        trouble,
      };
    },
    ownerOfId: (id) => owners.get(id),
    ownerOf: ({ id, merchantTransactionId, referencedId, registrationId }) => {
      const owner = owners.get(merchantTransactionId ?? "") ?? owners.get(referencedId ?? "");
      for (const made of [id, registrationId]) if (owner !== undefined && made !== undefined) owners.set(made, owner);
      return owner;
    },
    bendNext: (trouble) => {
      bending = trouble;
    },
    bend: (booking, siblings) => {
      const hidden = bending?.hideMs === undefined ? booking : { ...booking, hiddenUntil: now() + bending.hideMs };
      // The gateway's rules come first: what was captured, reversed or refunded before is not once more, and what it
      // refuses (gateway-facts 2; of a stored card that was
      // deleted, 100.150) stays refused. What waits for its shopper is decided by him.
      const isRefused =
        booking.redirect !== undefined ||
        /^(?:700|100\.150)\./.test(booking.resultCode) ||
        siblings.some(({ resultCode }) => resultCode.startsWith("000."));
      if (bending?.becomes === undefined || bending.result === undefined || isRefused) return hidden;
      const resultCode = bending.becomes === "approved" ? "000.100.110" : "800.100.152";
      return {
        ...hidden,
        resultCode,
        answeredCode: bending.result,
        interim: { resultCode: bending.result, until: now() + (bending.forMs ?? 0) },
      };
    },
  };
}
