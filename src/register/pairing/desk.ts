import { type Clock, isoTime } from "../../kit/clock.ts";
import { type Granted, granted, refused } from "../../payment/request.ts";
import type { LimitTexts } from "../tokens/token-row.ts";
import type { TokenStore } from "../tokens/tokens.ts";
import { approved, ask, expired, NOBODY_ASKED, named, PAIRING_LIMITS, type Pending, without } from "./pending.ts";
import { parseCode } from "./texts.ts";

/** A register that waits, as a technician sees it. `known`: the name has a token or key already. */
export interface PendingView {
  readonly code: string;
  readonly name: string;
  readonly origin: string;
  readonly from: string;
  readonly address: string;
  readonly expiresAt: string;
  readonly known: boolean;
}

export type PairingDecision =
  | { readonly is: "paired"; readonly register: string; readonly scopes: readonly string[] }
  | { readonly is: "refused"; readonly reason: "refused" | "expired" };

/** A technician's approval. No scopes: the default ones. */
export interface Approval {
  readonly code: string;
  readonly by: string;
  readonly scopes?: readonly string[] | undefined;
  readonly refundLimits?: LimitTexts | undefined;
}

export interface PairedRegister {
  readonly register: string;
  readonly scopes: readonly string[];
  readonly origin: string;
  readonly refundLimits?: LimitTexts | undefined;
}

/** Registers that ask for being paired, and technicians who decide. */
export interface RegisterPairing {
  /** `decided` is called once, unless `leave` came first. */
  ask(
    request: Omit<Pending, "until">,
    decided: (decision: PairingDecision) => void,
  ): Granted<{ readonly expiresAt: string; leave(): void }>;
  pending(): readonly PendingView[];
  approve(approval: Approval): Granted<PairedRegister>;
  refuse(order: {
    readonly code: string;
    readonly by: string;
  }): Granted<{ readonly name: string; readonly origin: string }>;
}

/** For the audit. A code never stands in it. */
export type PairingEvent =
  | { readonly on: "pairing-asked"; readonly from: string; readonly name: string; readonly origin: string }
  | ({ readonly on: "pairing-approved"; readonly by: string } & PairedRegister)
  | { readonly on: "pairing-refused"; readonly by: string; readonly name: string; readonly origin: string }
  | { readonly on: "pairing-ended"; readonly why: "expired" | "left"; readonly name: string; readonly origin: string };

export interface RegisterPairingPorts {
  readonly clock: Clock;
  readonly tokens: Pick<TokenStore, "pair" | "list" | "findKey">;
  audit(event: PairingEvent): void;
}

interface Waiting {
  readonly pending: Pending;
  readonly expiresAt: string;
  /** Ends its timer and tells its register. */
  end(decision: PairingDecision | undefined): void;
}

