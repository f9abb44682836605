import { ascii } from "../kit/bytes.ts";
import { fromHex, isHex, toHex } from "../kit/hex.ts";
import type { IssuerResponse } from "./issuer-response.ts";
import { clearable } from "./tags.ts";
import { encodeTlv, findTag, parseTlv, type Tlv } from "./tlv.ts";

/**
 * Mandatory for an authorization at Visa, Mastercard, American Express and Discover (public processor tables); sent
 * first, in this order.
 */
const mandatory = [
  "82",
  "84",
  "95",
  "9A",
  "9C",
  "5F2A",
  "9F02",
  "9F03",
  "9F10",
  "9F1A",
  "9F26",
  "9F33",
  "9F36",
  "9F37",
] as const;

/** Requested by some schemes or acquirers; sent next, if the card or terminal provides them. */
const wanted = ["5F34", "9F27", "9F34", "9F35", "9F41", "9F1E", "9F09", "4F", "9F06", "9F53", "9F6E"] as const;

/** The cryptogram counts an absent "other amount" as zero (EMV Book 3, 5.4), so the issuer must get zero. */
const NO_OTHER_AMOUNT = new Uint8Array(6);

/**
 * The card's data for `pos.iccDataRequest`: upper-case hexadecimal TLV, each tag once (its first value), nothing
 * sensitive. Tags have maximum lengths, so it fits into the specification's 2048 characters.
 */
export function iccDataRequestOf(icc: readonly Tlv[]): string {
  const clear = clearable(icc);
  const sent = [...mandatory, ...wanted].flatMap((tag) => {
    const value = findTag(clear, tag) ?? (tag === "9F03" && clear.length > 0 ? NO_OTHER_AMOUNT : undefined);
    return value === undefined ? [] : [toHex(encodeTlv(tag, value))];
  });
  return sent.join("");
}

const approving: readonly string[] = ["00", "10", "11"];

/**
 * Codes that a card or kernel may not read as a decline: approvals, "honour with identification", referrals, "no reason
 * to decline", and the terminal's own Y and Z codes.
 */
const notDeclining: readonly string[] = [...approving, "01", "02", "08", "16", "85", "86", "87"];

const APPROVED = "3030";
const DECLINED = "3035";
/** Z3: unable to go online, declined (EMV Book 4, annex A6). */
const UNABLE = "5A33";

/** EMV Book 3 annex A: tag 91 is 8 to 16 bytes. */
const isAuthentication = (value: Uint8Array): boolean => value.length >= 8 && value.length <= 16;

/**
 * The response for the card. The code (8A) follows the verdict, so that a card never approves a declined payment. 91,
 * 71 and 72 pass as received; all else is dropped. Without a host, nothing from an issuer passes.
 */
export function issuerResponseOf(
  verdict: IssuerResponse["verdict"],
  iccDataResponse: string | undefined,
): IssuerResponse {
  if (verdict === "unable-to-go-online") return { verdict, arc: UNABLE, scripts: [] };
  const parsed =
    iccDataResponse !== undefined && isHex(iccDataResponse) ? parseTlv(fromHex(iccDataResponse)) : undefined;
  const objects = parsed?.ok ? parsed.objects : [];
  const authentication = findTag(objects, "91");
  return {
    verdict,
    arc: arcOf(verdict, findTag(objects, "8A")),
    ...(authentication !== undefined && isAuthentication(authentication) && { authentication: toHex(authentication) }),
    scripts: objects.flatMap(({ tag, value }) => (tag === "71" || tag === "72" ? [{ tag, value: toHex(value) }] : [])),
  };
}

function arcOf(verdict: "approved" | "declined", received: Uint8Array | undefined): string {
  const code = received?.length === 2 ? ascii(received) : "";
  const agrees =
    verdict === "approved" ? approving.includes(code) : /^[0-9A-X][0-9A-Z]$/.test(code) && !notDeclining.includes(code);
  if (received !== undefined && agrees) return toHex(received);
  return verdict === "approved" ? APPROVED : DECLINED;
}
