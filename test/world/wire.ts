import type { Handled } from "../../packages/sandbox/gateway/exchange.ts";
import type { Sandbox } from "../../packages/sandbox/gateway/sandbox.ts";
import type { HttpExchange, HttpOutcome, HttpRequest } from "../../src/gateway/http-exchange.ts";
import { type Clock, sleep } from "../../src/kit/clock.ts";
import type { Post } from "./checker/evidence.ts";
import type { History } from "./history.ts";
import type { Errand, GatewayTrouble } from "./script.ts";
import type { Traffic } from "./traffic.ts";

/** One way through the network, in milliseconds. */
const WAY_MS = 15;

export interface WirePorts {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly traffic: Traffic;
  readonly history: History;
  /** Nothing listens at the gateway's address. */
  readonly isDown: () => boolean;
  readonly posted: (reference: string | undefined, post: Post) => void;
  /** A fault of the world's own. */
  readonly failed: (problem: string) => void;
  /** Called where a crash may be planned: as a request leaves, and while its reply is under way. */
  readonly passing: (reference: string | undefined, nth: number, worked: boolean) => void;
}

/**
 * The way from the bridge to the gateway, in memory: latency, a deadline, the troubles that the script has for this
 * request, and what a cut connection looks like from here.
 */
export function createWire(on: WirePorts): HttpExchange {
  return {
    warm: () => undefined,
    close: async () => undefined,
    exchange: (request) => {
      const { promise, resolve } = Promise.withResolvers<HttpOutcome>();
      const stop = on.clock.after(request.deadlineMs, () => resolve({ is: "broken", detail: "no answer in time" }));
      const end = (outcome: HttpOutcome): void => {
        stop();
        resolve(outcome);
      };
      exchange(on, request).then(end, (cause: unknown) => {
        on.failed(`the wire broke: ${String(cause)}`);
        end({ is: "broken", detail: "the wire broke" });
      });
      return promise;
    },
  };
}

/** What the bridge does not answer for: it asks for nothing, or it is the customer's own. */
const WITHOUT_EFFECT: readonly Errand[] = ["query", "look", "phone"];

async function exchange(on: WirePorts, request: HttpRequest): Promise<HttpOutcome> {
  const { traffic, history, clock } = on;
  const { reference, type, errand, merchantTransactionId, name, money, isLast, path, nth, trouble } =
    traffic.read(request);
  const post: Post = {
    type,
    request: merchantTransactionId,
    of: name.of,
    sentAt: clock.monotonic(),
    money,
    isLast,
    answer: undefined,
  };
  if (!WITHOUT_EFFECT.includes(errand)) on.posted(reference, post);
  history.note(
    "gateway",
    () =>
      `${reference ?? "?"}: ${request.method} ${name.text}${trouble === undefined ? "" : ` (${troubleText(trouble)})`}`,
  );
  on.passing(reference, nth, false);
  await sleep(clock, WAY_MS);
  const isRefused = on.isDown() || trouble?.deed === "refuse";
  if (trouble?.deed === "hold") await sleep(clock, trouble.forMs ?? 0);
  const handled: Handled | undefined = isRefused ? undefined : await work(on, request, path, trouble);
  const link =
    errand === "link" && handled?.is === "reply" ? /^\{"id":"([0-9a-f]+)"/.exec(handled.body)?.[1] : undefined;
  if (link !== undefined) traffic.linked(reference, link);
  on.passing(reference, nth, true);
  await sleep(clock, WAY_MS);
  const outcome: HttpOutcome =
    handled === undefined ? { is: "not-sent", detail: "connection refused" } : outcomeOf(handled, trouble);
  post.answer = answerOf(outcome);
  history.note("gateway", () => `${reference ?? "?"}: ${name.text} → ${outcomeText(outcome)}`);
  return outcome;
}

/** The sandbox's own faults, set for this one request: it takes them before it does anything else. */
async function work(
  { sandbox, traffic }: WirePorts,
  request: HttpRequest,
  path: string,
  trouble: GatewayTrouble | undefined,
): Promise<Handled> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
  const faults = trouble === undefined ? [] : faultsOf(trouble);
  for (const fault of faults) {
    const body = JSON.stringify({ on: {}, times: 1, ...fault });
    const set = await sandbox.handle({
      method: "POST",
      path: "/sandbox/v1/faults",
      headers: { "content-type": "application/json" },
      body,
    });
    if (set.is !== "reply" || set.status !== 201) throw new RangeError(`the sandbox refuses the fault ${body}`);
  }
  traffic.bendNext(trouble);
  const handled = sandbox.handle({ method: request.method, path, headers, body: request.body ?? "" });
  traffic.bendNext(undefined);
  if (faults.length > 0) await sandbox.handle({ method: "DELETE", path: "/sandbox/v1/faults", headers: {}, body: "" });
  return handled;
}