export function createRegisterPairing({ clock, tokens, audit }: RegisterPairingPorts): RegisterPairing {
  let state = NOBODY_ASKED;
  let waiting: Waiting | undefined;

  const settle = (pending: Pending, decision: PairingDecision | undefined): void => {
    state = without(state, pending);
    const ended = waiting?.pending === pending ? waiting : undefined;
    if (ended === undefined) return;
    waiting = undefined;
    ended.end(decision);
  };
  const expire = (): void => {
    const { ended } = expired(state, clock.monotonic());
    if (ended === undefined) return;
    const { name, origin } = ended;
    audit({ on: "pairing-ended", why: "expired", name, origin });
    settle(ended, { is: "refused", reason: "expired" });
  };
  const decided = (text: string): Granted<Pending> => {
    expire();
    const code = parseCode(text);
    const pending = code === undefined ? undefined : named(state, code, clock.monotonic());
    return pending === undefined ? unknownCode(state.pending === undefined) : granted(pending);
  };
  const approve = ({ code, by, scopes = [], refundLimits }: Approval): Granted<PairedRegister> => {
    const found = decided(code);
    if (!found.ok) return found;
    const { name, key, origin } = found.value;
    const kept = refundLimits ?? strictestOf(tokens.list(), name);
    const stored = tokens.pair({ register: name, scopes, key, origin, ...(kept && { refundLimits: kept }) });
    if (!stored.ok) return refused("not-allowed", stored.message, "fix-request");
    const { register, scopes: own, refundLimits: limits } = stored.value;
    const paired = { register, scopes: own, origin, ...(limits && { refundLimits: limits }) };
    audit({ on: "pairing-approved", by, ...paired });
    settle(found.value, { is: "paired", register, scopes: own });
    state = approved(state, found.value);
    return granted(paired);
  };
  return {
    ask: (request, told) => {
      expire();
      const asked = ask(state, request, clock.monotonic());
      if (asked.is !== "pending") return refusalOf(asked);
      state = asked.state;
      const { pending } = asked;
      const stop = clock.after(PAIRING_LIMITS.codeMs, expire);
      const expiresAt = isoTime(clock.now() + PAIRING_LIMITS.codeMs);
      const end = (decision: PairingDecision | undefined): void => {
        stop();
        if (decision !== undefined) told(decision);
      };
      waiting = { pending, expiresAt, end };
      const { from, name, origin } = request;
      audit({ on: "pairing-asked", from, name, origin });
      const leave = (): void => {
        if (waiting?.pending !== pending) return;
        audit({ on: "pairing-ended", why: "left", name, origin });
        settle(pending, undefined);
      };
      return granted({ expiresAt, leave });
    },
    pending: () => {
      expire();
      return waiting === undefined ? [] : [viewOf(waiting, tokens)];
    },
    approve,
    refuse: ({ code, by }) => {
      const found = decided(code);
      if (!found.ok) return found;
      const { name, origin } = found.value;
      audit({ on: "pairing-refused", by, name, origin });
      settle(found.value, { is: "refused", reason: "refused" });
      return granted({ name, origin });
    },
  };
}

function viewOf({ pending, expiresAt }: Waiting, tokens: Pick<TokenStore, "list">): PendingView {
  const { code, name, origin, from, address } = pending;
  const known = tokens.list().some(({ register }) => register === name);
  return { code, name, origin, from, address, expiresAt, known };
}

function refusalOf(asked: { readonly is: "taken" | "too-often"; readonly leftMs: number }): Granted<never> {
  const seconds = Math.ceil(asked.leftMs / 1000);
  switch (asked.is) {
    case "taken":
      return refused(
        "too-many-requests",
        `another register waits for its pairing: approve or refuse that one first, or ask again in ${seconds} s`,
        "retry",
      );
    case "too-often":
      return refused(
        "too-many-requests",
        `at most ${PAIRING_LIMITS.requests} requests of one origin in ${PAIRING_LIMITS.withinMs / 60_000} minutes: ask again in ${seconds} s`,
        "retry",
      );
  }
}

function unknownCode(isNone: boolean): Granted<never> {
  const words = isNone
    ? "no register waits for its pairing: ask for a new code there, and use it within 5 minutes"
    : "no register waits with this code: compare it with the code that the register shows";
  return refused("not-found", words, "fix-request", "code");
}

/** A register that has limits already keeps the lowest of them: pairing it again must not lift them. */
function strictestOf(all: ReturnType<TokenStore["list"]>, name: string): LimitTexts | undefined {
  const limits = all.flatMap((token) =>
    token.register === name && "refundLimits" in token && token.refundLimits !== undefined ? [token.refundLimits] : [],
  );
  if (limits.length === 0) return undefined;
  const lowest = (of: "payment" | "day"): string | undefined =>
    limits.flatMap((limit) => limit[of] ?? []).toSorted((a, b) => Number(a) - Number(b))[0];
  return { payment: lowest("payment"), day: lowest("day") };
}
