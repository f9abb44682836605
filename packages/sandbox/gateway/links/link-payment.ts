import { z } from "zod";
import type { ParameterProblem, Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { asynchronousMethods } from "../asynchronous/methods.ts";
import { shopperAddress } from "../asynchronous/waiting.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import type { Reply } from "../exchange.ts";
import { seeOther } from "../html.ts";
import { type Booking, isSettled } from "../ledger/booking.ts";
import { books } from "../ledger/codes.ts";
import { magicOutcome } from "../ledger/magic-amounts.ts";
import { missing } from "../parameters.ts";
import { moneyOf, type Paid, pay } from "../payments/payments.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { billingAsSent, billingLabel, billingWanted } from "./billing-address.ts";
import { checkoutIdOf, linksOf, opened, type PaymentLink, paymentParametersOf, stateOf } from "./link.ts";
import { type Line, languageOf, linkPage, noLinkPage, type Retry, said } from "./link-page.ts";
import { linkReturn } from "./link-return.ts";

/** GET of the link's address: the customer opens it. */
export function prepareLinkPage(context: Context, { id }: Call): Prepared {
  const run = (): Reply => {
    const now = context.clock.now();
    const links = linksOf(context);
    const link = links.get(id());
    if (link === undefined) return noLinkPage();
    const isOpen = ["CREATED", "OPENED"].includes(stateOf(context, link, now).status);
    const seen = isOpen ? opened(link, now) : link;
    if (seen !== link) links.put(link.id, seen);
    return pageOf(context, seen, lastFailure(context, seen));
  };
  return { is: "prepared", outcome: {}, run };
}

/**
 * POST of the form: the customer pays. Takes only the hosted form's fields (card.*, paymentBrand, virtualAccount.*,
 * bankAccount.*, billing.*).
 */
export function prepareLinkPayment(context: Context, { sent, id }: Call): Prepared | Reply {
  const link = linksOf(context).get(id());
  if (link === undefined) return noLinkPage();
  const typed = typedIn(sent);
  const problems = [...parameterProblems(typed, FORM), ...missing(typed, ...billingWanted(link).needed)];
  if (problems.length > 0) return pageOf(context, link, { status: 400, lines: linesOf(link, problems), typed });
  const payment = merged(link, typed);
  const money = moneyOf(payment, context);
  if ("is" in money) return money;
  const outcome = magicOutcome(money.minor, { paymentType: payment.get("paymentType") === "PA" ? "PA" : "DB" }) ?? {};
  return {
    is: "prepared",
    outcome,
    run: (bend) => context.store.atomically(() => payLink(context, link.id, payment, bend)),
  };
}

/** The return address is the link's, and links offer no stored accounts. */
const MERCHANTS: readonly string[] = ["shopperResultUrl", "registrationId"];
const FORM = chaptersOf.checkoutSubmission.filter(
  (chapter) => !chapter.parameters.some(({ name }) => MERCHANTS.includes(name)),
);

/** The merchant's values win, except for an address that the page asked for. */
function merged(link: PaymentLink, typed: Sent): Sent {
  const { shown } = billingWanted(link);
  return new Map([...typed, ...paymentParametersOf(link), ...[...typed].filter(([name]) => shown.includes(name))]);
}

/** Numbers printed with blanks or hyphens. */
const NUMBERS: readonly string[] = ["card.number", "bankAccount.iban"];

/** Drops empty fields, and card fields beside another brand, because one form has both. */
function typedIn(sent: Sent): Sent {
  const isOther = asynchronousMethods.some(({ brand }) => brand === sent.get("paymentBrand"));
  const said = [...sent].filter(([name]) => !isOther || !name.startsWith("card."));
  const fields = said.map(
    ([name, value]) =>
      [name, NUMBERS.includes(name) ? value.replaceAll(/[\s-]/g, "") : billingAsSent(name, value.trim())] as const,
  );
  return new Map(fields.filter(([, value]) => value !== ""));
}

/** Fields to correct, in the page's language. Values are not repeated: one may be a card number. */
function linesOf(link: PaymentLink, problems: readonly ParameterProblem[]): readonly Line[] {
  const { words, page } = languageOf(link);
  const { cardNumber, cardHolder, cvv, accountHolder, accountIban, brand } = page.labels;
  const labels = new Map([
    ["card.number", cardNumber],
    ["card.holder", cardHolder],
    ["card.expiryMonth", words.expiryMonth],
    ["card.expiryYear", words.expiryYear],
    ["card.cvv", cvv],
    ["bankAccount.holder", accountHolder],
    ["bankAccount.iban", accountIban],
    ["paymentBrand", brand],
  ]);
  return problems.map(({ name }) => {
    const field = labels.get(name) ?? billingLabel(name, words);
    return { text: field === undefined ? page.errors.generalError : said(link, "check", { field }), parameter: name };
  });
}

/** Reads the link again inside the transaction that decides. */
function payLink(context: Context, id: string, payment: Sent, bend: Bend): Reply {
  const now = context.clock.now();
  const links = linksOf(context);
  const found = links.get(id);
  if (found === undefined) return noLinkPage();
  if (!["CREATED", "OPENED"].includes(stateOf(context, found, now).status)) return pageOf(context, found);
  const link = opened(found, now);
  const checkoutId = checkoutIdOf(link) ?? "";
  const paid: Paid = pay(context, payment, { bend, way: { checkoutId } });
  if (paid.is === "refused")
    return pageOf(context, link, { status: 400, lines: [notTaken(link, codeOf(paid.reply))], typed: payment });
  const { booking } = paid;
  links.put(id, { ...link, transactions: [...link.transactions, { id: booking.id, checkoutId }] });
  return seeOther(shopperAddress(booking, now) ?? linkReturn(context, booking, now), () => pageOf(context, link));
}

function pageOf(context: Context, link: PaymentLink, retry?: Retry): Reply {
  const now = context.clock.now();
  const state = stateOf(context, link, now);
  const { booking } = state;
  if (booking === undefined) return linkPage(link, state, {}, retry);
  const back = link.parameters["shopperResultUrl"] === undefined ? undefined : linkReturn(context, booking, now);
  return linkPage(link, state, { goOn: shopperAddress(booking, now), back }, retry);
}

/** The failure of the last payment, for a customer who comes back. */
function lastFailure({ store, clock }: Context, link: PaymentLink): Retry | undefined {
  const last = link.transactions.at(-1);
  const booking: Booking | undefined = last && store.byId(last.id);
  const isOver = booking !== undefined && isSettled(booking, clock.now());
  return isOver && !books(booking.resultCode)
    ? { status: 200, lines: [notTaken(link, booking.resultCode)] }
    : undefined;
}

/** A channel that accepts a merchantTransactionId only once declines every second try of a link. */
const DUPLICATE = "800.130.100";

/** The result code is omitted; the merchant reads it. */
function notTaken(link: PaymentLink, resultCode: string): Line {
  return { text: `${said(link, "notMade")} ${said(link, resultCode === DUPLICATE ? "newLink" : "tryAgain")}` };
}

const refusalSchema = z.looseObject({ result: z.looseObject({ code: z.string() }) });

function codeOf({ body }: Reply): string {
  return refusalSchema.parse(JSON.parse(body)).result.code;
}
