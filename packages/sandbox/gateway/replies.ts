import type { ParameterProblem, Sent } from "../../../src/gateway/parameters/chapter.ts";
import { type Clock, isoTime } from "../../../src/kit/clock.ts";
import { toHex } from "../../../src/kit/hex.ts";
import type { Random } from "../../../src/kit/random.ts";
import { isCardNumber, isSecret } from "./accounts/masking.ts";
import { type Json, jsonReply, type Reply } from "./exchange.ts";
import { textOf } from "./ledger/result-texts.ts";

/** Specification, "Response body": buildNumber is for support; this constant stands for the sandbox. */
const BUILD_NUMBER = "5a0db0c5a0db0c5a0db0c5a0db0c5a0db0c5a0db@2026-01-15 09:30:00 +0000";

/** Values for a reply's closing fields. */
export interface Stamp {
  /** Epoch milliseconds of the sandbox's clock. */
  readonly now: number;
  readonly random: Random;
  readonly entityId: string | undefined;
  /** The ndc of replies about a checkout: its id (gateway facts, 2.2). Absent: a new one. */
  readonly ndc?: string;
}

/** A stamp for a reply made now; without parameters it names no entity. */
export function stampOf(
  { clock, random }: { readonly clock: Pick<Clock, "now">; readonly random: Random },
  sent?: Sent,
): Stamp {
  return { now: clock.now(), random, entityId: sent?.get("entityId") };
}

/** 32 lower-case hexadecimal digits, as in ids of payments and registrations. */
export function newId(random: Random): string {
  return toHex(random.bytes(16)).toLowerCase();
}

/** The closing fields of every body. One in eight has an extra field, because clients must tolerate unknown fields. */
export function closingFields({ now, random, entityId, ndc }: Stamp): { readonly [key: string]: Json } {
  const unknown = (random.bytes(1)[0] ?? 0) < 32 ? { routing: { lane: "sandbox", since: 1 } } : {};
  return {
    buildNumber: BUILD_NUMBER,
    timestamp: timestampOf(now),
    ndc: ndc ?? (entityId === undefined ? newId(random) : `${entityId}_${newId(random)}`),
    ...unknown,
  };
}

/** Time format of replies (gateway facts, 2.2); epoch milliseconds of the sandbox's clock. */
export function timestampOf(time: number): string {
  const iso = isoTime(time);
  return `${iso.slice(0, 10)} ${iso.slice(11, -1)}+0000`;
}

export function resultOf(resultCode: string): { readonly code: string; readonly description: string } {
  return { code: resultCode, description: textOf(resultCode) };
}

/** A reply about no payment: authentication, throttling, unknown id, empty query. */
export function bareReply(status: number, resultCode: string, stamp: Stamp): Reply {
  return jsonReply(status, { id: newId(stamp.random), result: resultOf(resultCode), ...closingFields(stamp) });
}

/**
 * Gateway facts, 0: HTTP 400, 200.300.404 and an entry for every parameter. Secrets and card numbers are not echoed,
 * under any name.
 */
export function parameterReply(problems: readonly ParameterProblem[], stamp: Stamp): Reply {
  const parameterErrors = problems.map(({ name, value, message }) => ({
    name,
    value: isSecret(name) || isCardNumber(value) ? "" : value,
    message,
  }));
  return jsonReply(400, { result: { ...resultOf("200.300.404"), parameterErrors }, ...closingFields(stamp) });
}

const THROTTLED = "800.120.100";

export function throttledReply(stamp: Stamp): Reply {
  return bareReply(400, THROTTLED, stamp);
}