function faultsOf({ deed, result, forMs }: GatewayTrouble): readonly object[] {
  return [
    ...(deed === undefined || deed === "refuse" || deed === "hold"
      ? []
      : [{ do: deed, ...(deed === "delay" && forMs !== undefined && { delayMs: forMs }) }]),
    ...(result === undefined ? [] : [{ do: { result } }]),
  ];
}

function outcomeOf(handled: Handled, trouble: GatewayTrouble | undefined): HttpOutcome {
  if (handled.is === "cut") return { is: "broken", detail: "connection cut" };
  const location = handled.headers["location"];
  const body = trouble?.lie === undefined ? handled.body : LIES[trouble.lie](handled.body);
  return { is: "answered", status: handled.status, body, ...(location !== undefined && { location }) };
}

const AMOUNT = /"amount":"([0-9]+)(\.[0-9]+)?"/g;

/** What is wrong with a reply whose booking is as it should be. */
const LIES: Readonly<Record<NonNullable<GatewayTrouble["lie"]>, (body: string) => string>> = {
  more: (body) => body.replace(AMOUNT, '"amount":"1$1$2"'),
  less: (body) =>
    body.replace(AMOUNT, (_, __, fraction?: string) => `"amount":"${fraction === undefined ? "1" : "0.01"}"`),
  "no-amount": (body) => body.replace(AMOUNT, '"total":"$1"'),
  "other-currency": (body) => body.replace(/"currency":"[A-Z]{3}"/g, '"currency":"USD"'),
  "other-type": (body) => body.replace(/"paymentType":"[A-Z]{2}"/g, '"paymentType":"RF"'),
  "no-id": (body) => body.replace(/^\{"id":"[0-9a-f]+",/, "{"),
};

function answerOf(outcome: HttpOutcome): Post["answer"] {
  if (outcome.is !== "answered") return { is: outcome.is === "not-sent" ? "not-sent" : "lost" };
  const code = /"result":\{"code":"([0-9.]+)"/.exec(outcome.body)?.[1];
  const whole = outcome.body.endsWith("}");
  return code !== undefined && whole
    ? { is: "code", code, acquirer: /"AcquirerResponse":"(..)"/.exec(outcome.body)?.[1] }
    : { is: "unreadable" };
}

export function troubleText({ errand, nth, times, is, ...what }: GatewayTrouble): string {
  const parts = Object.entries(what).map(([name, value]) => `${name} ${value}`);
  return `${is} ${errand}${nth > 0 ? ` from the ${nth + 1}. on` : ""}${times > 1 ? ` ${times} times` : ""}: ${parts.join(", ")}`;
}

function outcomeText(outcome: HttpOutcome): string {
  if (outcome.is !== "answered") return `${outcome.is}: ${outcome.detail}`;
  const codes = [...outcome.body.matchAll(/"code":"([0-9.]+)"/g)].map(([, code]) => code);
  return codes.length === 0
    ? `HTTP ${outcome.status}, ${outcome.body.length} characters that say nothing`
    : codes.join(" ");
}
