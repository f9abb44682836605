import { receiptDataOf } from "../emv/receipt-data.ts";
import { parseTlv } from "../emv/tlv.ts";
import { fromHex } from "../kit/hex.ts";
import type { IssuerAnswer } from "../payment/exchange.ts";
import type { Reply } from "./reply.ts";

/** ISO 8583: field 39 has two characters, in later editions three or four digits; field 38 has six. */
const RESPONSE_CODE = /^(?:[A-Za-z0-9]{2}|[0-9]{3,4})$/;
const APPROVAL_CODE = /^[A-Za-z0-9]{6}$/;

/** Each field comes from the first source that has it (docs/gateway.md). */
export function issuerAnswerOf(reply: Reply): IssuerAnswer {
  const { pos, card } = reply;
  const approvalCode = approvalCodeOf(reply);
  const responseCode = responseCodeOf(reply);
  return {
    ...(pos?.iccDataResponse !== undefined && { iccDataResponse: pos.iccDataResponse.toUpperCase() }),
    ...(approvalCode !== undefined && { approvalCode }),
    ...(responseCode !== undefined && { responseCode }),
    ...(pos?.clearing?.identifier !== undefined && { rrn: pos.clearing.identifier }),
    ...(pos?.merchantId !== undefined && { merchantId: pos.merchantId }),
    ...(card?.bin !== undefined && { bin: card.bin }),
    ...(card?.last4Digits !== undefined && { last4: card.last4Digits }),
  };
}

function approvalCodeOf({ pos, resultDetails }: Reply): string | undefined {
  const { authorizationIssuerCode, authorizationAcquirerCode: acquirers = "" } = pos?.clearing ?? {};
  return authorizationIssuerCode ?? resultDetails?.AuthCode ?? (APPROVAL_CODE.test(acquirers) ? acquirers : undefined);
}

function responseCodeOf({ pos, resultDetails }: Reply): string | undefined {
  const { authorizationAcquirerCode: acquirers = "" } = pos?.clearing ?? {};
  return (
    resultDetails?.AcquirerResponse ??
    (RESPONSE_CODE.test(acquirers) ? acquirers : undefined) ??
    codeForCard(pos?.iccDataResponse)
  );
}

/** The response code that the issuer sends to the card (tag 8A). */
function codeForCard(iccDataResponse: string | undefined): string | undefined {
  const parsed = iccDataResponse === undefined ? undefined : parseTlv(fromHex(iccDataResponse));
  return parsed?.ok ? receiptDataOf(parsed.objects).arc : undefined;
}
