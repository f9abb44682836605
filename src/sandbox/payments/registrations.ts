import type { Sent } from "../../gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import type { Reply } from "../exchange.ts";
import { recorded, verifyCard } from "../issuing/card-present.ts";
import { issuerPart } from "../issuing/issuer-part.ts";
import { type Booking, isSettled } from "../ledger/booking.ts";
import { books, isSuccess } from "../ledger/codes.ts";
import { book, ledgerEntry, settledCode, testModeOf } from "../ledger/ledger-entry.ts";
import { declineOf, type Outcome, outcomeOf } from "../ledger/outcome.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, stampOf } from "../replies.ts";
import { answerTo, registrationReply } from "./payment-bodies.ts";
import { duplicateReply } from "./payments.ts";
import { isVisible } from "./reads.ts";

const NO_SUCH_REGISTRATION = "100.150.200";
const NOT_CONFIRMED = "100.150.201";
const REMOVED = "100.150.202";
const NEVER_VALID = "100.150.203";

/** POST /v1/registrations (gateway facts, 0) with a presented card: its issuer answers as for an authorization of nothing. The parameters were found in order before. */
export function prepareRegistration(context: Context, sent: Sent): Prepared {
  return { is: "prepared", outcome: {}, run: (bend) => context.store.atomically(() => duplicateReply(context, sent) ?? register(context, sent, bend)) };
}

function register(context: Context, sent: Sent, bend: Bend): Reply {
  const verification = verifyCard(context, sent, { amount: 0, credit: false });
  const own: Outcome = verification.refusal ? declineOf(verification.refusal) : {};
  const outcome = bend.result ? outcomeOf(bend.result.code, bend.result.delayMs) : own;
  const booking = ledgerEntry(context, {
    ...{ sent, paymentType: "RG", outcome, hideMs: bend.hideMs },
    parameters: recorded(sent, verification),
    issuer: issuerPart(context, outcome, settledCode(outcome, testModeOf(sent)), verification),
  });
  book(context, booking, {});
  return answerTo(booking, stampOf(context, sent), context.rules);
}

/** GET /v1/registrations/{id}: the card as the gateway keeps it. */
export function prepareRegistrationReading(context: Context, sent: Sent, id: string): Prepared {
  return {
    is: "prepared",
    outcome: {},
    run(bend) {
      const stamp = stampOf(context, sent);
      if (bend.result) return bareReply(context.rules.declineStatus, bend.result.code, stamp);
      const booking = context.store.byRegistration(id);
      if (booking === undefined || !isVisible(booking, stamp)) return bareReply(404, NO_SUCH_REGISTRATION, stamp);
      return isRemoved(context, id) ? bareReply(404, REMOVED, stamp) : registrationReply(booking, id, stamp, context.rules);
    },
  };
}

/** DELETE /v1/registrations/{id} (gateway facts, 0), which leaves a DR in the ledger. The parameters were found in order before. */
export function prepareDeletion(context: Context, sent: Sent, id: string): Prepared | Reply {
  const booking = context.store.byRegistration(id);
  if (booking === undefined || booking.entityId !== sent.get("entityId")) return bareReply(404, NO_SUCH_REGISTRATION, stampOf(context, sent));
  return { is: "prepared", outcome: {}, run: (bend) => context.store.atomically(() => remove(context, sent, id, booking, bend)) };
}

function remove(context: Context, sent: Sent, id: string, registered: Booking, bend: Bend): Reply {
  const refusal = whyNotRemovable(context, id, registered);
  const forced = bend.result && outcomeOf(bend.result.code, bend.result.delayMs);
  const outcome: Outcome = refusal === undefined ? (forced ?? {}) : { resultCode: refusal };
  const booking = ledgerEntry(context, {
    ...{ sent, paymentType: "DR", outcome, hideMs: bend.hideMs, referencedId: id },
    ...{ parameters: Object.fromEntries(sent), issuer: {} },
  });
  book(context, booking, {});
  return answerTo(booking, stampOf(context, sent), context.rules);
}

function whyNotRemovable(context: Context, id: string, registered: Booking): string | undefined {
  if (!isSettled(registered, context.clock.now())) return NOT_CONFIRMED;
  if (!isSuccess(registered.resultCode)) return NEVER_VALID;
  return isRemoved(context, id) ? REMOVED : undefined;
}

function isRemoved({ store }: Context, id: string): boolean {
  return store.referringTo(id).some(isDeletion);
}

/** A deletion that was carried out. */
export function isDeletion({ paymentType, resultCode }: Booking): boolean {
  return paymentType === "DR" && books(resultCode);
}
