import { z } from "zod";
import { isoTime } from "../../../../src/kit/clock.ts";
import { currencyOf, formatAmount } from "../../../../src/kit/money.ts";
import { sredDeviceTypes } from "../../testbed/sred-layouts.ts";
import type { Context } from "../context.ts";
import type { Target } from "../endpoint.ts";
import { type Json, jsonReply, type Reply, type SandboxRequest } from "../exchange.ts";
import { type Booking, registrationOf } from "../ledger/booking.ts";
import { isSuccess } from "../ledger/codes.ts";
import { textOf } from "../ledger/result-texts.ts";
import type { SandboxStore } from "../ledger/store.ts";
import { isDeletion } from "../registrations/stored-accounts.ts";
import { deedNames, faultSchema } from "./faults.ts";
import { problem, withBody } from "./json-body.ts";
import { requestRow } from "./request-log.ts";
import { webhookControl } from "./webhook-controls.ts";

/**
 * Path of the calls for tests. They are not part of the gateway and need no token: the server admits only local
 * programs.
 */
export const CONTROL_PATH = "/sandbox/v1/";

/** Ten years. */
const MAX_ADVANCE_MS = 315_360_000_000;
const advanceSchema = z.strictObject({ advanceMs: z.int().min(0).max(MAX_ADVANCE_MS) });

/** GET ledger and requests, GET, POST and DELETE faults, GET and POST clock, GET device types, and the webhooks. */
export function control(context: Context, request: SandboxRequest, target: Target): Reply | Promise<Reply> {
  const path = target.path.slice(CONTROL_PATH.length);
  const call = `${request.method} ${path}`;
  const ofWebhooks = webhookControl(context, request, path);
  if (ofWebhooks !== undefined) return ofWebhooks;
  switch (call) {
    case "GET ledger":
      return ledger(context, new URLSearchParams(target.query));
    case "GET faults":
      return jsonReply(200, { faults: context.faults.list() });
    case "POST faults":
      return withBody(request, faultSchema, (fault) => {
        context.faults.add(fault);
        return jsonReply(201, fault);
      });
    case "DELETE faults":
      return clearFaults(context, new URLSearchParams(target.query));
    case "GET requests":
      return jsonReply(200, { requests: context.requests.list().map((each) => requestRow(each, isoTime(each.at))) });
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
      return problem(
        404,
        `there is no ${call} here: GET ledger, GET requests, GET/POST/DELETE faults, GET/POST clock, GET device-types, GET/POST/DELETE webhooks`,
      );
  }
}

/** Clears all faults, or with `?do=` those of one kind. */
function clearFaults({ faults }: Context, query: URLSearchParams): Reply {
  const wanted = query.get("do");
  const deed = deedNames.find((name) => name === wanted);
  if (wanted !== null && deed === undefined) return problem(400, `do: must be one of ${deedNames.join(", ")}`);
  faults.clear(deed);
  return jsonReply(200, { faults: faults.list() });
}

function ledger({ store }: Context, query: URLSearchParams): Reply {
  const unknown = [...query.keys()].find((name) => name !== "merchantTransactionId");
  if (unknown !== undefined)
    return problem(400, `${unknown} is not a parameter of the ledger: only merchantTransactionId is`);
  const merchantTransactionId = query.get("merchantTransactionId");
  const bookings = merchantTransactionId === null ? store.all() : store.byMerchantTransactionId(merchantTransactionId);
  const registrations = bookings.flatMap((booking) => storedCards(store, booking));
  return jsonReply(200, { bookings: bookings.map(ledgerRow), registrations });
}

/** The account that the booking stored, and whether it still exists. */
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
    resultText: textOf(booking.resultCode),
    receivedAt: isoTime(receivedAt),
    ...(interim && { interim: { resultCode: interim.resultCode, until: isoTime(interim.until) } }),
    ...(hiddenUntil !== undefined && { hiddenUntil: isoTime(hiddenUntil) }),
    ...(issuer.resultDetails && { resultDetails: issuer.resultDetails }),
  };
}
