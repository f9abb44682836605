import type { Clock } from "../../src/kit/clock.ts";
import { Secret } from "../../src/kit/secret.ts";
import { createRegisterPairing, type PairingEvent, type RegisterPairing } from "../../src/register/pairing/desk.ts";
import { type BridgeKey, bridgeKeyOf } from "../../src/register/pairing/keys.ts";
import type { Tokens } from "../../src/register/ports.ts";
import { defaultScopes, parseScopes } from "../../src/register/tokens/token-name.ts";
import type { LimitTexts, TokenEntry } from "../../src/register/tokens/token-row.ts";
import { tokens } from "./fake-payments.ts";

const key = bridgeKeyOf(new Secret(Buffer.alloc(32, 7).toString("base64url")));
if (key === undefined) throw new Error("these 32 bytes are no key");
/** The bridge's key in tests. */
export const BRIDGE_KEY: BridgeKey = key;

/** The real pairing of registers before paired keys that are kept in memory. */
export interface FakeRegisters {
  readonly registers: RegisterPairing;
  readonly tokens: Tokens;
  readonly events: PairingEvent[];
  /** Every paired key is revoked. */
  forget(): void;
}

const LIMITED = { register: "till-7", scopes: defaultScopes, createdAt: "2026-03-01T09:00:00.000Z" };

export function fakeRegisters(
  clock: Clock,
  known: readonly string[] = [],
  limits: readonly LimitTexts[] = [],
): FakeRegisters {
  const paired = new Map<string, TokenEntry & { readonly origin: string }>();
  const events: PairingEvent[] = [];
  const findKey: Tokens["findKey"] = async (own) => {
    const found = paired.get(own);
    return found && { register: found.register, scopes: found.scopes, origin: found.origin };
  };
  const book = {
    findKey,
    list: () => [
      ...paired.values(),
      ...known.map((register) => ({ register, damaged: true as const })),
      ...limits.map((refundLimits) => ({ ...LIMITED, refundLimits })),
    ],
    pair: ({
      register,
      scopes: wanted,
      key: own,
      origin,
      refundLimits,
    }: Parameters<Parameters<typeof createRegisterPairing>[0]["tokens"]["pair"]>[0]) => {
      const parsed = parseScopes(wanted);
      if ("unknown" in parsed) return { ok: false, message: `scope: ${parsed.unknown} is none` } as const;
      const scopes = parsed.scopes.length === 0 ? defaultScopes : parsed.scopes;
      const entry = {
        ...{ register, scopes, origin, createdAt: "2026-03-01T10:00:00.000Z" },
        ...(refundLimits && { refundLimits }),
      };
      paired.set(own, entry);
      return { ok: true, value: entry } as const;
    },
  };
  const registers = createRegisterPairing({ clock, tokens: book, audit: (event) => void events.push(event) });
  return { registers, tokens: { ...tokens, findKey }, events, forget: () => paired.clear() };
}
