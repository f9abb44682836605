import type { Brand } from "../../testbed/cryptogram.ts";
import type { Conclusion, KnownCard, Verification } from "../../testbed/issuer-contract.ts";
import type { Context } from "../context.ts";
import type { IssuerPart } from "../ledger/booking.ts";
import { isSuccess } from "../ledger/codes.ts";
import { type Outcome, responseCodeOf } from "../ledger/outcome.ts";
import { timestampOf } from "../replies.ts";

const BRANDS: Readonly<Record<Brand, string>> = {
  visa: "VISA",
  mastercard: "MASTER",
  amex: "AMEX",
  discover: "DISCOVER",
  jcb: "JCB",
  unionpay: "UNIONPAY",
  interac: "INTERAC",
};

/** Specification, "Point of sale": letters or digits only. */
const MERCHANT_ID = "SANDBOX00000001";
const CLEARING_INSTITUTE = "Sandbox Acquirer";

/** The issuer that verified the presented card. NO_CARD is an issuer without chip data for the reply. */
export type Presented = Pick<Verification, "card" | "conclude" | "isCardDone">;

export const NO_CARD: Presented = { card: undefined, conclude: () => undefined, isCardDone: true };

/**
 * The reply's fields beyond the result: card and brand if the number could be read, acquirer and chip data if the
 * issuer answered.
 */
export function issuerPart(context: Context, outcome: Outcome, resultCode: string, presented: Presented): IssuerPart {
  const arc = arcOf(outcome, resultCode);
  const { card } = presented;
  const read = card && {
    paymentBrand: brandOf(card),
    card: {
      bin: card.bin,
      last4Digits: card.last4,
      expiryMonth: card.expiry.slice(2),
      expiryYear: `20${card.expiry.slice(0, 2)}`,
    },
  };
  if (arc === undefined) return { ...read };
  const approved = isSuccess(resultCode);
  const numbers = numbersOf(context);
  return {
    ...read,
    resultDetails: { ...detailsOf(outcome, approved, arc, numbers), ...adviceOn(resultCode) },
    pos: posPart(context, { approved, arc, outcome, presented, numbers }),
  };
}

/** paymentBrand of a card that was read. */
export function brandOf({ brand }: KnownCard): string {
  return BRANDS[brand];
}

/** The acquirer's fields for payments without a terminal; empty if the acquirer was not asked. */
export function acquirerPart(
  context: Context,
  outcome: Outcome,
  resultCode: string,
): Pick<IssuerPart, "resultDetails"> {
  const arc = arcOf(outcome, resultCode);
  const { because } = outcome;
  if (arc === undefined) return because === undefined ? {} : { resultDetails: { ExtendedDescription: because } };
  const traces = { ConnectorTxID2: digits(context, 6), ConnectorTxID3: digits(context, 15) };
  return {
    resultDetails: {
      ...detailsOf(outcome, isSuccess(resultCode), arc, numbersOf(context)),
      ...traces,
      ...adviceOn(resultCode),
    },
  };
}

function adviceOn(resultCode: string): { readonly MerchantAdviceCode?: string } {
  const advice = ADVICE.get(resultCode);
  return advice === undefined ? {} : { MerchantAdviceCode: advice };
}

/**
 * Merchant advice after a decline (specification, "Response body", resultDetails): 01 update account data, 02 retry
 * later, 03 never retry, 21 agreement ended.
 */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["800.100.157", "01"],
  ["800.100.155", "02"],
  ["800.100.162", "02"],
  ["800.100.159", "03"],
  ["800.100.165", "03"],
  ["800.100.171", "03"],
  ["800.100.197", "21"],
]);

function arcOf(outcome: Outcome, resultCode: string): string | undefined {
  return outcome.refusal?.arc ?? outcome.responseCode ?? responseCodeOf(resultCode, outcome.half === true);
}

function numbersOf(context: Context): Answered["numbers"] {
  return { reference: digits(context, 12), approval: digits(context, 6) };
}

function detailsOf(
  { refusal, because }: Outcome,
  approved: boolean,
  arc: string,
  numbers: Answered["numbers"],
): Record<string, string> {
  const why = refusal?.check ?? because;
  return {
    AcquirerResponse: arc,
    ConnectorTxID1: numbers.reference,
    clearingInstituteName: CLEARING_INSTITUTE,
    ...(approved && { AuthCode: numbers.approval }),
    ...(why !== undefined && { ExtendedDescription: why }),
  };
}

interface Answered {
  readonly approved: boolean;
  readonly arc: string;
  readonly outcome: Outcome;
  readonly presented: Presented;
  readonly numbers: { readonly reference: string; readonly approval: string };
}

function posPart(
  context: Context,
  { approved, arc, outcome, presented, numbers }: Answered,
): NonNullable<IssuerPart["pos"]> {
  const asMagic: Conclusion["variation"] = outcome.icc === "absent" ? undefined : outcome.icc;
  const variation = presented.isCardDone ? "without-91" : asMagic;
  const forCard = presented.conclude({ approved, arc, variation });
  const authorizationIssuerCode = approved ? { authorizationIssuerCode: numbers.approval } : {};
  return {
    clearing: { authorizationAcquirerCode: arc, ...authorizationIssuerCode, identifier: numbers.reference },
    merchantId: MERCHANT_ID,
    ...(forCard !== undefined && outcome.icc !== "absent" && { iccDataResponse: forCard }),
    statusText: approved ? `${outcome.half ? "PARTIALLY" : ""}APPROVED` : "DECLINED",
    timestamp: timestampOf(context.clock.now()).slice(0, "yyyy-MM-dd HH:mm:ss".length),
  };
}

function digits({ random }: Context, count: number): string {
  return Array.from(random.bytes(count), (byte) => byte % 10).join("");
}
