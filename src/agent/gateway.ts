import type { Configuration, TimeLimits } from "../config/configuration.ts";
import type { Gateway, Lister } from "../engine/ports.ts";
import { gatewayBase } from "../gateway/base-url.ts";
import { onlyOwn } from "../gateway/elsewhere.ts";
import { countedExchange, type ExchangeCounts } from "../gateway/exchange-failure.ts";
import { createGateway, type GatewayLog } from "../gateway/gateway.ts";
import type { HttpExchange } from "../gateway/http-exchange.ts";
import { createHttps, type Https } from "../gateway/https.ts";
import { createLister } from "../gateway/listing.ts";
import { createProbe, type GatewayProbe } from "../gateway/probe.ts";
import type { Clock } from "../kit/clock.ts";
import type { Operation } from "../payment/operation.ts";

/** The gateway of a configuration, with its connections. */
export interface OpenGateway {
  readonly gateway: Gateway;
  readonly probe: GatewayProbe;
  /** Connections that rest are not used again. */
  forgetConnections(): void;
  close(): Promise<void>;
}

const NOT_COUNTED: ExchangeCounts = { gatewayFailed: () => undefined, gatewayCoded: () => undefined };

/**
 * `configuration` is asked again at each request: the token and the time limits may change while the bridge runs. The probe of the checks is not counted: it asks for what
 * is not there.
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

function openHttps({ gateway: { baseUrl, ca, clientCertificate } }: Pick<Configuration, "gateway">, clock: Clock): Https {
  const shown = clientCertificate && { cert: clientCertificate.cert, key: clientCertificate.key.reveal() };
  return createHttps({ baseUrl, clock, ...(ca !== undefined && { ca }), ...(shown && { clientCertificate: shown }) });
}

/** Asks the gateway of a configuration what it has of a time. */
export function openLister(configuration: Pick<Configuration, "gateway" | "environment">, clock: Clock): { readonly lister: Lister; close(): Promise<void> } {
  const { baseUrl, accessToken } = configuration.gateway;
  const http = openHttps(configuration, clock);
  return { lister: createLister({ http, baseUrl, accessToken, environment: configuration.environment }), close: http.close };
}

/** The gateway of a configuration behind any exchange of requests and answers. */
export function gatewayOver(http: HttpExchange, channel: Configuration["gateway"], clock: Clock, log: GatewayLog): Gateway {
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

/** Every address that the gateway of a configuration has had. */
export function addressesOf({ baseUrl, formerBaseUrls }: Configuration["gateway"]): readonly string[] {
  return [baseUrl, ...formerBaseUrls].map((address) => gatewayBase(address).href);
}

/** With the token as it is at each request. */
function withToken<T extends object>(channel: Configuration["gateway"], ports: T): T & Pick<Configuration["gateway"], "accessToken"> {
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

/** The configuration's time limits in place of the engine's one. While a card waits for the answer, the card's own limit stays the longest. */
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
