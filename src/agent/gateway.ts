import type { Configuration, TimeLimits } from "../config/configuration.ts";
import type { Gateway, Lister } from "../engine/ports.ts";
import { gatewayBase } from "../gateway/base-url.ts";
import { countedExchange, type ExchangeCounts } from "../gateway/exchange-failure.ts";
import { createGateway, type GatewayLog } from "../gateway/gateway.ts";
import type { HttpExchange } from "../gateway/http-exchange.ts";
import { createHttps, type Https } from "../gateway/https.ts";
import { createLister } from "../gateway/listing.ts";
import { onlyOwn } from "../gateway/other-gateway.ts";
import { createProbe, type GatewayProbe } from "../gateway/probe.ts";
import type { Clock } from "../kit/clock.ts";
import type { Operation } from "../payment/exchange.ts";

/** The gateway of a configuration, with its connections. */
export interface OpenGateway {
  readonly gateway: Gateway;
  readonly probe: GatewayProbe;
  /** Idle connections are not used again. */
  forgetConnections(): void;
  close(): Promise<void>;
}

const NOT_COUNTED: ExchangeCounts = { gatewayFailed: () => undefined, gatewayCoded: () => undefined };

/**
 * `configuration` is called for each request, because token and time limits may change. The checks' probe is not
 * counted: its payment does not exist.
 */
export function openGateway(
  configuration: () => Pick<Configuration, "gateway">,
  clock: Clock,
  log: GatewayLog,
  counts: ExchangeCounts = NOT_COUNTED,
): OpenGateway {
  const channel = liveChannel(configuration);
  const { baseUrl } = channel;
  const http = openHttps(configuration(), clock);
  const probe = createProbe(withToken(channel, { http, clock, baseUrl }));
  const gateway = gatewayOver(countedExchange(http, counts), channel, clock, log);
  return { gateway, probe, forgetConnections: http.forgetResting, close: http.close };
}

function openHttps(
  { gateway: { baseUrl, ca, clientCertificate } }: Pick<Configuration, "gateway">,
  clock: Clock,
): Https {
  const shown = clientCertificate && { cert: clientCertificate.cert, key: clientCertificate.key.reveal() };
  return createHttps({ baseUrl, clock, ...(ca !== undefined && { ca }), ...(shown && { clientCertificate: shown }) });
}

/** Lists the gateway's bookings of a time frame. */
export function openLister(
  configuration: Pick<Configuration, "gateway" | "environment">,
  clock: Clock,
): { readonly lister: Lister; close(): Promise<void> } {
  const { baseUrl, accessToken } = configuration.gateway;
  const http = openHttps(configuration, clock);
  return {
    lister: createLister({ http, baseUrl, accessToken, environment: configuration.environment }),
    close: http.close,
  };
}

/** The configured gateway over any exchange of requests. */
export function gatewayOver(
  http: HttpExchange,
  channel: Configuration["gateway"],
  clock: Clock,
  log: GatewayLog,
): Gateway {
  const { baseUrl } = channel;
  const gateway = createGateway(withToken(channel, { http, log, clock, baseUrl }));
  const now = (): Gateway => limited(gateway, channel.timeLimits);
  const live: Gateway = {
    ...gateway,
    post: (order, deadlineMs) => now().post(order, deadlineMs),
    search: (search, deadlineMs) => now().search(search, deadlineMs),
  };
  return onlyOwn(live, addressesOf(channel));
}

/** Current and former addresses of the configured gateway. */
export function addressesOf({ baseUrl, formerBaseUrls }: Configuration["gateway"]): readonly string[] {
  return [baseUrl, ...formerBaseUrls].map((address) => gatewayBase(address).href);
}

/** Reads the token anew for each request. */
function withToken<T extends object>(
  channel: Configuration["gateway"],
  ports: T,
): T & Pick<Configuration["gateway"], "accessToken"> {
  return {
    ...ports,
    get accessToken() {
      return channel.accessToken;
    },
  };
}

function liveChannel(configuration: () => Pick<Configuration, "gateway">): Configuration["gateway"] {
  return {
    ...configuration().gateway,
    get accessToken() {
      return configuration().gateway.accessToken;
    },
    get timeLimits() {
      return configuration().gateway.timeLimits;
    },
  };
}

/** Applies the configured time limits. While a card waits, the card's own limit remains the longest. */
export function limited(gateway: Gateway, limits: TimeLimits): Gateway {
  return {
    ...gateway,
    post: (order, deadlineMs) => gateway.post(order, limitOf(order.operation, limits, deadlineMs)),
    search: (search, deadlineMs) => gateway.search(search, limits.queryMs ?? deadlineMs),
  };
}

function limitOf({ paymentType }: Operation, limits: TimeLimits, deadlineMs: number): number {
  switch (paymentType) {
    case "PA":
    case "DB":
    case "CD":
      return deadlineMs;
    case "CP":
      return limits.captureMs ?? deadlineMs;
    case "RV":
      return limits.reversalMs ?? deadlineMs;
    case "RF":
      return limits.refundMs ?? deadlineMs;
    case "RG":
      return Math.min(limits.registrationMs ?? deadlineMs, deadlineMs);
    case "DR":
      return limits.registrationMs ?? deadlineMs;
  }
}
