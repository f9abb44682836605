import type { ParameterProblem, Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { qrSvg } from "../../../../src/kit/qr.ts";
import { masked } from "../accounts/masking.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import { jsonReply, type Reply } from "../exchange.ts";
import { isPending, isSuccess } from "../ledger/codes.ts";
import { distinct, missing, typeProblems } from "../parameters.ts";
import { readingOf } from "../payments/payment-bodies.ts";
import { moneyOf } from "../payments/payments.ts";
import { isVisible } from "../payments/reads.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, closingFields, newId, resultOf, stampOf, timestampOf } from "../replies.ts";
import {
  checkoutIdOf,
  linkPath,
  linksOf,
  type PaymentLink,
  stateOf,
  toldStateOf,
  UNDER_WAY,
  validityMs,
} from "./link.ts";

/** Problems that POST /paybylink/v1 answers with 200.300.404. */
export function linkProblems(sent: Sent): readonly ParameterProblem[] {
  const found = distinct([
    ...missing(sent, "entityId", "paymentType", "amount", "currency"),
    ...parameterProblems(sent, chaptersOf.link),
  ]);
  const isTypeWrong = found.some(({ name }) => name === "paymentType");
  return isTypeWrong ? found : [...found, ...typeProblems(sent, ["PA", "DB"])];
}

/** Problems that reading a link answers with 200.300.404. */
export function linkReadProblems(sent: Sent): readonly ParameterProblem[] {
  return [...missing(sent, "entityId"), ...parameterProblems(sent, chaptersOf.linkRead)];
}

/** POST /paybylink/v1 (gateway facts, 5). The parameters are validated before. */
export function prepareLink(context: Context, { sent, base }: Call): Prepared | Reply {
  const money = moneyOf(sent, context);
  if ("is" in money) return money;
  return { is: "prepared", outcome: {}, run: (bend) => refusal(context, sent, bend) ?? create(context, sent, base) };
}

/** A link is no booking, so a fault can only refuse it. */
function refusal(context: Context, sent: Sent, { result }: Bend): Reply | undefined {
  if (result === undefined || isSuccess(result.code) || isPending(result.code)) return undefined;
  return bareReply(context.rules.declineStatus, result.code, stampOf(context, sent));
}

function create(context: Context, sent: Sent, base: string): Reply {
  const now = context.clock.now();
  const id = newId(context.random);
  const link: PaymentLink = {
    ...{ id, entityId: sent.get("entityId") ?? "", createdAt: now, validUntil: now + validityMs(sent) },
    ...{ parameters: masked(Object.fromEntries(sent)), transactions: [] },
  };
  linksOf(context).put(id, link);
  const address = `${base}${linkPath(id)}`;
  return jsonReply(200, {
    ...{ id, link: address, qrCode: sent.get("createQRCode") === "true" ? qrCodeOf(address) : undefined },
    ...{ result: resultOf(stateOf(context, link, now).resultCode), ...closingFields(stampOf(context, sent)) },
  });
}

/** GET /paybylink/v1/{id}: state of the link. */
export function prepareLinkReading(context: Context, { sent, id }: Call): Prepared {
  return reading((bend) => {
    const stamp = stampOf(context, sent);
    const refused = refusal(context, sent, bend);
    const link = linkOf(context, sent, id());
    if (refused !== undefined || link === undefined) return refused ?? bareReply(404, UNKNOWN, stamp);
    const { status, resultCode, booking } = toldStateOf(context, link, stamp.now);
    const entry = {
      ...{ id: link.id, status, creationDate: timestampOf(link.createdAt), validUntil: timestampOf(link.validUntil) },
      ...{ checkoutId: checkoutIdOf(link), transactionId: booking?.id, result: resultOf(resultCode) },
    };
    return jsonReply(200, { result: resultOf(READ), paymentLinks: [entry], ...closingFields(stamp) });
  });
}

/** GET /paybylink/v1/{id}/checkouts/{checkoutId}/payment: the last payment tried in that checkout, if any. */
export function prepareLinkPaymentReading(context: Context, { sent, id }: Call): Prepared {
  return reading((bend) => {
    const stamp = stampOf(context, sent);
    const refused = refusal(context, sent, bend);
    const link = linkOf(context, sent, id());
    const checkoutId = id("checkoutId");
    if (refused !== undefined || link === undefined) return refused ?? bareReply(404, UNKNOWN, stamp);
    const tried = link.transactions.findLast((transaction) => transaction.checkoutId === checkoutId);
    const booking = tried && context.store.byId(tried.id);
    if (booking !== undefined)
      return isVisible(booking, stamp) ? readingOf(booking, stamp, context.rules) : bareReply(200, UNDER_WAY, stamp);
    if (checkoutId !== checkoutIdOf(link)) return bareReply(404, UNKNOWN, stamp);
    const { resultCode } = stateOf(context, link, stamp.now);
    return bareReply(isPending(resultCode) ? 200 : context.rules.declineStatus, resultCode, stamp);
  });
}

/** The code for an unknown checkout (gateway facts, 0). */
const UNKNOWN = "200.300.404";
/** The code for a query (gateway facts, 0). */
const READ = "000.000.100";

function reading(run: Prepared["run"]): Prepared {
  return { is: "prepared", outcome: {}, run };
}

/** Undefined if the link belongs to another entity. */
function linkOf(context: Context, sent: Sent, id: string): PaymentLink | undefined {
  const link = linksOf(context).get(id);
  return link?.entityId === sent.get("entityId") ? link : undefined;
}

/** The QR code as a data URL of an image (inferred: the content of `qrCode` is not published). */
function qrCodeOf(address: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(qrSvg(address), "utf8").toString("base64")}`;
}
