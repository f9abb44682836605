import { isLoopback } from "./loopback.ts";

export interface PlaceLimits {
  readonly all: number;
  /** For each address except this machine's own. */
  readonly perAddress: number;
  /** Recognizes this machine's addresses; loopback by default. */
  readonly isOwn?: (address: string) => boolean;
}

/** Limits the places of strangers. When all places are taken, a newcomer replaces the oldest. */
export interface Places<T> {
  /** Takes a place and returns the client that loses its own. The caller must disconnect that one. */
  take(who: T, address: string | undefined): T | undefined;
  /** Gives a place back; no effect without one. */
  leave(who: T): void;
}

export function createPlaces<T>({ all, perAddress, isOwn = isLoopback }: PlaceLimits): Places<T> {
  /** In order of arrival. */
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
