import type { Configuration } from "./configuration.ts";

/*
 * Parts of a changed configuration that a running bridge applies, and parts that wait for its next start. Running
 * payments keep the values of their start, which their facts contain.
 */

/** Compared as text. Secrets are compared too, but never shown. */
type Part = (configuration: Configuration) => unknown;
type When = "now" | "restart";

/** A change takes effect now only if this holds for the configurations before and after it. */
interface Condition {
  readonly where: string;
  holds(before: Configuration, read: Configuration): boolean;
}

/** A part of the configuration, and its keys in the file. */
interface Entry {
  readonly keys: readonly string[];
  readonly part: Part;
  readonly when: When | Condition;
}

const one = (key: string, when: Entry["when"], part: Part): Entry => ({ keys: [key], part, when });

/** A TLS listener accepts a new certificate; a listener without TLS cannot switch it on. */
const encrypted: Condition = {
  where: "TLS is on already",
  holds: (before, read) => before.listen.tls !== undefined && read.listen.tls !== undefined,
};

/** A token must reach no other gateway than its own. */
const sameGateway: Condition = {
  where: "the gateway stays the same",
  holds: ({ gateway: before }, { gateway: read }) =>
    before.baseUrl === read.baseUrl && before.entityId === read.entityId && before.testMode === read.testMode,
};

/** Every key of the file once; a test compares them with the schema. */
export const RELOAD_TABLE: readonly Entry[] = [
  one("environment", "restart", (c) => c.environment),
  one("listen.host", "restart", (c) => c.listen.host),
  one("listen.port", "restart", (c) => c.listen.port),
  one("listen.names", "now", (c) => c.listen.names),
  one("listen.tls.cert", encrypted, (c) => c.listen.tls?.cert),
  one("listen.tls.key", encrypted, (c) => c.listen.tls?.key.reveal()),
  one("dataDir", "restart", (c) => c.dataDir),
  one("merchant.name", "now", (c) => c.merchant.name),
  one("merchant.address", "now", (c) => c.merchant.address),
  one("merchant.vatId", "now", (c) => c.merchant.vatId),
  one("merchant.country", "now", (c) => c.merchant.country),
  one("merchant.language", "now", (c) => c.merchant.language),
  one("gateway.baseUrl", "restart", (c) => c.gateway.baseUrl),
  one("gateway.formerBaseUrls", "restart", (c) => c.gateway.formerBaseUrls),
  one("gateway.entityId", "restart", (c) => c.gateway.entityId),
  {
    keys: ["gateway.accessTokenFile", "gateway.accessTokenEnv"],
    when: sameGateway,
    part: (c) => c.gateway.accessToken.reveal(),
  },
  one("gateway.testMode", "restart", (c) => c.gateway.testMode),
  one("gateway.settlement", "now", (c) => c.gateway.settlement),
  one("gateway.settlementByBrand", "now", (c) => c.gateway.settlementByBrand),
  one("gateway.captures", "now", (c) => c.gateway.captures),
  one("gateway.caFile", "restart", (c) => c.gateway.ca),
  one("gateway.clientCertificate.certFile", "restart", (c) => c.gateway.clientCertificate?.cert),
  one("gateway.clientCertificate.keyFile", "restart", (c) => c.gateway.clientCertificate?.key.reveal()),
  one("gateway.timeLimits.queryMs", "now", (c) => c.gateway.timeLimits.queryMs),
  one("gateway.timeLimits.captureMs", "now", (c) => c.gateway.timeLimits.captureMs),
  one("gateway.timeLimits.reversalMs", "now", (c) => c.gateway.timeLimits.reversalMs),
  one("gateway.timeLimits.refundMs", "now", (c) => c.gateway.timeLimits.refundMs),
  one("gateway.timeLimits.registrationMs", "now", (c) => c.gateway.timeLimits.registrationMs),
  one("terminals", "now", (c) =>
    c.terminals.map(({ entityId, ...said }) => (said.hasOwnEntity === true ? { ...said, entityId } : said)),
  ),
  one("timeouts.cardMs", "now", (c) => c.timeouts.cardMs),
  one("timeouts.pinMs", "now", (c) => c.timeouts.pinMs),
  one("timeouts.hostAnswerMs", "now", (c) => c.timeouts.hostAnswerMs),
  one("timeouts.removalMs", "restart", (c) => c.timeouts.removalMs),
  one("timeouts.unknownWindowMs", "now", (c) => c.timeouts.unknownWindowMs),
  one("fallback.allowed", "now", (c) => c.fallback.allowed),
  one("fallback.chipTries", "now", (c) => c.fallback.chipTries),
  one("fallback.withinMs", "now", (c) => c.fallback.withinMs),
  one("origins", "now", (c) => c.origins),
  one("webhooks.listen.host", "restart", (c) => c.webhooks?.listen.host),
  one("webhooks.listen.port", "restart", (c) => c.webhooks?.listen.port),
  one("webhooks.listen.tls.cert", "restart", (c) => c.webhooks?.listen.tls?.cert),
  one("webhooks.listen.tls.key", "restart", (c) => c.webhooks?.listen.tls?.key.reveal()),
  one("webhooks.path", "restart", (c) => c.webhooks?.path),
  { keys: ["webhooks.keyFile", "webhooks.keyEnv"], when: "restart", part: (c) => c.webhooks?.key.reveal() },
  one("telemetry.otlpEndpoint", "restart", (c) => c.telemetry?.otlpEndpoint),
  {
    keys: ["telemetry.headersFile", "telemetry.headersEnv"],
    when: "restart",
    part: (c) => c.telemetry?.headers?.reveal(),
  },
  one("journal.archiveAfterDays", "now", (c) => c.journal.archiveAfterDays),
  one("log.file", "restart", (c) => c.log.file),
  one("log.maxBytes", "restart", (c) => c.log.maxBytes),
  one("log.keep", "restart", (c) => c.log.keep),
  one("log.level", "now", (c) => c.log.level),
];

