import { hash, timingSafeEqual } from "node:crypto";
import type { Random } from "../../kit/random.ts";
import { Secret } from "../../kit/secret.ts";

/**
 * A token is `pbt_` and 256 random bits as base64url (43 characters). The prefix lets people and scanners of
 * repositories recognize a leaked token.
 */
const TOKEN = /^pbt_[A-Za-z0-9_-]{43}$/;
const TOKEN_BYTES = 32;

export function newToken(random: Random): Secret<string> {
  return new Secret(`pbt_${Buffer.from(random.bytes(TOKEN_BYTES)).toString("base64url")}`);
}

/**
 * SHA-256 of a token as 64 hexadecimal digits; undefined for an invalid token. A plain hash is enough, because 256
 * random bits cannot be guessed.
 */
export function hashOfToken(token: string): string | undefined {
  return TOKEN.test(token) ? hash("sha256", token, "hex") : undefined;
}

/** Compares in constant time, so that the duration does not reveal the position of a difference. */
export function sameHash(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a, "latin1"), Buffer.from(b, "latin1")];
  return first.length === second.length && timingSafeEqual(first, second);
}
