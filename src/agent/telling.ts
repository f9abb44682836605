import type { Configuration } from "../config/configuration.ts";
import { validityOf } from "../config/pem.ts";
import type { Gateway, Journal } from "../engine/ports.ts";
import type { Appended } from "../engine/shell/appended.ts";
import { createDurations } from "../engine/shell/durations.ts";
import { stepLines } from "../engine/shell/step-lines.ts";
import type { FolderLook } from "../journal/folder-access.ts";
import { type Clock, isoTime } from "../kit/clock.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { WatchedCertificate } from "../observe/metrics-now.ts";
import type { Payment } from "../payment/state.ts";

/** A smaller lag of the clock is not reported: the clock may have been corrected. */
const BEHIND_MS = 3_600_000;

/** Reports problems of the data folder. Call the result once the bridge has started. */
export async function lookAtFolder(
  journal: Pick<Journal, "after" | "lastNumber">,
  dataDir: string,
  clock: Clock,
): Promise<(log: Log) => void> {
  const [newest] = await journal.after((await journal.lastNumber()) - 1, 1);
  // A mistyped dataDir, or an unmounted disk, looks like a new shop.
  if (newest === undefined)
    return (log) =>
      log.warn(
        { dataDir },
        "the data folder holds no payment; if this bridge has sold before, stop it: its dataDir is another one",
      );
  const now = clock.now();
  if (Date.parse(newest.at) - now < BEHIND_MS) return () => undefined;
  const fields = { now: isoTime(now), newest: newest.at };
  return (log) =>
    log.warn(
      fields,
      "the clock is behind what the journal was last written by: set it, where it is wrong; cards are refused by a wrong one, and receipts misdated",
    );
}

/** An open folder is refused. A folder with unknown access is used, but never silently. */
export function tellOfAccess(look: FolderLook, dataDir: string, log: Pick<Log, "warn">): void {
  if (look.is !== "untold") return;
  log.warn(
    { dataDir, why: look.why },
    "this system does not tell who may read the data folder: see by hand that the bridge's user, the system and administrators alone may (docs/windows.md)",
  );
}

/**
 * Payments of another gateway make no progress. Whoever changed the address must learn this before the first one is
 * overdue.
 */
export function tellOfElsewhere(payments: readonly Payment[], gateway: Pick<Gateway, "reaches">, log: Log): void {
  const away = payments.flatMap(({ accepted: { reference, channel } }) =>
    gateway.reaches(channel) ? [] : [{ reference, at: channel.gateway }],
  );
  if (away.length === 0) return;
  const gateways = [...new Set(away.map(({ at }) => at))];
  log.warn(
    { payments: away.length, references: away.slice(0, 20).map(({ reference }) => reference), gateways },
    "payments that something is owed of were begun with another gateway than gateway.baseUrl names, and nobody is asked about them; where it is the same one, add its address to gateway.formerBaseUrls",
  );
}

/** Reports a payment's steps as log lines and figures. */
export function tellOfSteps(
  log: Log,
  metrics: Pick<Metrics, "paymentFinished" | "took">,
  clock: Clock,
): (step: Appended) => void {
  const measure = createDurations(clock);
  return (step) => {
    for (const { level, fields, message } of stepLines(step)) log[level](fields, message);
    for (const duration of measure(step)) metrics.took(duration);
    for (const fact of step.facts)
      if (fact.fact === "concluded") metrics.paymentFinished(step.after.accepted.type, fact.outcome);
  };
}

/** Measures the journal's appends. */
export function timedJournal<J extends Journal>(journal: J, metrics: Pick<Metrics, "took">, clock: Clock): J {
  const append: Journal["append"] = async (facts, at, row) => {
    const began = clock.monotonic();
    try {
      return await journal.append(facts, at, row);
    } finally {
      metrics.took({ of: "journal", ms: clock.monotonic() - began });
    }
  };
  return { ...journal, append };
}

/** Measures the gateway's requests and counts their answers. */
export function timedGateway(
  gateway: Gateway,
  metrics: Pick<Metrics, "gatewayAnswered" | "took">,
  clock: Clock,
): Gateway {
  const timed = async <T>(operation: string, ask: () => Promise<T>): Promise<T> => {
    const began = clock.monotonic();
    const answer = await ask();
    metrics.took({ of: "gateway", operation, ms: clock.monotonic() - began });
    return answer;
  };
  return {
    ...gateway,
    post: async (order, deadlineMs) => {
      const { paymentType } = order.operation;
      const answer = await timed(paymentType, () => gateway.post(order, deadlineMs));
      metrics.gatewayAnswered(paymentType, answer.is);
      return answer;
    },
    search: (search, deadlineMs) => timed("query", () => gateway.search(search, deadlineMs)),
    look: (at, deadlineMs) => timed("link", () => gateway.look(at, deadlineMs)),
  };
}

/** The configured certificates with the end of their validity. */
export function certificatesOf({ listen, webhooks, gateway }: Configuration): readonly WatchedCertificate[] {
  const named = [
    ["listen", listen.tls],
    ["webhooks", webhooks?.listen.tls],
    ["gateway-client", gateway.clientCertificate],
  ] as const;
  return named.flatMap(([certificate, identity]) => {
    const validity = identity && validityOf(identity.cert);
    return validity === undefined ? [] : [{ certificate, validTo: validity.validTo }];
  });
}
