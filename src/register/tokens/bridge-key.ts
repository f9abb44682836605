import type { Random } from "../../kit/random.ts";
import { Secret } from "../../kit/secret.ts";
import { type BridgeKey, bridgeKeyOf, newPrivateKey } from "../pairing/keys.ts";
import type { KeyPlace } from "./token-database.ts";

/**
 * The bridge's key of a data folder, made once. A damaged one is replaced: nobody else can repair it, and no paired
 * register accepts a wrong one.
 */
export function bridgeKeyIn(place: KeyPlace, random: Random, warn: (message: string) => void): BridgeKey {
  const row = place.read();
  const kept = row === undefined ? undefined : bridgeKeyOf(new Secret(row.private_key));
  if (row !== undefined && kept?.public === row.public_key) return kept;
  if (row !== undefined)
    warn("the bridge's key in tokens.db was damaged, and a new one is made: pair every paired register anew");
  const own = newPrivateKey(random);
  const made = bridgeKeyOf(own);
  if (made === undefined) throw new Error("a new private key is no key");
  place.replace({ private_key: own.reveal(), public_key: made.public });
  return made;
}
