import { isLoopback } from "./loopback.ts";

export interface PlaceLimits {
  readonly all: number;
  /** For each address but this machine's own. */
  readonly perAddress: number;
  /** Which addresses are this machine's; loopback unless said. */
  readonly isOwn?: (address: string) => boolean;
}

/** Few places for strangers. When all are taken, a newcomer gets the place of whoever has waited longest. */
export interface Places<T> {
  /** Takes a place, and returns who has to leave for it. The caller must end that one. */
  take(who: T, address: string | undefined): T | undefined;
  /** Gives a place back; without effect for who has none. */
  leave(who: T): void;
}

export function createPlaces<T>({ all, perAddress, isOwn = isLoopback }: PlaceLimits): Places<T> {
  /** In the order in which they came. */
  const taken = new Map<T, string | undefined>();
  const oldestOf = (address: string | undefined): T | undefined => {
    const same = address === undefined ? [] : [...taken].filter(([, other]) => other === address);
    return same.length >= perAddress ? same[0]?.[0] : undefined;
  };
  return {
    take: (who, address) => {
      const plain = address?.replace(/^::ffff:/i, "");
      const limited = plain === undefined || isOwn(plain) ? undefined : plain;
      const oldest = taken.size >= all ? taken.keys().next().value : undefined;
      const leaves = oldestOf(limited) ?? oldest;
      if (leaves !== undefined) taken.delete(leaves);
      taken.set(who, limited);
      return leaves;
    },
    leave: (who) => void taken.delete(who),
  };
}
