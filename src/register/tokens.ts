import { z } from "zod";
import { type Clock, isoTime } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import type { Secret } from "../kit/secret.ts";
import type { Scope, Tokens } from "./ports.ts";
import { type DiskWords, onDisk, openTokenDatabase } from "./token-database.ts";
import { defaultScopes, knownScopes, parseRegisterName, parseScopes, scopes } from "./token-name.ts";
import { hashOfToken, newToken, sameHash } from "./token-secret.ts";

/** Tokens of one data folder at most, of all registers together. */
export const MAX_TOKENS = 1000;
/** The time of last use is written at most this often for a token, so that a register that reconnects all day does not wear the disk. */
const LAST_USED_EVERY_MS = 60_000;

export interface TokenEntry {
  readonly register: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  /** To the minute. */
  readonly lastUsedAt?: string;
}

/** A change that was made, or the one line that says why not. */
export type TokenChange<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/**
 * The tokens of a data folder; what the disk does not let it do throws TokensUnusable. A register may have several (one for each device, or an old and a new one while they are exchanged); its name, not its token,
 * owns its payments.
 */
export interface TokenStore extends Tokens {
  /** Makes a token. This is the only time that anybody sees it: its SHA-256 is what is kept. Without scopes it may do payments and refunds. */
  create(request: { readonly register: string; readonly scopes: readonly string[] }): TokenChange<TokenEntry & { readonly token: Secret<string> }>;
  /** By name, then oldest first. */
  list(): readonly TokenEntry[];
  /** Takes away every token of a register; from then on `find` knows none of them, and whoever watches has been told. */
  revoke(register: string): TokenChange<{ readonly revoked: number }>;
  close(): void;
}

export interface TokenStoreOptions {
  /** An existing data folder, held by this process (its lock) or only read. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly disk: DiskWords;
  /** Hears what went wrong without being worth a refusal: a time of last use that could not be written. */
  readonly warn?: (message: string) => void;
}

const entrySchema = z
  .object({
    register: z.string(),
    // A scope of another version allows nothing that this one knows, and takes nothing of what the others allow.
    scopes: z.string().transform((text) => knownScopes(z.array(z.string()).parse(JSON.parse(text)))),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
  })
  .transform(({ register, scopes, created_at, last_used_at }): TokenEntry => {
    const entry = { register, scopes, createdAt: created_at };
    return last_used_at === null ? entry : { ...entry, lastUsedAt: last_used_at };
  });
const hashSchema = z.object({ hash: z.string() });
const countSchema = z.object({ count: z.int() });

const no = (message: string): { readonly ok: false; readonly message: string } => ({ ok: false, message });

export function openTokens(on: TokenStoreOptions): TokenStore {
  const careful = <T>(run: () => T): T => onDisk(on.dataDir, on.disk, run);
  const database = careful(() => openTokenDatabase(on.dataDir));
  const insert = database.prepare("INSERT INTO tokens (hash, register, scopes, created_at) VALUES (?, ?, ?, ?)");
  const count = database.prepare("SELECT count(*) AS count FROM tokens");
  const all = database.prepare("SELECT register, scopes, created_at, last_used_at FROM tokens ORDER BY register, created_at, hash");
  const byHash = database.prepare("SELECT hash, register, scopes, created_at, last_used_at FROM tokens WHERE hash = ?");
  const used = database.prepare("UPDATE tokens SET last_used_at = ? WHERE hash = ?");
  const remove = database.prepare("DELETE FROM tokens WHERE register = ?");
  const watchers = new Set<(register: string) => void>();

  const noteUse = (hash: string, entry: TokenEntry): void => {
    const now = on.clock.now();
    if (entry.lastUsedAt !== undefined && Math.abs(now - Date.parse(entry.lastUsedAt)) < LAST_USED_EVERY_MS) return;
    try {
      used.run(isoTime(now), hash);
    } catch (cause) {
      on.warn?.(`the last use of a token of register ${entry.register} could not be written: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  };
  return {
    create: ({ register, scopes: wanted }) => {
      const name = parseRegisterName(register);
      if (name === undefined) return no("register: use 1 to 64 printable characters, without a space at either end");
      const parsed = parseScopes(wanted);
      if ("unknown" in parsed) return no(`scope: ${JSON.stringify(parsed.unknown.slice(0, 64))} is none; use ${scopes.join(", ")}`);
      if (careful(() => countSchema.parse(count.get())).count >= MAX_TOKENS) return no(`there are ${MAX_TOKENS} tokens already; revoke some`);
      const token = newToken(on.random);
      const entry = { register: name, scopes: parsed.scopes.length === 0 ? defaultScopes : parsed.scopes, createdAt: isoTime(on.clock.now()) };
      const hash = z.string().parse(hashOfToken(token.reveal()));
      careful(() => insert.run(hash, entry.register, JSON.stringify(entry.scopes), entry.createdAt));
      return { ok: true, value: { ...entry, token } };
    },
    list: () => careful(() => all.all().map((columns) => entrySchema.parse(columns))),
    revoke: (register) => {
      const name = parseRegisterName(register) ?? register;
      const revoked = Number(careful(() => remove.run(name)).changes);
      if (revoked === 0) return no(`register ${JSON.stringify(register.slice(0, 64))} has no token; see: tokens list`);
      for (const tell of [...watchers]) tell(name);
      return { ok: true, value: { revoked } };
    },
    watch: (revoked) => {
      watchers.add(revoked);
      return () => void watchers.delete(revoked);
    },
    find: async (token) => {
      const hash = hashOfToken(token);
      const columns = hash === undefined ? undefined : byHash.get(hash);
      if (hash === undefined || columns === undefined || !sameHash(hashSchema.parse(columns).hash, hash)) return undefined;
      const entry = entrySchema.parse(columns);
      noteUse(hash, entry);
      return { register: entry.register, scopes: entry.scopes };
    },
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}
