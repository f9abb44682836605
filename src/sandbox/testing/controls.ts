import { z } from "zod";
import { isoTime } from "../../kit/clock.ts";
import { currencyOf, formatAmount } from "../../kit/money.ts";
import { sredDeviceTypes } from "../../testbed/sred-layouts.ts";
import type { Context } from "../context.ts";
import { type Json, jsonReply, type Reply, type SandboxRequest } from "../exchange.ts";
import { type Booking, registrationOf } from "../ledger/booking.ts";
import { isSuccess } from "../ledger/codes.ts";
import type { SandboxStore } from "../ledger/store.ts";
import { isDeletion } from "../payments/registrations.ts";
import { faultSchema } from "./faults.ts";

/** Where the calls for tests are. They are no part of the gateway and ask for no token: the server lets only this machine's own programs in. */
export const CONTROL_PATH = "/sandbox/v1/";

/** Ten years: what a test could possibly want to skip. */
const MAX_ADVANCE_MS = 315_360_000_000;
const advanceSchema = z.strictObject({ advanceMs: z.int().min(0).max(MAX_ADVANCE_MS) });

/** GET ledger, GET, POST and DELETE faults, GET and POST clock, GET device types. */
export function control(context: Context, request: SandboxRequest, url: URL): Reply {
  const call = `${request.method} ${url.pathname.slice(CONTROL_PATH.length)}`;
  switch (call) {
    case "GET ledger":
      return ledger(context, url.searchParams);
    case "GET faults":
      return jsonReply(200, { faults: context.faults.list() });
    case "POST faults":
      return withBody(request, faultSchema, (fault) => {
        context.faults.add(fault);
        return jsonReply(201, fault);
      });
    case "DELETE faults":
      context.faults.clear();
      return jsonReply(200, { faults: [] });
    case "GET device-types":
      return jsonReply(200, { deviceTypes: sredDeviceTypes });
    case "GET clock":
      return jsonReply(200, { now: isoTime(context.clock.now()) });
    case "POST clock":
      return withBody(request, advanceSchema, ({ advanceMs }) => {
        context.clock.advance(advanceMs);
        return jsonReply(200, { now: isoTime(context.clock.now()) });
      });
    default:
      return problem(404, `there is no ${call} here: GET ledger, GET/POST/DELETE faults, GET/POST clock, GET device-types`);
  }
}

function ledger({ store }: Context, query: URLSearchParams): Reply {
  const unknown = [...query.keys()].find((name) => name !== "merchantTransactionId");
  if (unknown !== undefined) return problem(400, `${unknown} is not a parameter of the ledger: only merchantTransactionId is`);
  const merchantTransactionId = query.get("merchantTransactionId");
  const bookings = merchantTransactionId === null ? store.all() : store.byMerchantTransactionId(merchantTransactionId);
  const registrations = bookings.flatMap((booking) => storedCards(store, booking));
  return jsonReply(200, { bookings: bookings.map(ledgerRow), registrations });
}

/** The stored card that a booking brought about, and whether it is stored still. */
function storedCards(store: SandboxStore, booking: Booking): readonly Json[] {
  const id = registrationOf(booking);
  if (id === undefined || !isSuccess(booking.resultCode)) return [];
  return [{ id, booking: booking.id, stored: !store.referringTo(id).some(isDeletion) }];
}

function ledgerRow(booking: Booking): Json {
  const { amount, currency, receivedAt, interim, hiddenUntil, issuer, requested, ...rest } = booking;
  const known = currency === undefined ? undefined : currencyOf(currency);
  return {
    ...rest,
    ...(amount !== undefined && known && { amount: formatAmount(amount, known) }),
    ...(currency !== undefined && { currency }),
    receivedAt: isoTime(receivedAt),
    ...(interim && { interim: { resultCode: interim.resultCode, until: isoTime(interim.until) } }),
    ...(hiddenUntil !== undefined && { hiddenUntil: isoTime(hiddenUntil) }),
    ...(issuer.resultDetails && { resultDetails: issuer.resultDetails }),
  };
}

/** JSON only, said by its content type: a form of a web page cannot say that without asking first. */
function withBody<T>(request: SandboxRequest, schema: z.ZodType<T>, run: (body: T) => Reply): Reply {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return problem(415, "content-type must be application/json");
  const parsed = schema.safeParse(jsonOf(request.body));
  if (parsed.success) return run(parsed.data);
  const issues = parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  return problem(400, issues.join("; "));
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function problem(status: number, message: string): Reply {
  return jsonReply(status, { error: message });
}
