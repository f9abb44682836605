import { hash } from "node:crypto";
import { z } from "zod";
import { parseLimit } from "../../payment/request.ts";
import type { Scope } from "../ports.ts";
import { knownScopes, parseRegisterName } from "./token-name.ts";
import { sameHash } from "./token-secret.ts";

/** Limits as stored and shown: "200.00". */
export interface LimitTexts {
  readonly payment?: string | undefined;
  readonly day?: string | undefined;
}

/** A token in a list for people. */
export interface TokenEntry {
  readonly register: string;
  readonly scopes: readonly Scope[];
  readonly refundLimits?: LimitTexts;
  /** A paired register, which has a key in place of a token: its page's Origin, or `none`. */
  readonly origin?: string;
  readonly createdAt: string;
  /** To the minute. */
  readonly lastUsedAt?: string;
}

/**
 * The columns with the token's rights, which the seal covers. Text only, so that no flipped bit makes an unreadable
 * number.
 */
const writtenSchema = z.object({
  hash: z.string(),
  register: z.string(),
  scopes: z.string(),
  created_at: z.string(),
  limit_payment: z.string().nullable(),
  limit_day: z.string().nullable(),
  origin: z.string().nullable(),
});
export type TokenColumns = z.infer<typeof writtenSchema>;

const sealedSchema = writtenSchema.extend({ seal: z.string() });
const usedSchema = z.object({ last_used_at: z.string() });
const namesSchema = z.object({ register: z.string() });
const scopesSchema = z.array(z.string());

export interface SoundToken {
  readonly is: "sound";
  readonly columns: TokenColumns;
  readonly entry: TokenEntry;
}

export type ReadToken =
  | SoundToken
  /** Differs from the written row. `register`: the name as it reads now, if valid. */
  | { readonly is: "damaged"; readonly register: string };

/**
 * SHA-256 over every column with rights, like the journal's seals. The time of last use gives no rights and is
 * excluded. A row without an origin has the seal of version 2.
 */
export function sealOfToken({
  hash: own,
  register,
  scopes,
  created_at,
  limit_payment,
  limit_day,
  origin,
}: TokenColumns): string {
  const sealed = [own, register, scopes, created_at, limit_payment, limit_day];
  return hash("sha256", `posbridge token\n${JSON.stringify(origin === null ? sealed : [...sealed, origin])}`, "hex");
}

/** `own`: the hash of the token, or of the key. */
export function columnsOf(
  own: string,
  { register, scopes, createdAt, origin, refundLimits: { payment, day } = {} }: TokenEntry,
): TokenColumns {
  return {
    hash: own,
    register,
    scopes: JSON.stringify(scopes),
    created_at: createdAt,
    limit_payment: payment ?? null,
    limit_day: day ?? null,
    origin: origin ?? null,
  };
}

/** Parses any row of SQLite; never throws. Nothing counts before the seal is verified. */
export function readToken(row: unknown): ReadToken {
  const sealed = sealedSchema.safeParse(row);
  const entry =
    sealed.success && sameHash(sealed.data.seal, sealOfToken(sealed.data)) ? entryOf(sealed.data, row) : undefined;
  if (sealed.success && entry !== undefined) return { is: "sound", columns: sealed.data, entry };
  const named = namesSchema.safeParse(row);
  return { is: "damaged", register: (named.success && parseRegisterName(named.data.register)) || "?" };
}

/** Undefined: the row was damaged before it had a seal, and was sealed in that state. */
function entryOf(
  { register, scopes: text, created_at, limit_payment, limit_day, origin }: TokenColumns,
  row: unknown,
): TokenEntry | undefined {
  const scopes = scopesIn(text);
  if (scopes === undefined || !isLimit(limit_payment) || !isLimit(limit_day)) return undefined;
  const used = usedSchema.safeParse(row);
  const refundLimits = {
    ...(limit_payment !== null && { payment: limit_payment }),
    ...(limit_day !== null && { day: limit_day }),
  };
  return {
    ...{ register, scopes, createdAt: created_at },
    ...(origin !== null && { origin }),
    ...(Object.keys(refundLimits).length > 0 && { refundLimits }),
    ...(used.success && { lastUsedAt: used.data.last_used_at }),
  };
}

/** A scope of another version gives no rights here, and the other scopes stay valid. */
function scopesIn(text: string): readonly Scope[] | undefined {
  try {
    return knownScopes(scopesSchema.parse(JSON.parse(text)));
  } catch {
    // Neither JSON nor a list: the row counts as damaged, and its message names the fix.
    return undefined;
  }
}

function isLimit(text: string | null): boolean {
  return text === null || parseLimit(text) !== undefined;
}
