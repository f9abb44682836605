import { createHash } from "node:crypto";
import { Secret } from "../../src/kit/secret.ts";
import { bridgeKeyOf } from "../../src/register/pairing/keys.ts";
import { commitmentText, type Place, registerText } from "../../src/register/pairing/texts.ts";
import { BRIDGE_KEY } from "./fake-registers.ts";

/** A register's key, made from one number, with the secret and the challenge of its pairing. */
export interface PageKey {
  readonly key: string;
  readonly secret: string;
  readonly challenge: string;
  /** The signature for a socket with nonce n0. */
  sign(place: Place, nonce?: string): string;
}

export function pageKey(number: number): PageKey {
  const own = bridgeKeyOf(new Secret(Buffer.alloc(32, number).toString("base64url")));
  if (own === undefined) throw new Error("these 32 bytes are no key");
  const key = own.public;
  const secret = Buffer.alloc(32, 5).toString("base64url");
  const challenge = createHash("sha256").update(commitmentText({ key, secret })).digest("base64url");
  const signed: PageKey["sign"] = (place, nonce = "n0") =>
    own.sign(registerText({ bridge: BRIDGE_KEY.public, nonce, ...place }));
  return { key, secret, challenge, sign: signed };
}
