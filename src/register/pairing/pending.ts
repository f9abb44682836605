/** A register that waits for a technician's decision. */
export interface Pending {
  readonly code: string;
  readonly name: string;
  /** Its page's Origin, or `none`. */
  readonly origin: string;
  /** Its public key. */
  readonly key: string;
  /** The other side's address and port. */
  readonly from: string;
  /** The bridge's address at this socket. */
  readonly address: string;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/** The pending request, if any, and when each origin asked. Times are monotonic milliseconds. */
export interface PairingState {
  readonly pending?: Pending;
  readonly asked: ReadonlyMap<string, readonly number[]>;
}

export const NOBODY_ASKED: PairingState = { asked: new Map() };

/** docs/pairing.md states these limits. */
export const PAIRING_LIMITS = { codeMs: 300_000, requests: 5, withinMs: 600_000 } as const;

export type Ask =
  | { readonly is: "pending"; readonly state: PairingState; readonly pending: Pending }
  /** Another request is pending that long. */
  | { readonly is: "taken"; readonly leftMs: number }
  /** The origin has asked too often, and may ask again after that long. */
  | { readonly is: "too-often"; readonly leftMs: number };

export function ask(was: PairingState, request: Omit<Pending, "until">, now: number): Ask {
  const state = expired(was, now).state;
  if (state.pending !== undefined) return { is: "taken", leftMs: state.pending.until - now };
  const recent = [...state.asked].flatMap(([origin, times]) => {
    const kept = times.filter((at) => now - at < PAIRING_LIMITS.withinMs);
    return kept.length === 0 ? [] : [[origin, kept] as const];
  });
  const asked = new Map(recent);
  const own = asked.get(request.origin) ?? [];
  const [oldest = now] = own;
  if (own.length >= PAIRING_LIMITS.requests) return { is: "too-often", leftMs: oldest + PAIRING_LIMITS.withinMs - now };
  const pending = { ...request, until: now + PAIRING_LIMITS.codeMs };
  return { is: "pending", pending, state: { pending, asked: asked.set(request.origin, [...own, now]) } };
}

/** The request that a technician's code names, while it counts. */
export function named({ pending }: PairingState, code: string, now: number): Pending | undefined {
  return pending !== undefined && pending.code === code && now < pending.until ? pending : undefined;
}

/** A code is used once: the decision, and the end of the socket, remove it. */
export function without({ pending, asked }: PairingState, gone: Pending): PairingState {
  return pending === gone ? { asked } : { ...(pending && { pending }), asked };
}

/** An approved request does not count for its origin's limit: a shop may have many tills of one web page. */
export function approved({ asked, ...state }: PairingState, { origin }: Pending): PairingState {
  return { ...state, asked: new Map(asked).set(origin, (asked.get(origin) ?? []).slice(0, -1)) };
}

/** Removes a request whose time is over. */
export function expired(state: PairingState, now: number): { readonly state: PairingState; readonly ended?: Pending } {
  const { pending } = state;
  if (pending === undefined || now < pending.until) return { state };
  return { state: without(state, pending), ended: pending };
}