export interface Reloading {
  /** The configuration in effect: parts that wait for a restart are unchanged. */
  readonly configuration: Configuration;
  /** Keys that take effect now, in written form. */
  readonly applied: readonly string[];
  /** Keys that take effect at the next start. */
  readonly needsRestart: readonly string[];
}

/** The effect of a newly read configuration, for every key. */
export function reloading(before: Configuration, read: Configuration): Reloading {
  const changed = RELOAD_TABLE.filter(({ part }) => JSON.stringify(part(before)) !== JSON.stringify(part(read)));
  const whenOf = ({ when }: Entry): When =>
    typeof when === "string" ? when : when.holds(before, read) ? "now" : "restart";
  const keysOf = (wanted: When): readonly string[] =>
    changed.filter((entry) => whenOf(entry) === wanted).map(({ keys }) => keys.join(" or "));
  return { configuration: effective(before, read), applied: keysOf("now"), needsRestart: keysOf("restart") };
}

function effective(before: Configuration, after: Configuration): Configuration {
  const { names: _, ...listen } = before.listen;
  const { merchant, fallback, origins, journal } = after;
  const { settlement, settlementByBrand, captures, timeLimits } = after.gateway;
  const { accessToken } = (sameGateway.holds(before, after) ? after : before).gateway;
  // A terminal without an own entity has the gateway's, which changes only with a restart.
  const { entityId } = before.gateway;
  const terminals = after.terminals.map((terminal) =>
    terminal.hasOwnEntity === true ? terminal : { ...terminal, entityId },
  );
  const isEncrypted = encrypted.holds(before, after);
  return {
    ...before,
    listen: {
      ...listen,
      ...(after.listen.names && { names: after.listen.names }),
      ...(isEncrypted && after.listen.tls && { tls: after.listen.tls }),
    },
    ...{ merchant, terminals, fallback, origins, journal },
    gateway: { ...before.gateway, accessToken, settlement, settlementByBrand, captures, timeLimits },
    timeouts: { ...after.timeouts, removalMs: before.timeouts.removalMs },
    log: { ...before.log, level: after.log.level },
  };
}
