import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import type { Reply } from "../exchange.ts";
import { book, ledgerEntry, testModeOf } from "../ledger/ledger-entry.ts";
import { answerTo, registrationReply } from "../payments/payment-bodies.ts";
import { isVisible } from "../payments/reads.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, stampOf, throttledReply } from "../replies.ts";
import { bent, registerAccount } from "./register-account.ts";
import { NO_SUCH_REGISTRATION, REMOVED, type Registration, registrationAt, whyNotUsable } from "./stored-accounts.ts";

/** POST /v1/registrations (gateway facts, 0). The parameters are validated before. */
export function prepareRegistration(context: Context, call: Call): Prepared {
  return storing(context, call, {});
}

/**
 * POST /v1/registrations/{id} with RR (gateway facts, 2.1; the address is inferred): replaces the account, or renews
 * the card, under the same id.
 */
export function prepareUpdate(context: Context, call: Call): Prepared | Reply {
  const before = registrationAt(context, call.id(), call.sent.get("entityId"));
  return before === undefined
    ? bareReply(404, NO_SUCH_REGISTRATION, stampOf(context, call.sent))
    : storing(context, call, { before });
}

function storing(context: Context, { sent, base }: Call, how: { readonly before?: Registration }): Prepared {
  const run = (bend: Bend): Reply => {
    const stored = registerAccount(context, sent, { bend, ...how });
    return stored.is === "refused"
      ? stored.reply
      : answerTo(stored.booking, stampOf(context, sent), context.rules, base);
  };
  return { is: "prepared", outcome: {}, run };
}

/** GET /v1/registrations/{id}: the stored account. */
export function prepareRegistrationReading(context: Context, call: Call): Prepared {
  const { sent } = call;
  const run = (bend: Bend): Reply => {
    const stamp = stampOf(context, sent);
    if (!context.throttle.admit("secure-registration-query", stamp.entityId ?? "", stamp.now))
      return throttledReply(stamp);
    if (bend.result) return bareReply(context.rules.declineStatus, bend.result.code, stamp);
    const registration = registrationAt(context, call.id(), stamp.entityId);
    if (registration === undefined || !isVisible(registration.booking, stamp))
      return bareReply(404, NO_SUCH_REGISTRATION, stamp);
    const gone = whyNotUsable(context, registration);
    return gone === REMOVED
      ? bareReply(404, REMOVED, stamp)
      : registrationReply(registration.latest, registration.id, stamp, context.rules);
  };
  return { is: "prepared", outcome: {}, run };
}

/** DELETE /v1/registrations/{id} (gateway facts, 0), which books a DR. The parameters are validated before. */
export function prepareDeletion(context: Context, call: Call): Prepared | Reply {
  const { sent } = call;
  const registration = registrationAt(context, call.id(), sent.get("entityId"));
  if (registration === undefined) return bareReply(404, NO_SUCH_REGISTRATION, stampOf(context, sent));
  return {
    is: "prepared",
    outcome: {},
    run: (bend) => context.store.atomically(() => remove(context, call, registration, bend)),
  };
}

function remove(context: Context, { sent, base }: Call, registration: Registration, bend: Bend): Reply {
  const refusal = whyNotUsable(context, registration);
  const outcome = refusal === undefined ? bent({}, bend) : { resultCode: refusal };
  const booking = ledgerEntry(context, {
    ...{
      sent,
      paymentType: "DR",
      outcome,
      hideMs: bend.hideMs,
      referencedId: registration.id,
      testMode: testModeOf(sent, registration.latest),
    },
    ...{ parameters: Object.fromEntries(sent), issuer: {} },
  });
  book(context, booking, {});
  return answerTo(booking, stampOf(context, sent), context.rules, base);
}
