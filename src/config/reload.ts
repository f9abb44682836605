import type { Configuration } from "./configuration.ts";

/*
 * What a bridge that runs takes up of a changed configuration, and what waits for its next start. Payments that run keep what they began with: it stands in their
 * facts.
 */

/** Compared as a text. A secret is looked at here and told to nobody. */
type Part = (configuration: Configuration) => unknown;
type When = "now" | "restart";

/** A change counts now only where this holds of the configuration before it and of the one that was read. */
interface Condition {
  readonly where: string;
  holds(before: Configuration, read: Configuration): boolean;
}

/** A part of the configuration: the keys of the file that say it. */
interface Entry {
  readonly keys: readonly string[];
  readonly part: Part;
  readonly when: When | Condition;
}

const one = (key: string, when: Entry["when"], part: Part): Entry => ({ keys: [key], part, when });

/** A listener that speaks TLS takes a new certificate; one that does not cannot begin to. */
const encrypted: Condition = {
  where: "TLS is on already",
  holds: (before, read) => before.listen.tls !== undefined && read.listen.tls !== undefined,
};

/** A token is shown to the gateway that it is for, and to no other. */
const sameGateway: Condition = {
  where: "the gateway stays the same",
  holds: ({ gateway: before }, { gateway: read }) => before.baseUrl === read.baseUrl && before.entityId === read.entityId && before.testMode === read.testMode,
};

/** Every key of the file stands here once; a test compares it with the schema. */
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
  { keys: ["gateway.accessTokenFile", "gateway.accessTokenEnv"], when: sameGateway, part: (c) => c.gateway.accessToken.reveal() },
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
  one("terminals", "now", (c) => c.terminals.map(({ entityId, ...said }) => (said.hasOwnEntity === true ? { ...said, entityId } : said))),
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
  { keys: ["telemetry.headersFile", "telemetry.headersEnv"], when: "restart", part: (c) => c.telemetry?.headers?.reveal() },
  one("journal.archiveAfterDays", "now", (c) => c.journal.archiveAfterDays),
  one("log.file", "restart", (c) => c.log.file),
  one("log.maxBytes", "restart", (c) => c.log.maxBytes),
  one("log.keep", "restart", (c) => c.log.keep),
  one("log.level", "now", (c) => c.log.level),
];

export interface Reloading {
  /** As it is from here on: what waits for a restart is as it was. */
  readonly configuration: Configuration;
  /** Keys of the file whose values count from here on, each as a person writes it. */
  readonly applied: readonly string[];
  /** Those whose values count from the next start on. */
  readonly needsRestart: readonly string[];
}

/** What comes of a configuration that was read anew. Total over every key. */
export function reloading(before: Configuration, read: Configuration): Reloading {
  const changed = RELOAD_TABLE.filter(({ part }) => JSON.stringify(part(before)) !== JSON.stringify(part(read)));
  const whenOf = ({ when }: Entry): When => (typeof when === "string" ? when : when.holds(before, read) ? "now" : "restart");
  const keysOf = (wanted: When): readonly string[] => changed.filter((entry) => whenOf(entry) === wanted).map(({ keys }) => keys.join(" or "));
  return { configuration: effective(before, read), applied: keysOf("now"), needsRestart: keysOf("restart") };
}

function effective(before: Configuration, after: Configuration): Configuration {
  const { names: _, ...listen } = before.listen;
  const { merchant, fallback, origins, journal } = after;
  const { settlement, settlementByBrand, captures, timeLimits } = after.gateway;
  const { accessToken } = (sameGateway.holds(before, after) ? after : before).gateway;
  // A terminal without an entity of its own has the gateway's, which changes with a restart alone.
  const { entityId } = before.gateway;
  const terminals = after.terminals.map((terminal) => (terminal.hasOwnEntity === true ? terminal : { ...terminal, entityId }));
  const isEncrypted = encrypted.holds(before, after);
  return {
    ...before,
    listen: { ...listen, ...(after.listen.names && { names: after.listen.names }), ...(isEncrypted && after.listen.tls && { tls: after.listen.tls }) },
    ...{ merchant, terminals, fallback, origins, journal },
    gateway: { ...before.gateway, accessToken, settlement, settlementByBrand, captures, timeLimits },
    timeouts: { ...after.timeouts, removalMs: before.timeouts.removalMs },
    log: { ...before.log, level: after.log.level },
  };
}
