/*
 * The texts that register and bridge sign and hash when a register proves itself by a key. Both sides import this file,
 * so it uses no Node module. Lines cannot be confused: no field contains a line break.
 */

/** Where a register stands: its page's Origin, or `none`; and the address that it connected to. */
export interface Place {
  readonly origin: string;
  readonly address: string;
}

/** Stands for the Origin of a program, which sends none. */
export const NO_ORIGIN = "none";

interface BridgeProof {
  readonly challenge: string;
  readonly nonce: string;
  readonly address: string;
}

/** The bridge signs its address too: a program that relays from another port cannot borrow the signature. */
export function bridgeText({ challenge, nonce, address }: BridgeProof): string {
  return lines("posbridge bridge 1", challenge, nonce, address);
}

interface RegisterProof extends Place {
  /** The bridge's public key. */
  readonly bridge: string;
  readonly nonce: string;
}

export function registerText({ bridge, nonce, origin, address }: RegisterProof): string {
  return lines("posbridge register 1", bridge, nonce, origin, address);
}

interface Commitment {
  readonly key: string;
  readonly secret: string;
}

/** Its SHA-256 is the challenge before `session.pair`: the register is bound to its secret before the bridge signs. */
export function commitmentText({ key, secret }: Commitment): string {
  return lines("posbridge pairing 1", key, secret);
}

interface CodeParts extends Commitment {
  readonly bridge: string;
  /** The bridge's answer to the challenge. */
  readonly signature: string;
}

/** Its SHA-256 begins with the code. A program between both sides has other keys, and so another code on each. */
export function codeText({ key, bridge, secret, signature }: CodeParts): string {
  return lines("posbridge code 1", key, bridge, secret, signature);
}

/** Without 0, O, 1 and I, which people mistake for each other. */
const SYMBOLS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const CODE_LENGTH = 6;
const BITS = 5;

/** The first 30 bits of a hash, five bits a symbol. */
export function codeOf(digest: Uint8Array): string {
  const [a = 0, b = 0, c = 0, d = 0] = digest;
  const first = (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) >>> 2;
  const symbolAt = (place: number): string =>
    SYMBOLS.charAt((first >>> (BITS * (CODE_LENGTH - 1 - place))) % SYMBOLS.length);
  return Array.from({ length: CODE_LENGTH }, (_, place) => symbolAt(place)).join("");
}

/** A code as people type it: any case, with spaces or hyphens. Undefined: not a code. */
export function parseCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, "").toUpperCase();
  return code.length === CODE_LENGTH && [...code].every((symbol) => SYMBOLS.includes(symbol)) ? code : undefined;
}

/** Scheme, host and port of a socket's URL, the port always named; undefined: no socket's URL. */
export function addressOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  const { protocol, hostname, port } = parsed;
  if (protocol === "ws:") return `ws://${hostname}:${port || "80"}`;
  return protocol === "wss:" ? `wss://${hostname}:${port || "443"}` : undefined;
}

/** A name that may lead to another program: a key proves itself at no such address. */
export function isLocalhost(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? "";
  return /(^|\.)localhost\.?$/i.test(host);
}

function lines(...parts: readonly string[]): string {
  return parts.join("\n");
}
