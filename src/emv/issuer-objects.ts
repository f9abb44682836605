import { fromHex } from "../kit/hex.ts";
import type { IssuerResponse } from "./issuer-response.ts";
import type { Tlv } from "./tlv.ts";

/** What the issuer said as the objects a card takes: 8A, 91, then its scripts. All of it was found to be hexadecimal before (issuerProblem). */
export function issuerObjects({ arc, authentication, scripts }: Omit<IssuerResponse, "verdict">): readonly Tlv[] {
  return [
    { tag: "8A", value: fromHex(arc) },
    ...(authentication === undefined ? [] : [{ tag: "91", value: fromHex(authentication) }]),
    ...scripts.map(({ tag, value }) => ({ tag, value: fromHex(value) })),
  ];
}
