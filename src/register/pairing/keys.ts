import { createECDH, createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import type { Random } from "../../kit/random.ts";
import { Secret } from "../../kit/secret.ts";

/*
 * ECDSA with P-256 and SHA-256, as browsers have it (Web Cryptography API, 23). A public key is its uncompressed point
 * (SEC 1, 2.3.3), a signature is r and s (32 bytes each), both in base64url.
 */

const PRIVATE_BYTES = 32;
const POINT_BYTES = 65;
const UNCOMPRESSED = 0x04;

/** The bridge's own key. */
export interface BridgeKey {
  /** Public part. */
  readonly public: string;
  sign(text: string): string;
}

/** A private key: 32 bytes as base64url. */
export function newPrivateKey(random: Random): Secret<string> {
  for (;;) {
    const made = Buffer.from(random.bytes(PRIVATE_BYTES)).toString("base64url");
    // A number above the order of the curve is no key; it comes once in four billion times.
    if (pointOf(made) !== undefined) return new Secret(made);
  }
}

/** Undefined: not a private key. */
export function bridgeKeyOf(own: Secret<string>): BridgeKey | undefined {
  const d = own.reveal();
  const point = pointOf(d);
  if (point === undefined) return undefined;
  const key = createPrivateKey({ key: { ...jwkOf(point), d }, format: "jwk" });
  const signed = (text: string): string =>
    sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
  return { public: point.toString("base64url"), sign: signed };
}

/** Whether this key made the signature of the text. A key that is no point of the curve made none. */
export function hasSigned(publicKey: string, text: string, signature: string): boolean {
  const key = publicKeyOf(publicKey);
  if (key === undefined) return false;
  return verify("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
}

/** Whether the text is a point of the curve, written in its only form. */
export function isPublicKey(text: string): boolean {
  return publicKeyOf(text) !== undefined;
}

export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

function publicKeyOf(text: string): KeyObject | undefined {
  const point = Buffer.from(text, "base64url");
  if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED || point.toString("base64url") !== text)
    return undefined;
  try {
    return createPublicKey({ key: jwkOf(point), format: "jwk" });
  } catch {
    // The coordinates are no point of the curve.
    return undefined;
  }
}

function jwkOf(point: Buffer): { readonly kty: string; readonly crv: string; readonly x: string; readonly y: string } {
  const at = (from: number): string => point.subarray(from, from + PRIVATE_BYTES).toString("base64url");
  return { kty: "EC", crv: "P-256", x: at(1), y: at(1 + PRIVATE_BYTES) };
}

function pointOf(privateKey: string): Buffer | undefined {
  const curve = createECDH("prime256v1");
  try {
    curve.setPrivateKey(Buffer.from(privateKey, "base64url"));
  } catch {
    // Zero, or above the order of the curve.
    return undefined;
  }
  return curve.getPublicKey();
}
