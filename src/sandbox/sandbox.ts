import { decodeForm } from "../gateway/form.ts";
import type { Sent } from "../gateway/parameters/chapter.ts";
import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { createIssuer } from "../testbed/issuer.ts";
import { authenticationProblem } from "./authentication.ts";
import type { Context, SandboxEntity, SandboxRules } from "./context.ts";
import { type Handled, jsonReply, type Reply, type SandboxRequest } from "./exchange.ts";
import type { Booking } from "./ledger/booking.ts";
import { resultTexts } from "./ledger/result-texts.ts";
import type { SandboxStore } from "./ledger/store.ts";
import { page } from "./page.ts";
import { type Endpoint, raisesAnother, requestProblems } from "./parameters.ts";
import { preparePayment } from "./payments/payments.ts";
import { prepareQuery, prepareReading } from "./payments/reads.ts";
import { prepareIncrement, prepareReference } from "./payments/references.ts";
import { prepareDeletion, prepareRegistration, prepareRegistrationReading } from "./payments/registrations.ts";
import { perform } from "./perform.ts";
import type { Prepared } from "./prepared.ts";
import { bareReply, closingFields, parameterReply, resultOf, stampOf } from "./replies.ts";
import { createSandboxClock } from "./sandbox-clock.ts";
import { CONTROL_PATH, control } from "./testing/controls.ts";
import { createFaultBook } from "./testing/faults.ts";
import { createThrottle, unthrottled } from "./throttle.ts";

export interface SandboxSetup {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: SandboxStore;
  readonly entities: readonly SandboxEntity[];
  /** What is not said is as the specification has it: declines with 400, RV on DB and CP, several captures, a merchantTransactionId as often as it comes. */
  readonly rules?: Partial<SandboxRules>;
  /** Two reads a minute (gateway facts, 2.5); on unless turned off. */
  readonly throttling?: boolean;
  /** Anything but the published test key throws a RangeError. */
  readonly bdk?: Uint8Array;
}

/** The gateway of the specification without a server: one request in, one outcome out. Never rejects on account of what a request says. */
export interface Sandbox {
  handle(request: SandboxRequest): Promise<Handled>;
  /** The whole ledger, oldest first: for checkers, with `netBookings`. */
  ledger(): readonly Booking[];
  /** Moves the sandbox's clock forward. */
  advance(byMs: number): void;
  /** Ends delays; the store stays open, it is the caller's. */
  stop(): void;
}

const DEFAULT_RULES: SandboxRules = { declineStatus: 400, reverseDebit: "allowed", reverseCapture: "allowed", severalCaptures: true, duplicates: "accept" };

export function createSandbox(on: SandboxSetup): Sandbox {
  const clock = createSandboxClock(on.clock);
  const context: Context = {
    entities: on.entities,
    rules: { ...DEFAULT_RULES, ...on.rules },
    store: on.store,
    clock,
    random: on.random,
    throttle: on.throttling === false ? unthrottled : createThrottle(),
    faults: createFaultBook(),
    issuer: createIssuer({ memory: on.store, ...(on.bdk && { bdk: on.bdk }) }),
  };
  return {
    handle: (request) => handle(context, request),
    ledger: () => on.store.all(),
    advance: clock.advance,
    stop: clock.stop,
  };
}

async function handle(context: Context, request: SandboxRequest): Promise<Handled> {
  const url = URL.parse(request.path, "http://sandbox/");
  if (url === null) return notFound(context);
  if (url.pathname.startsWith(CONTROL_PATH)) return control(context, request, url);
  if (url.pathname === "/" && request.method === "GET") return page(context.entities.map((entity) => entity.entityId));
  const form = decodeForm(request.method === "POST" ? request.body : url.search.slice(1));
  const sent: Sent = new Map(form.ok ? form.value : []);
  const faults = context.faults.take({
    path: url.pathname,
    paymentType: sent.get("paymentType") ?? typeByAddress(request.method, url.pathname),
    merchantTransactionId: sent.get("merchantTransactionId"),
    books: request.method === "POST" || request.method === "DELETE",
  });
  const refused = refusalOf(context, request, url, sent) ?? (form.ok ? undefined : malformed(context, form.error));
  return perform(context, faults, refused ?? route(context, request, url, sent), sent.get("entityId"));
}

/** What storing a card and deleting it are called in the ledger, although the requests need not say so. */
function typeByAddress(method: string, pathname: string): string | undefined {
  if (!pathname.startsWith("/v1/registrations")) return undefined;
  return method === "POST" ? "RG" : method === "DELETE" ? "DR" : undefined;
}

/** Who it is, before anything is said about what was asked. */
function refusalOf(context: Context, request: SandboxRequest, url: URL, sent: Sent): Reply | undefined {
  const { authorization } = request.headers;
  const unknown = authenticationProblem(context, authorization, sent.get("entityId"));
  if (unknown !== undefined || request.method !== "POST") return unknown;
  if (url.search !== "") return malformed(context, "parameters of a POST belong into its body, not into the address");
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  return type === "application/x-www-form-urlencoded" ? undefined : malformed(context, "content-type must be application/x-www-form-urlencoded");
}

/** Specification, "Endpoints", and gateway facts 0 for the queries. */
function route(context: Context, { method }: SandboxRequest, { pathname }: URL, sent: Sent): Prepared | Reply {
  const [, resource = "", id] = /^\/v1\/([a-z]+)(?:\/([A-Za-z0-9]+))?$/.exec(pathname) ?? [];
  const call = `${method} ${resource}${id === undefined ? "" : "/{id}"}`;
  switch (call) {
    case "POST payments":
      return checked(context, "payment", sent, () => (raisesAnother(sent) ? prepareIncrement : preparePayment)(context, sent));
    case "POST payments/{id}":
      return checked(context, "reference", sent, () => prepareReference(context, sent, id ?? ""));
    case "POST registrations":
      return checked(context, "registration", sent, () => prepareRegistration(context, sent));
    case "GET registrations/{id}":
      return checked(context, "read", sent, () => prepareRegistrationReading(context, sent, id ?? ""));
    case "DELETE registrations/{id}":
      return checked(context, "deletion", sent, () => prepareDeletion(context, sent, id ?? ""));
    case "GET payments/{id}":
      return checked(context, "read", sent, () => prepareReading(context, sent, id ?? "", `payment:${sent.get("entityId")}:${id}`));
    case "GET query/{id}":
      return checked(context, "read", sent, () => prepareReading(context, sent, id ?? "", `query:${sent.get("entityId")}`));
    case "GET query":
      return checked(context, "query", sent, () => prepareQuery(context, sent));
    case "GET resultcodes":
      return jsonReply(200, { resultCodes: [...resultTexts].map(([code, description]) => ({ code, description })) });
    default:
      return notFound(context);
  }
}

function checked(context: Context, endpoint: Endpoint, sent: Sent, prepare: () => Prepared | Reply): Prepared | Reply {
  const problems = requestProblems(endpoint, sent);
  return problems.length === 0 ? prepare() : parameterReply(problems, stampOf(context, sent));
}

function malformed(context: Context, problem: string): Reply {
  const stamp = stampOf(context);
  return jsonReply(400, { result: { ...resultOf("200.300.404"), parameterErrors: [{ name: "", value: "", message: problem }] }, ...closingFields(stamp) });
}

function notFound(context: Context): Reply {
  return bareReply(404, "200.300.404", stampOf(context));
}
