import { z } from "zod";
import { fromHex, isHex, toHex } from "../kit/hex.ts";
import type { Sealed } from "./seal.ts";

/**
 * Wrapping of the encrypted notification in the body (gateway-facts 3): bare hexadecimal digits, or inside a JSON
 * object.
 */
export type Wrapper = "none" | "json";

/** A notification in an HTTP request. Header names are in lower case, as in Node. */
export interface Envelope {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const IV_HEADER = "x-initialization-vector";
const TAG_HEADER = "x-authentication-tag";

export function envelopeOf({ iv, tag, body }: Sealed, wrapper: Wrapper): Envelope {
  const hex = toHex(body);
  return {
    headers: {
      "content-type": wrapper === "json" ? "application/json" : "text/plain",
      [IV_HEADER]: toHex(iv),
      [TAG_HEADER]: toHex(tag),
    },
    body: wrapper === "json" ? JSON.stringify({ encryptedBody: hex }) : hex,
  };
}

export type Opened = { readonly ok: true; readonly sealed: Sealed } | { readonly ok: false; readonly problem: string };

const wrapped = z.looseObject({ encryptedBody: z.string() });

/** Unwraps either form; the problem never repeats any content. */
export function openEnvelope({ headers, body }: Envelope): Opened {
  const iv = bytesOf(headers[IV_HEADER]);
  if (iv === undefined) return problem("the header X-Initialization-Vector must be there, in hexadecimal digits");
  const tag = bytesOf(headers[TAG_HEADER]);
  if (tag === undefined) return problem("the header X-Authentication-Tag must be there, in hexadecimal digits");
  const text = body.trim();
  const content = bytesOf(text.startsWith("{") ? unwrapped(text) : text);
  if (content === undefined)
    return problem('the body must be hexadecimal digits, or {"encryptedBody": "..."} with such');
  return { ok: true, sealed: { iv, tag, body: content } };
}

function problem(words: string): Opened {
  return { ok: false, problem: words };
}

function bytesOf(hex: string | undefined): Uint8Array | undefined {
  return hex !== undefined && hex !== "" && isHex(hex) ? fromHex(hex) : undefined;
}

function unwrapped(text: string): string | undefined {
  try {
    return wrapped.safeParse(JSON.parse(text)).data?.encryptedBody;
  } catch {
    // Not JSON: the caller reports the expected form.
    return undefined;
  }
}
