import { isGatewayId } from "../kit/ids.ts";
import { currencyOf, formatAmount, type Minor } from "../kit/money.ts";
import type { Answer, Found, Operation, SearchResult } from "../payment/exchange.ts";
import type { Accepted } from "../payment/machine.ts";
import { type Role, roleOf } from "../payment/state.ts";
import { reasonOf } from "../payment/view.ts";

/*
 * Texts for requests to the gateway and their answers. From the gateway's data only well-formed ids and codes are
 * repeated.
 */

const REQUESTS: Readonly<Record<Role, string>> = {
  reservation: "the reservation (PA)",
  debit: "the debit (DB)",
  credit: "the credit (CD)",
  registration: "the registration of the card (RG)",
  increment: "the increment (PA)",
  capture: "the capture (CP)",
  refund: "the refund (RF)",
  void: "the reversal (RV)",
  "own-capture": "the capture (CP)",
  reversal: "the reversal (RV)",
  "give-back": "the refund in place of a reversal (RF)",
  deregistration: "the deletion of the stored card (DR)",
  deletion: "the deletion of the stored card (DR)",
};

/** A request with its amount: "the reservation (PA) of 12.34 EUR". */
export function requestText(accepted: Accepted, operation: Operation): string {
  const amount = operation.amount ?? operation.reverses;
  const name = operation.link === undefined ? REQUESTS[roleOf(accepted.type, operation)] : "the payment link (DB)";
  return amount === undefined ? name : `${name} of ${moneyText(amount, operation.currency ?? accepted.currency)}`;
}

/** "12.34 EUR". */
export function moneyText(amount: Minor, code: string): string {
  const currency = currencyOf(code);
  return `${currency === undefined ? amount : formatAmount(amount, currency)} ${code}`;
}

/** The gateway's answer to a request. `request` begins with "the"; `asked` has the requested amount. */
export function answerText(
  request: string,
  answer: Answer,
  asked: { readonly amount: Minor | undefined; readonly currency: string },
): string {
  return `${answerWords(request, answer, asked)}${namesOf(answer)}.`;
}

type Asked = Parameters<typeof answerText>[2];

function answerWords(request: string, answer: Answer, asked: Asked): string {
  switch (answer.is) {
    case "approved":
      return `The gateway approved ${request}${otherAmount(answer, asked)}`;
    case "link":
      return "The gateway made the payment link";
    case "declined":
      return `The gateway declined ${request}: ${withoutStop(reasonOf(answer.why).message)}`;
    case "soft-declined":
      return `The issuer declined ${request} for now: it wants the cardholder to insert the card and type the PIN`;
    case "pending":
      return `The gateway has ${request} and has not decided it yet`;
    case "not-booked":
      return notBooked(request, answer);
    case "throttled":
      return `The gateway turned ${request} away, because too many requests came`;
    case "duplicate":
      return `The gateway calls ${request} a duplicate; the bridge queries what became of the first`;
    case "already-reversed":
      return `To ${request} the gateway said that it is done already`;
    case "not-reversible":
      return `The gateway refused ${request}: the booking cannot be reversed`;
    case "still-pending":
      return `The gateway refused ${request} for now: the booking is still pending there`;
    case "auto-reversed":
      return `The gateway timed out, and says that it reversed ${request} by itself`;
    case "half-reversed":
      return `The gateway carried out ${request} in part, or is not sure of it`;
    case "unknown":
      return `No clear answer to ${request} came: what became of it is not known`;
  }
}

/** The amount is named only if it differs from the requested one. */
function otherAmount({ amount, currency = "" }: Extract<Answer, { is: "approved" }>, asked: Asked): string {
  if (amount === undefined || (amount === asked.amount && currency === asked.currency)) return "";
  return `, but of ${moneyText(amount, /^[A-Z]{3}$/.test(currency) ? currency : asked.currency)}`;
}

function notBooked(request: string, { why, lacks, tooLate }: Extract<Answer, { is: "not-booked" }>): string {
  if (tooLate) return `The bridge did not send ${request}: nobody waited for it any more`;
  if (why === "not-sent") return `The bridge could not reach the gateway: ${request} was not sent`;
  if (why === "gateway-down") return `The gateway is out of order: ${request} was not booked`;
  if (lacks === "setup") return `The gateway refused ${request}: the channel is not set up for it`;
  if (lacks === "access")
    return `The gateway refused ${request}: it does not accept the bridge's access token, key or address`;
  if (lacks === "original")
    return `The gateway refused ${request}: the original booking is not there, or too little is left of it`;
  return `The gateway refused ${request}; nothing was booked`;
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

/** Result code and id, for the gateway's back office. */
function namesOf({ resultCode, id }: Answer): string {
  const code = codeOf(resultCode);
  const names = [
    ...(code === undefined ? [] : [`code ${code}`]),
    ...(id !== undefined && isGatewayId(id) ? [`id ${id}`] : []),
  ];
  return names.length === 0 ? "" : ` (${names.join(", ")})`;
}

function codeOf(resultCode: string | undefined): string | undefined {
  return resultCode !== undefined && /^[0-9]{3}(?:\.[0-9]{1,3}){1,2}$/.test(resultCode) ? resultCode : undefined;
}

/** The result of a query. */
export function searchText(request: string, result: SearchResult): string {
  switch (result.is) {
    case "found":
      return `The bridge queried the gateway for ${request}: ${rowsText(result.bookings)}.`;
    case "absent":
      return `The bridge queried the gateway for ${request}: the gateway shows nothing of it now.`;
    case "throttled":
      return `The gateway turned a query for ${request} away, because too many requests came.`;
    case "no-answer":
      return `The gateway did not answer a query for ${request}.`;
    case "not-asked":
      return `A query for ${request} never had its turn, and is not needed any more.`;
  }
}

/** Number of rows listed individually. */
const MOST_ROWS = 6;

const ROWS: Readonly<Record<Answer["is"], string>> = {
  approved: "approved",
  link: "a link",
  declined: "declined",
  "soft-declined": "declined",
  pending: "not decided",
  "not-booked": "not booked",
  throttled: "turned away",
  duplicate: "a duplicate",
  "already-reversed": "reversed already",
  "not-reversible": "not reversible",
  "still-pending": "refused for now",
  "auto-reversed": "reversed by the gateway itself",
  "half-reversed": "in part, or not sure",
  unknown: "not clear",
};

function rowsText(rows: readonly Found[]): string {
  const named = rows
    .slice(0, MOST_ROWS)
    .map(({ paymentType, answer }) => `${/^[A-Z]{2}$/.test(paymentType) ? paymentType : "booking"} ${ROWS[answer.is]}`);
  const more = rows.length > MOST_ROWS ? [`${rows.length - MOST_ROWS} more`] : [];
  return [...named, ...more].join(", ");
}
