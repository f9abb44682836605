import { fromHex } from "../kit/hex.ts";
import type { IssuerResponse } from "./issuer-response.ts";
import type { Tlv } from "./tlv.ts";

/**
 * The issuer's response as objects for the card: 8A, 91, then scripts. issuerProblem has already checked the
 * hexadecimal.
 */
export function issuerObjects({ arc, authentication, scripts }: Omit<IssuerResponse, "verdict">): readonly Tlv[] {
  return [
    { tag: "8A", value: fromHex(arc) },
    ...(authentication === undefined ? [] : [{ tag: "91", value: fromHex(authentication) }]),
    ...scripts.map(({ tag, value }) => ({ tag, value: fromHex(value) })),
  ];
}
