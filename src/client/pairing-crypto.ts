/*
 * Keys of browsers, Node, Deno and Bun (Web Cryptography API): ECDSA with P-256 and SHA-256. Bytes are base64url
 * without padding, as the register API has them.
 */

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" } as const;
const RANDOM_BYTES = 32;

/** The platform's own key object; Node's types do not name it. */
export type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A private key that was made readable (RFC 7518, 6.2). */
export type KeyText = Readonly<Record<"kty" | "crv" | "x" | "y" | "d", string>>;

/** A register's key. Of a key that is not extractable nobody can read the private part, not even the page. */
export interface RegisterKey {
  readonly privateKey: PrivateKey;
  /** Public part: an uncompressed point. */
  readonly publicKey: string;
}

export async function newRegisterKey(isExtractable: boolean): Promise<RegisterKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, isExtractable, ["sign", "verify"]);
  return { privateKey, publicKey: toBase64url(await crypto.subtle.exportKey("raw", publicKey)) };
}

export async function signText({ privateKey }: RegisterKey, text: string): Promise<string> {
  return toBase64url(await crypto.subtle.sign(SIGNATURE, privateKey, new TextEncoder().encode(text)));
}

/** Whether this key made the signature. Anything that is no key or no signature made none. */
export async function hasSigned(publicKey: string, text: string, signature: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey("raw", fromBase64url(publicKey), CURVE, false, ["verify"]);
    return await crypto.subtle.verify(SIGNATURE, key, fromBase64url(signature), new TextEncoder().encode(text));
  } catch {
    // Neither a point of the curve nor base64: nobody signed with it.
    return false;
  }
}

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

export function randomText(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}

export async function keyFromText(publicKey: string, privateKey: KeyText): Promise<RegisterKey> {
  return { publicKey, privateKey: await crypto.subtle.importKey("jwk", privateKey, CURVE, true, ["sign"]) };
}

export function toBase64url(bytes: ArrayBuffer | Uint8Array): string {
  const characters = [...new Uint8Array(bytes)].map((byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}
