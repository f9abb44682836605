import type { Brand } from "../../testbed/cryptogram.ts";
import type { Conclusion, Verification } from "../../testbed/issuer-contract.ts";
import type { Context } from "../context.ts";
import type { IssuerPart } from "../ledger/booking.ts";
import { isSuccess } from "../ledger/codes.ts";
import { type Outcome, responseCodeOf } from "../ledger/outcome.ts";

const BRANDS: Readonly<Record<Brand, string>> = { visa: "VISA", mastercard: "MASTER" };

/** Specification, "Point of sale": letters or digits only. */
const MERCHANT_ID = "SANDBOX00000001";
const CLEARING_INSTITUTE = "Sandbox Acquirer";

/** Who answers for the card: its issuer; where no card is there, an issuer that has nothing to tell a card. */
export type Presented = Pick<Verification, "card" | "conclude" | "isCardDone">;

export const NO_CARD: Presented = { card: undefined, conclude: () => undefined, isCardDone: true };

/** What the reply tells beyond the result: card and brand as soon as the number could be read, acquirer and chip data where the issuer answered. */
export function issuerPart(context: Context, outcome: Outcome, resultCode: string, presented: Presented): IssuerPart {
  const arc = outcome.refusal?.arc ?? outcome.responseCode ?? responseCodeOf(resultCode, outcome.half === true);
  const { card } = presented;
  const read = card && {
    paymentBrand: BRANDS[card.brand],
    card: { bin: card.bin, last4Digits: card.last4, expiryMonth: card.expiry.slice(2), expiryYear: `20${card.expiry.slice(0, 2)}` },
  };
  if (arc === undefined) return { ...read };
  const approved = isSuccess(resultCode);
  const numbers = { reference: digits(context, 12), approval: digits(context, 6) };
  return {
    ...read,
    resultDetails: {
      AcquirerResponse: arc,
      ConnectorTxID1: numbers.reference,
      clearingInstituteName: CLEARING_INSTITUTE,
      ...(approved && { AuthCode: numbers.approval }),
      ...(outcome.refusal && { ExtendedDescription: outcome.refusal.check }),
    },
    pos: posPart(context, { approved, arc, outcome, presented, numbers }),
  };
}

interface Answered {
  readonly approved: boolean;
  readonly arc: string;
  readonly outcome: Outcome;
  readonly presented: Presented;
  readonly numbers: { readonly reference: string; readonly approval: string };
}

function posPart(context: Context, { approved, arc, outcome, presented, numbers }: Answered): NonNullable<IssuerPart["pos"]> {
  const asMagic: Conclusion["variation"] = outcome.icc === "absent" ? undefined : outcome.icc;
  const variation = presented.isCardDone ? "without-91" : asMagic;
  const forCard = presented.conclude({ approved, arc, variation });
  const authorizationIssuerCode = approved ? { authorizationIssuerCode: numbers.approval } : {};
  return {
    clearing: { authorizationAcquirerCode: arc, ...authorizationIssuerCode, identifier: numbers.reference },
    merchantId: MERCHANT_ID,
    ...(forCard !== undefined && outcome.icc !== "absent" && { iccDataResponse: forCard }),
    statusText: approved ? `${outcome.half ? "PARTIALLY" : ""}APPROVED` : "DECLINED",
    timestamp: new Date(context.clock.now()).toISOString().slice(0, 19).replace("T", " "),
  };
}

function digits({ random }: Context, count: number): string {
  return Array.from(random.bytes(count), (byte) => byte % 10).join("");
}
