import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Random } from "../kit/random.ts";
import type { Secret } from "../kit/secret.ts";

/*
 * Command and daemon prove that they can read the data folder's secret. Each answers the other's nonce with an HMAC, so
 * that a squatter of the address neither learns the secret nor is trusted. The daemon answers first: a command reveals
 * nothing to a stranger.
 *
 *     command → { "hello": NONCE }
 *     daemon → { "nonce": NONCE, "proof": HMAC }
 *     command → { "proof": HMAC }, then its requests
 */

const NONCE_BYTES = 32;
const hex = z.string().regex(/^[0-9a-f]{64}$/);
const helloSchema = z.strictObject({ hello: hex });
const challengeSchema = z.strictObject({ nonce: hex, proof: hex });
const proofSchema = z.strictObject({ proof: hex });

interface Nonces {
  readonly command: string;
  readonly daemon: string;
}

export function newNonce(random: Random): string {
  return Buffer.from(random.bytes(NONCE_BYTES)).toString("hex");
}

/** The HMAC includes the side, so that a proof cannot be sent back to its author. */
export function proofOf(secret: Secret<string>, side: keyof Nonces, { command, daemon }: Nonces): string {
  return createHmac("sha256", secret.reveal())
    .update(JSON.stringify(["posbridge control 1", side, command, daemon]))
    .digest("hex");
}

function isEqual(shown: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(shown), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** `say`: send this and go on; `proven`: requests follow; `refused`: close. */
export type Greeting =
  | { readonly is: "say"; readonly message: object }
  | { readonly is: "proven" }
  | { readonly is: "refused" };

/** The daemon's side of one connection: pass each line until it returns `proven` or `refused`. */
export function greeter(secret: Secret<string>, nonce: string): (line: string) => Greeting {
  let nonces: Nonces | undefined;
  return (line) => {
    const message = parseJson(line);
    if (nonces === undefined) {
      const hello = helloSchema.safeParse(message);
      if (!hello.success) return { is: "refused" };
      nonces = { command: hello.data.hello, daemon: nonce };
      return { is: "say", message: { nonce, proof: proofOf(secret, "daemon", nonces) } };
    }
    const shown = proofSchema.safeParse(message);
    return shown.success && isEqual(shown.data.proof, proofOf(secret, "command", nonces))
      ? { is: "proven" }
      : { is: "refused" };
  };
}

/** `other`: no daemon of this version; `stranger`: it does not know the secret. */
export type Introduction =
  | { readonly is: "proven"; readonly message: object }
  | { readonly is: "other" }
  | { readonly is: "stranger" };

export function helloOf(nonce: string): object {
  return { hello: nonce };
}

/** The command's side: checks the daemon's first line and returns the proof. Without a secret nobody is trusted. */
export function introduced(secret: Secret<string> | undefined, nonce: string, line: string): Introduction {
  const challenge = challengeSchema.safeParse(parseJson(line));
  if (!challenge.success) return { is: "other" };
  if (secret === undefined) return { is: "stranger" };
  const nonces: Nonces = { command: nonce, daemon: challenge.data.nonce };
  if (!isEqual(challenge.data.proof, proofOf(secret, "daemon", nonces))) return { is: "stranger" };
  return { is: "proven", message: { proof: proofOf(secret, "command", nonces) } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: each schema refuses undefined.
    return undefined;
  }
}
