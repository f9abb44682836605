import { type KeyText, keyFromText, type RegisterKey } from "./pairing-crypto.ts";
import { type JsonShape, shape } from "./shape.ts";

/** A register's key, and the bridge's key that it was paired with. */
export interface KeptPairing {
  readonly key: RegisterKey;
  /** The bridge's public key: another one is not this bridge. */
  readonly bridge: string;
  readonly register: string;
}

/** Where a register keeps its pairing, one for each store. */
export interface PairingStore {
  /** Whether the private key must be readable for being kept. */
  readonly isExtractable: boolean;
  /** Undefined: not paired. */
  read(): Promise<KeptPairing | undefined>;
  keep(pairing: KeptPairing): Promise<void>;
  /** Forgets the pairing. */
  clear(): Promise<void>;
}

const texts = (...names: readonly string[]): JsonShape => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: names,
});

/** As text, such as a file that only its program may read. Undefined: there is none yet. */
export interface TextPlace {
  read(): Promise<string | undefined>;
  write(text: string | undefined): Promise<void>;
}

interface TextPairing {
  readonly publicKey: string;
  readonly privateKey: KeyText;
  readonly bridge: string;
  readonly register: string;
}

const own = texts("publicKey", "bridge", "register");
const textPairing = shape<TextPairing>({
  ...own,
  properties: { ...own.properties, privateKey: texts("kty", "crv", "x", "y", "d") },
  required: ["privateKey", ...(own.required ?? [])],
});

/** For programs outside of browsers. A damaged text reads as not paired. */
export function textPairingStore(place: TextPlace): PairingStore {
  return {
    isExtractable: true,
    read: async () => {
      const text = await place.read();
      const kept = textPairing.safeParse(text === undefined ? undefined : parseJson(text));
      if (!kept.success) return undefined;
      const { publicKey, privateKey, bridge, register } = kept.data;
      return { key: await keyFromText(publicKey, privateKey), bridge, register };
    },
    keep: async ({ key: { privateKey, publicKey }, bridge, register }) => {
      const jwk = await crypto.subtle.exportKey("jwk", privateKey);
      await place.write(JSON.stringify({ publicKey, privateKey: jwk, bridge, register }));
    },
    clear: () => place.write(undefined),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Undefined fails the schema, and reads as not paired.
    return undefined;
  }
}
