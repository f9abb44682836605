import { z } from "zod";
import { decodeForm } from "../../../src/gateway/form.ts";
import type { Sent } from "../../../src/gateway/parameters/chapter.ts";
import type { Clock } from "../../../src/kit/clock.ts";
import type { Random } from "../../../src/kit/random.ts";
import { createIssuer } from "../testbed/issuer.ts";
import { authenticationProblem } from "./authentication.ts";
import { resumeReminders } from "./checkouts/reminder.ts";
import type { Context, SandboxEntity } from "./context.ts";
import { type Match, matcherOf, type Target, targetOf } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";
import { type Handled, jsonReply, type Reply, type SandboxRequest } from "./exchange.ts";
import { runSchedules } from "./jobs/runs.ts";
import type { Booking } from "./ledger/booking.ts";
import { collectionOf } from "./ledger/records.ts";
import type { SandboxStore } from "./ledger/store.ts";
import { type Send, unreachable } from "./outgoing.ts";
import { page } from "./page.ts";
import { perform } from "./perform.ts";
import type { Prepared } from "./prepared.ts";
import { bareReply, closingFields, parameterReply, resultOf, stampOf } from "./replies.ts";
import type { SandboxRules } from "./rules.ts";
import { createSandboxClock, type KeptLead } from "./sandbox-clock.ts";
import { CONTROL_PATH, control } from "./testing/controls.ts";
import { createFaultBook } from "./testing/faults.ts";
import { createRequestLog, logged, toldBy } from "./testing/request-log.ts";
import { createThrottle, unthrottled } from "./throttle.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

export interface SandboxSetup {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: SandboxStore;
  readonly entities: readonly SandboxEntity[];
  /**
   * Defaults follow the specification: declines with 400, RV on DB and CP, several captures, repeated
   * merchantTransactionId.
   */
  readonly rules?: Partial<SandboxRules>;
  /** Rate limits such as two reads a minute (gateway facts, 2.5); default on. */
  readonly throttling?: boolean;
  /** Network access for webhooks and shopperResultUrl; default none. */
  readonly send?: Send;
  /**
   * Every notification once and in order. Otherwise some are repeated or overtaken, as at the gateway (gateway facts,
   * 3).
   */
  readonly orderlyWebhooks?: boolean;
  /** Only the published test key; others throw a RangeError. */
  readonly bdk?: Uint8Array;
}

/**
 * The gateway of the specification without a server: one request in, one outcome out. Invalid requests never reject.
 */
export interface Sandbox {
  handle(request: SandboxRequest): Promise<Handled>;
  /** Whether pages of other origins may send a browser there. */
  isForShoppers(method: string, path: string): boolean;
  /** The whole ledger, oldest first; for checkers, with `netBookings`. */
  ledger(): readonly Booking[];
  advance(byMs: number): void;
  /** Ends delays. The caller closes the store. */
  stop(): void;
}

const matching = matcherOf(endpoints);

const DEFAULT_RULES: SandboxRules = {
  declineStatus: 400,
  reverseDebit: "allowed",
  reverseCapture: "allowed",
  severalCaptures: true,
  duplicates: "accept",
};

export function createSandbox(on: SandboxSetup): Sandbox {
  const { store, random, send = unreachable } = on;
  const clock = createSandboxClock(on.clock, leadIn(store));
  const rules: SandboxRules = { ...DEFAULT_RULES, ...on.rules };
  const webhooks = createWebhooks({ store, clock, random, send, rules, orderly: on.orderlyWebhooks === true });
  const context: Context = {
    entities: on.entities,
    rules,
    store,
    clock,
    random,
    throttle: on.throttling === false ? unthrottled : createThrottle(),
    faults: createFaultBook(),
    requests: createRequestLog(),
    announce: webhooks.announce,
    webhooks,
    send,
    issuer: createIssuer({ memory: on.store, ...(on.bdk && { bdk: on.bdk }) }),
  };
  webhooks.resume();
  resumeReminders(context);
  runSchedules(context);
  return {
    handle: (request) => handle(context, request),
    isForShoppers: (method, path) => matching(method, targetOf(path)?.path ?? "")?.endpoint.caller === "shopper",
    ledger: () => on.store.all(),
    advance: clock.advance,
    stop() {
      webhooks.stop();
      clock.stop();
    },
  };
}

const leadSchema = z.int().nonnegative();

function leadIn(store: SandboxStore): KeptLead {
  const kept = collectionOf(store, "clock", leadSchema);
  return { read: () => kept.get("lead") ?? 0, write: (ms) => kept.put("lead", ms) };
}

async function handle(context: Context, request: SandboxRequest): Promise<Handled> {
  const target = targetOf(request.path);
  if (target === undefined) return notFound(context);
  const { path } = target;
  if (path.startsWith(CONTROL_PATH)) return control(context, request, target);
  if (path === "/" && request.method === "GET")
    return page({
      entityIds: context.entities.map(({ entityId }) => entityId),
      accept: request.headers["accept"],
      base: baseOf(request),
    });
  const match = matching(request.method, path);
  const form = decodeForm(request.method === "POST" ? request.body : target.query);
  const sent: Sent = form.ok ? form.value : new Map();
  const asked = {
    path,
    paymentType: sent.get("paymentType") ?? match?.endpoint.paymentType,
    merchantTransactionId: sent.get("merchantTransactionId"),
    books: request.method === "POST" || request.method === "DELETE",
    hasOutcome: match?.endpoint.hasOutcome?.(sent) ?? true,
  };
  const faults = context.faults.take(asked);
  const entry = logged(context.clock.now(), request.method, asked, sent, faults);
  const refused =
    refusalOf(context, request, target, match, sent) ?? (form.ok ? undefined : malformed(context, form.error));
  const handled = await perform(
    context,
    faults,
    refused ?? answer(context, request, match, sent),
    sent.get("entityId"),
  );
  context.requests.add({ ...entry, ...toldBy(handled) });
  return handled;
}

/** Checks the caller before the form of the request. */
function refusalOf(
  context: Context,
  request: SandboxRequest,
  { query }: Target,
  match: Match | undefined,
  sent: Sent,
): Reply | undefined {
  const { authorization } = request.headers;
  const unknown =
    match?.endpoint.caller === "shopper"
      ? undefined
      : authenticationProblem(context, authorization, sent.get("entityId"));
  if (unknown !== undefined || request.method !== "POST") return unknown;
  if (query !== "") return malformed(context, "parameters of a POST belong into its body, not into the address");
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  return type === "application/x-www-form-urlencoded"
    ? undefined
    : malformed(context, "content-type must be application/x-www-form-urlencoded");
}

function answer(context: Context, request: SandboxRequest, match: Match | undefined, sent: Sent): Prepared | Reply {
  if (match === undefined) return notFound(context);
  const problems = match.endpoint.problems(sent);
  if (problems.length > 0) return parameterReply(problems, stampOf(context, sent));
  return match.endpoint.prepare(context, { request, sent, id: match.id, base: baseOf(request) });
}

/** The host name the caller used; the server accepts only its own names. */
function baseOf({ headers }: SandboxRequest): string {
  return `http://${headers["host"] ?? "127.0.0.1"}`;
}

function malformed(context: Context, problem: string): Reply {
  const stamp = stampOf(context);
  return jsonReply(400, {
    result: { ...resultOf("200.300.404"), parameterErrors: [{ name: "", value: "", message: problem }] },
    ...closingFields(stamp),
  });
}

function notFound(context: Context): Reply {
  return bareReply(404, "200.300.404", stampOf(context));
}
