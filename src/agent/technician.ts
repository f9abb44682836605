import type { Findings } from "../checks/findings.ts";
import { judge } from "../checks/judge.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Gateway } from "../engine/ports.ts";
import type { PaymentsDesk } from "../engine/service/payment-service.ts";
import type { Recorded } from "../engine/shell/recorded.ts";
import { type Clock, isoTime } from "../kit/clock.ts";
import type { RecentLines } from "../observe/recent-lines.ts";
import { shortFigures, supportBundle } from "../observe/support-bundle.ts";
import { type Granted, granted, refused } from "../payment/request.ts";
import type { OpenState, SupportBundle, Technician, Timeline, TracedLine } from "../register/technician.ts";
import type { Trace, TracedFrame } from "../terminal/trace.ts";
import { nextOf, resolvableOf } from "../timeline/next.ts";
import { timelineOf } from "../timeline/steps.ts";
import { elsewhereMend, listedOpen } from "./open.ts";

export interface TechnicianPorts {
  readonly version: string;
  /** The bridge's id. */
  readonly bridge: string;
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly payments: Pick<PaymentsDesk, "recorded" | "resolve" | "list" | "terminals">;
  readonly gateway: Pick<Gateway, "reaches">;
  readonly traces: ReadonlyMap<string, Trace>;
  readonly recent: RecentLines;
  findings(): Promise<Findings>;
  /** In the Prometheus text format. */
  metrics(): Promise<string>;
}

/** Combines the technician's calls from the rooms that implement them. */
export function createTechnician(ports: TechnicianPorts): Technician {
  const { payments, gateway, traces, recent } = ports;
  const timeline: Technician["timeline"] = async (key) => {
    const found = await payments.recorded(key);
    return found.ok ? granted(timelineIn(found.value, gateway)) : found;
  };
  const checks: Technician["checks"] = async () => judge(await ports.findings());
  return {
    timeline,
    checks,
    resolve: (key, order) => payments.resolve(key, order),
    trace: (terminal, hear, ended) => {
      const trace = traces.get(terminal);
      if (trace === undefined)
        return refused("unknown-terminal", `terminal "${terminal}" is not set up here`, "fix-request", "terminal");
      const { until, stop } = trace.follow((frame) => hear(lineOf(frame)), ended);
      return granted({ until: isoTime(until), stop });
    },
    log: recent.page,
    supportBundle: () => bundleOf(ports, { timeline, checks }),
  };
}

/** Limit of steps in one answer: the newest. */
const MOST_STEPS = 1_000;

function timelineIn(found: Recorded, gateway: Pick<Gateway, "reaches">): Timeline {
  const { facts, payment, view } = found;
  const all = timelineOf(facts);
  const steps = all.slice(-MOST_STEPS).map(({ at, ...step }) => ({ at: isoTime(at), ...step }));
  const open = openStateOf({ payment, view, now: found.now }, gateway);
  return {
    payment: view,
    steps,
    ...(all.length > steps.length && { leftOut: all.length - steps.length }),
    ...(open && { open }),
  };
}

/** Undefined: the payment is in no list of open payments. */
function openStateOf(
  { payment, view, now }: Omit<Recorded, "facts">,
  gateway: Pick<Gateway, "reaches">,
): OpenState | undefined {
  const open = listedOpen(payment);
  if (open === undefined) return undefined;
  const { owed } = open;
  const { reason } = view;
  const { channel } = payment.accepted;
  const isReached = gateway.reaches(channel);
  const mend = isReached ? open.mend : elsewhereMend(channel);
  // A payment of another gateway cannot be queried.
  const next = isReached ? nextOf(payment, now) : undefined;
  const { choices, from } = resolvableOf(payment, now);
  const waits =
    open.mend === undefined ? `Nobody waits for it: ${owed.replace(/^nothing; /, "")}.` : `It waits for ${owed}.`;
  return {
    why: reason === undefined ? waits : `${reason.message} ${waits}`,
    ...(mend !== undefined && { mend: sentence(mend) }),
    ...(next && { next: { what: next.what, ...(next.at !== undefined && { at: isoTime(next.at) }) } }),
    resolvable: choices.length > 0,
    ...(from !== undefined && { resolvableFrom: isoTime(from) }),
    ...(choices.length > 0 && { choices }),
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function lineOf({ time, direction, frame, objects }: TracedFrame): TracedLine {
  const tags = objects.map(({ tag, name = "unknown object", length, value }) => ({
    tag,
    name,
    length,
    ...(value !== undefined && { value }),
  }));
  return {
    at: time,
    direction: direction === "link" ? "note" : direction,
    text: frame,
    ...(tags.length > 0 && { tags }),
  };
}

/** Limit of open payments in a bundle: the newest. */
export const MOST_OPEN = 50;
/** Limit of steps of each. */
const MOST_OPEN_STEPS = 200;
export const MOST_LINES = 1_000;
const TECHNICIAN = { register: "", all: true };

async function bundleOf(
  ports: TechnicianPorts,
  { timeline, checks }: Pick<Technician, "timeline" | "checks">,
): Promise<Granted<SupportBundle>> {
  const { version, bridge, configuration, clock, payments, recent } = ports;
  const listed = await payments.list(TECHNICIAN, { open: true, limit: MOST_OPEN });
  const timelines = listed.ok ? await Promise.all(listed.value.payments.map(({ id }) => timeline({ id }))) : [];
  const at = isoTime(clock.now());
  const { node, v8, modules } = process.versions;
  const made = supportBundle({
    ...{ version, bridge, at, runtime: { node, v8, modules, platform: process.platform, arch: process.arch } },
    configuration,
    terminals: payments.terminals(),
    checks: await checks(),
    openPayments: timelines.flatMap((one) => (one.ok ? [openPart(one.value)] : [])),
    log: recent.page({ limit: MOST_LINES }).lines,
    metrics: shortFigures(await ports.metrics()),
  });
  if (made.ok)
    return granted({
      name: `posbridge-support-${bridge}-${at.replaceAll(/[^0-9]/g, "").slice(0, 14)}.json`,
      bundle: made.text,
    });
  return refused(
    "card-number-found",
    `${made.where} holds what looks like a card number: no bundle is made; look at it on the bridge's machine`,
    "call-support",
    made.where,
  );
}

/** An open payment in a bundle. */
export function openPartOf(found: Recorded, gateway: Pick<Gateway, "reaches">): object {
  return openPart(timelineIn(found, gateway));
}

/** Without card data, and without the address of a link, by which anybody could pay. */
function openPart({ payment, steps, open }: Timeline): object {
  const { id, reference, register, terminal, type, amount, currency, state, createdAt } = payment;
  return {
    id,
    reference,
    register,
    terminal,
    type,
    amount,
    currency,
    state,
    createdAt,
    open,
    steps: steps.slice(-MOST_OPEN_STEPS),
  };
}
