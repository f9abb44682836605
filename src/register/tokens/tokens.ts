import { z } from "zod";
import { type Clock, isoTime } from "../../kit/clock.ts";
import type { Random } from "../../kit/random.ts";
import type { Secret } from "../../kit/secret.ts";
import { formatLimit, parseLimit } from "../../payment/request.ts";
import { type BridgeKey, sha256 } from "../pairing/keys.ts";
import type { TokenRights, Tokens } from "../ports.ts";
import { bridgeKeyIn } from "./bridge-key.ts";
import {
  asWritten,
  type DiskWords,
  insertToken,
  keepSound,
  keyPlace,
  onDisk,
  openTokenDatabase,
  readTokenRows,
  tokensFile,
  useWriter,
} from "./token-database.ts";
import { defaultScopes, parseRegisterName, parseScopes, scopes } from "./token-name.ts";
import {
  columnsOf,
  type LimitTexts,
  type ReadToken,
  readToken,
  type SoundToken,
  type TokenEntry,
} from "./token-row.ts";
import { hashOfToken, newToken } from "./token-secret.ts";

/** Limit of tokens in one data folder, for all registers together. */
export const MAX_TOKENS = 1000;
/**
 * Interval for writing a token's time of last use, so that a register that reconnects all day does not wear out the
 * disk.
 */
const LAST_USED_EVERY_MS = 60_000;

/** A token of the list; a damaged one has only its name as it reads now. */
export type ListedToken = TokenEntry | { readonly register: string; readonly damaged: true };

/** A new token; limits as text, "200.00". Default scopes: payments and refunds. */
export interface TokenRequest {
  readonly register: string;
  readonly scopes: readonly string[];
  readonly refundLimits?: LimitTexts | undefined;
}

/** A register that a technician has approved: its key stands in place of a token. */
export interface PairingOrder extends TokenRequest {
  readonly key: string;
  readonly origin: string;
}

/** A completed change, or one line that says why it failed. */
export type TokenChange<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

/**
 * The tokens of a data folder; disk errors throw TokensUnusable. A register may have several (one a device, or old and
 * new). Its name owns its payments, not its token.
 */
export interface TokenStore extends Tokens {
  /** Creates a token. It is shown only once: only its SHA-256 is stored. */
  create(request: TokenRequest): TokenChange<TokenEntry & { readonly token: Secret<string> }>;
  /** Stores a paired register. */
  pair(order: PairingOrder): TokenChange<TokenEntry>;
  /** The bridge's own key, made at the first use of the data folder. */
  bridgeKey(): BridgeKey;
  /** By name, then oldest first; damaged ones at the end. */
  list(): readonly ListedToken[];
  /** Revokes every token of a register. Afterwards `find` knows none of them, and all watchers have been called. */
  revoke(register: string): TokenChange<{ readonly revoked: number }>;
  /** Revokes every damaged token, because no name identifies it reliably. */
  revokeDamaged(): TokenChange<{ readonly revoked: number }>;
  close(): void;
}

export interface TokenStoreOptions {
  /** An existing data folder, locked by this process or only read. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly disk: DiskWords;
  /** Logs a failure that needs no refusal: a time of last use that could not be written. */
  readonly warn?: (message: string) => void;
}

const countSchema = z.object({ count: z.int() });

const no = (message: string): { readonly ok: false; readonly message: string } => ({ ok: false, message });

const COLUMNS = "hash, register, scopes, created_at, limit_payment, limit_day, last_used_at, seal, origin";

