import type { ParameterProblem, Sent } from "../gateway/parameters/chapter.ts";
import { type Clock, isoTime } from "../kit/clock.ts";
import { toHex } from "../kit/hex.ts";
import type { Random } from "../kit/random.ts";
import { isCardNumber, isSecret } from "./accounts/masking.ts";
import { type Json, jsonReply, type Reply } from "./exchange.ts";
import { textOf } from "./ledger/result-texts.ts";

/** Specification, "Response body": buildNumber is for support; this one stands for the sandbox itself. */
const BUILD_NUMBER = "5a0db0c5a0db0c5a0db0c5a0db0c5a0db0c5a0db@2026-01-15 09:30:00 +0000";

/** What a reply is stamped with. */
export interface Stamp {
  /** Epoch milliseconds of the sandbox's clock. */
  readonly now: number;
  readonly random: Random;
  readonly entityId: string | undefined;
  /** Where the request is known by a name already: a checkout's id is the ndc of all that is said of it (gateway facts, 2.2). */
  readonly ndc?: string;
}

/** Of a reply that is made now; without parameters it says nothing of an entity. */
export function stampOf({ clock, random }: { readonly clock: Pick<Clock, "now">; readonly random: Random }, sent?: Sent): Stamp {
  return { now: clock.now(), random, entityId: sent?.get("entityId") };
}

/** 32 lower-case hexadecimal digits, as payments and registrations are named. */
export function newId(random: Random): string {
  return toHex(random.bytes(16)).toLowerCase();
}

/** The fields every body ends with; one in eight carries a field that no client knows, because clients must tolerate that at any time. */
export function closingFields({ now, random, entityId, ndc }: Stamp): { readonly [key: string]: Json } {
  const unknown = (random.bytes(1)[0] ?? 0) < 32 ? { routing: { lane: "sandbox", since: 1 } } : {};
  return {
    buildNumber: BUILD_NUMBER,
    timestamp: timestampOf(now),
    ndc: ndc ?? (entityId === undefined ? newId(random) : `${entityId}_${newId(random)}`),
    ...unknown,
  };
}

/** As replies write a time (gateway facts, 2.2); epoch milliseconds of the sandbox's clock. */
export function timestampOf(time: number): string {
  const iso = isoTime(time);
  return `${iso.slice(0, 10)} ${iso.slice(11, -1)}+0000`;
}

export function resultOf(resultCode: string): { readonly code: string; readonly description: string } {
  return { code: resultCode, description: textOf(resultCode) };
}

/** A reply that speaks of no payment: authentication, throttling, an id that is not known, a query without findings. */
export function bareReply(status: number, resultCode: string, stamp: Stamp): Reply {
  return jsonReply(status, { id: newId(stamp.random), result: resultOf(resultCode), ...closingFields(stamp) });
}

/** Gateway facts, 0: HTTP 400, 200.300.404 and a line for every parameter. What is secret is not sent back, nor is a card number under any other name. */
export function parameterReply(problems: readonly ParameterProblem[], stamp: Stamp): Reply {
  const parameterErrors = problems.map(({ name, value, message }) => ({ name, value: isSecret(name) || isCardNumber(value) ? "" : value, message }));
  return jsonReply(400, { result: { ...resultOf("200.300.404"), parameterErrors }, ...closingFields(stamp) });
}

const THROTTLED = "800.120.100";

export function throttledReply(stamp: Stamp): Reply {
  return bareReply(400, THROTTLED, stamp);
}