export function openTokens(on: TokenStoreOptions): TokenStore {
  const careful = <T>(run: () => T): T => onDisk(on.dataDir, on.disk, run);
  const database = careful(() => openTokenDatabase(on.dataDir));
  const insert = insertToken(database);
  const count = database.prepare("SELECT count(*) AS count FROM tokens");
  const all = asWritten(database.prepare(`SELECT ${COLUMNS} FROM tokens`));
  // Does not use the key's index: a flipped bit in another row's key would misdirect the search.
  const byHash = asWritten(database.prepare(`SELECT ${COLUMNS} FROM tokens WHERE +hash = ?`));
  const remove = database.prepare("DELETE FROM tokens WHERE register = ?");
  const noteUse = useNotes(on, useWriter(database));
  const watchers = new Set<(register: string) => void>();

  const place = (request: TokenRequest): TokenChange<TokenEntry> => {
    const wanted = entryWanted(request, isoTime(on.clock.now()));
    if (wanted.ok && careful(() => countSchema.parse(count.get())).count >= MAX_TOKENS)
      return no(`there are ${MAX_TOKENS} tokens already; revoke some`);
    return wanted;
  };
  const find = (hash: string): TokenEntry | { readonly damaged: string } | undefined => {
    const row = byHash.get(hash);
    if (row === undefined) return undefined;
    const found = readToken(row);
    if (found.is === "damaged") return damaged(on, found.register);
    noteUse(hash, found.entry);
    return found.entry;
  };

  return {
    create: (request) => {
      const wanted = place(request);
      if (!wanted.ok) return wanted;
      const token = newToken(on.random);
      const hash = z.string().parse(hashOfToken(token.reveal()));
      careful(() => insert(columnsOf(hash, wanted.value), null));
      return { ok: true, value: { ...wanted.value, token } };
    },
    pair: ({ key, origin, ...request }) => {
      const wanted = place(request);
      if (!wanted.ok) return wanted;
      const entry = { ...wanted.value, origin };
      careful(() => insert(columnsOf(hashOfKey(key), entry), null));
      return { ok: true, value: entry };
    },
    bridgeKey: () => careful(() => bridgeKeyIn(keyPlace(database), on.random, (message) => on.warn?.(message))),
    list: () => careful(() => listed(all.all().map((row) => readToken(row)))),
    revoke: (register) => {
      const name = parseRegisterName(register) ?? register;
      const revoked = Number(careful(() => remove.run(name)).changes);
      if (revoked === 0) return no(`register ${JSON.stringify(register.slice(0, 64))} has no token; see: tokens list`);
      for (const tell of [...watchers]) tell(name);
      return { ok: true, value: { revoked } };
    },
    revokeDamaged: () => {
      const revoked = careful(() => keepSound(database));
      return revoked === 0 ? no("no token is damaged; see: tokens list") : { ok: true, value: { revoked } };
    },
    watch: (revoked) => {
      watchers.add(revoked);
      return () => void watchers.delete(revoked);
    },
    find: async (token) => {
      const hash = hashOfToken(token);
      const found = hash === undefined ? undefined : find(hash);
      return found === undefined || "damaged" in found ? found : rightsOf(found);
    },
    findKey: async (key) => {
      const found = find(hashOfKey(key));
      if (found === undefined || "damaged" in found) return found;
      // The seal has shown that an entry under this hash is of this key.
      return found.origin === undefined ? undefined : { ...rightsOf(found), origin: found.origin };
    },
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

/** Hashes of tokens and of keys never meet: a key is hashed with a line before it. */
function hashOfKey(key: string): string {
  return sha256(`posbridge key\n${key}`).toString("hex");
}

function useNotes(
  { clock, warn }: TokenStoreOptions,
  write: (hash: string, at: string) => void,
): (hash: string, entry: TokenEntry) => void {
  return (hash, { register, lastUsedAt }) => {
    const now = clock.now();
    if (lastUsedAt !== undefined && Math.abs(now - Date.parse(lastUsedAt)) < LAST_USED_EVERY_MS) return;
    try {
      write(hash, isoTime(now));
    } catch (cause) {
      warn?.(
        `the last use of a token of register ${register} could not be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    }
  };
}

/** The tokens of a data folder for listing, without an upgrade; throws TokensUnusable. */
export function listTokens({ dataDir, disk }: Pick<TokenStoreOptions, "dataDir" | "disk">): readonly ListedToken[] {
  return onDisk(dataDir, disk, () => listed(readTokenRows(dataDir)));
}

function entryWanted(
  { register, scopes: wanted, refundLimits = {} }: TokenRequest,
  createdAt: string,
): TokenChange<TokenEntry> {
  const name = parseRegisterName(register);
  if (name === undefined) return no("register: use 1 to 64 printable characters, without a space at either end");
  const parsed = parseScopes(wanted);
  if ("unknown" in parsed)
    return no(`scope: ${JSON.stringify(parsed.unknown.slice(0, 64))} is none; use ${scopes.join(", ")}`);
  const limits = limitsWanted(refundLimits);
  if (!limits.ok) return limits;
  const entry = { register: name, scopes: parsed.scopes.length === 0 ? defaultScopes : parsed.scopes, createdAt };
  return { ok: true, value: Object.keys(limits.value).length === 0 ? entry : { ...entry, refundLimits: limits.value } };
}

/** Options of `tokens create` for each limit. */
const LIMIT_OPTIONS = { payment: "--refund-limit-per-payment", day: "--refund-limit" } as const;

function limitsWanted(wanted: LimitTexts): TokenChange<LimitTexts> {
  const limits: { payment?: string; day?: string } = {};
  for (const per of ["payment", "day"] as const) {
    const text = wanted[per];
    const limit = text === undefined ? undefined : parseLimit(text);
    if (limit !== undefined) limits[per] = formatLimit(limit);
    else if (text !== undefined)
      return no(
        `${LIMIT_OPTIONS[per]}: ${JSON.stringify(text.slice(0, 64))} is no amount; use digits, and two decimals or none, such as 200.00`,
      );
  }
  return { ok: true, value: limits };
}

function rightsOf({ register, scopes: own, refundLimits }: TokenEntry): TokenRights {
  if (refundLimits === undefined) return { register, scopes: own };
  const [payment, day] = [refundLimits.payment, refundLimits.day].map((text) =>
    text === undefined ? undefined : parseLimit(text),
  );
  return {
    register,
    scopes: own,
    refundLimits: { ...(payment !== undefined && { payment }), ...(day !== undefined && { day }) },
  };
}

function damaged({ dataDir, warn }: TokenStoreOptions, register: string): { readonly damaged: string } {
  const what = `the row of this token in tokens.db was changed (it reads as register ${JSON.stringify(register)}), so that nobody knows what it may do`;
  warn?.(`${what}; look whether the disk of ${tokensFile(dataDir)} fails`);
  return {
    damaged: `${what}: take it away by \`posbridge tokens revoke --damaged\`, and make a new one by \`posbridge tokens create\``,
  };
}

function listed(rows: readonly ReadToken[]): readonly ListedToken[] {
  const orderOf = ({ columns: { register, created_at, hash } }: SoundToken): string =>
    JSON.stringify([register, created_at, hash]);
  const sound = rows
    .flatMap((row) => (row.is === "sound" ? [row] : []))
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const others = rows.flatMap((row) =>
    row.is === "damaged" ? [{ register: row.register, damaged: true as const }] : [],
  );
  return [...sound.map(({ entry }) => entry), ...others];
}
