import { z } from "zod";
import { isLoopback } from "../kit/loopback.ts";
import { privacyProblem, tamperProblem } from "../kit/path-access.ts";
import { hostInUrl, isEveryAddress } from "../kit/served-names.ts";
import type { Finding } from "./problem.ts";
import { type Rule, rule } from "./rule.ts";
import { LISTEN_PORT, WEBHOOK_PORT } from "./schema.ts";
import type { Surroundings } from "./surroundings.ts";
import { terminalRules } from "./terminal-rules.ts";

/* Rules about several values, or about the machine. Rules about terminals are in terminal-rules.ts. */

const live = z.literal("live");

const baseUrl = rule(z.object({ gateway: z.object({ baseUrl: z.string() }) }), ({ gateway }) =>
  addressFindings(gateway.baseUrl, ["gateway", "baseUrl"]),
);

const formerBaseUrls = rule(z.object({ gateway: z.object({ formerBaseUrls: z.array(z.string()) }) }), ({ gateway }) =>
  gateway.formerBaseUrls.flatMap((address, at) => addressFindings(address, ["gateway", "formerBaseUrls", at])),
);

function addressFindings(address: string, path: Finding["path"]): readonly Finding[] {
  const url = URL.parse(address);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    return [{ path, message: "must be an address that begins with https://; change it" }];
  if (url.username !== "" || url.password !== "")
    return [{ path, message: "must not carry a user or password; put the access token into accessTokenFile" }];
  if (url.search !== "" || url.hash !== "")
    return [{ path, message: "must not have a query (?) or fragment (#); remove it" }];
  if (!address.endsWith("/")) return [{ path, message: "must end with a slash; add it" }];
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return [{ path, message: "is http to another machine; use https" }];
  return [];
}

const liveGateway = rule(z.object({ environment: live, gateway: z.object({ baseUrl: z.string() }) }), ({ gateway }) => {
  const url = URL.parse(gateway.baseUrl);
  if (url === null || !isLoopback(url.hostname)) return [];
  return [
    {
      path: ["gateway", "baseUrl"],
      message: "is this machine, which environment: live refuses; use the gateway's live address, or environment: test",
    },
  ];
});

const liveTestMode = rule(z.object({ environment: live, gateway: z.object({ testMode: z.string() }) }), () => [
  { path: ["gateway", "testMode"], message: "is refused with environment: live; remove it", atKey: true },
]);

/**
 * A request may stay pending at the gateway for up to 30 minutes; with real money, "not there" must not be believed
 * earlier.
 */
const LIVE_UNKNOWN_WINDOW_MS = 1_800_000;

const liveUnknownWindow = rule(
  z.object({ environment: live, timeouts: z.object({ unknownWindowMs: z.number() }) }),
  ({ timeouts }) =>
    timeouts.unknownWindowMs >= LIVE_UNKNOWN_WINDOW_MS
      ? []
      : [
          {
            path: ["timeouts", "unknownWindowMs"],
            message: `must be at least ${LIVE_UNKNOWN_WINDOW_MS} with environment: live; raise it`,
          },
        ],
);

const listen = rule(
  z.object({ listen: z.object({ host: z.string(), tls: z.unknown().optional() }) }),
  ({ listen: { host, tls } }) =>
    tls !== undefined || isLoopback(host)
      ? []
      : [
          {
            path: ["listen", "host"],
            message: "is open to other machines without encryption; use 127.0.0.1, or add listen.tls with cert and key",
          },
        ],
);

const names = rule(z.object({ listen: z.object({ names: z.array(z.unknown()) }) }), ({ listen: { names: given } }) =>
  given.flatMap((name, at): readonly Finding[] => {
    if (typeof name !== "string") return [];
    const path = ["listen", "names", at];
    if (hostInUrl(name) === undefined)
      return [
        {
          path,
          message:
            "must be a host name or an address alone, without scheme, port or wildcard, for example bridge.shop.example; change it",
        },
      ];
    return isEveryAddress(name)
      ? [{ path, message: "is every address, by which no register can ask; name the ones that registers use" }]
      : [];
  }),
);

const listened = z.object({ host: z.string(), port: z.number().optional(), tls: z.unknown().optional() });

const webhookListen = rule(z.object({ webhooks: z.object({ listen: listened }) }), ({ webhooks: { listen: own } }) =>
  own.tls !== undefined || isLoopback(own.host)
    ? []
    : [
        {
          path: ["webhooks", "listen", "host"],
          message:
            "is open to other machines without encryption; use 127.0.0.1, or add webhooks.listen.tls with cert and key",
        },
      ],
);

/** Registers and strangers need separate ports, because their listeners check callers differently. */
const webhookPort = rule(
  z.object({ listen: portOr(LISTEN_PORT), webhooks: z.object({ listen: portOr(WEBHOOK_PORT) }) }),
  ({ listen: registers, webhooks }) =>
    registers.port !== webhooks.listen.port || registers.port === 0
      ? []
      : [
          {
            path: ["webhooks", "listen", "port"],
            message: "is the port of listen already; choose another, webhooks have a listener of their own",
          },
        ],
);

function portOr(usual: number) {
  return z.object({ port: z.number().default(usual) }).default({ port: usual });
}

/** Problems of a file: the bridge must be able to read it, and nobody else to change it, or to read a private one. */
export function fileFindings(
  path: readonly string[],
  file: string,
  around: Surroundings,
  kind: "public" | "private",
): readonly Finding[] {
  const look = around.look(file);
  switch (look.is) {
    case "absent":
      return [{ path, message: `names ${file}, which does not exist; create it or change the path` }];
    case "unreadable":
      return [{ path, message: `names ${file}, which cannot be read (${look.detail}); change its owner or mode` }];
    case "file": {
      const problem =
        (kind === "private" ? privacyProblem(look.access, file) : undefined) ?? tamperProblem(look.access, around.user);
      return problem === undefined ? [] : [{ path, message: `names ${file}, which ${problem}` }];
    }
  }
}

const origins = rule(z.object({ origins: z.array(z.unknown()) }), ({ origins: given }) =>
  given.flatMap((origin, at): readonly Finding[] => {
    if (typeof origin !== "string" || isExactOrigin(origin)) return [];
    return [
      {
        path: ["origins", at],
        message: "must be an exact origin without path or wildcard, for example https://till.example; change it",
      },
    ];
  }),
);

/** Only scheme, host and port, as browsers send them. */
export function isExactOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) && url.origin === text;
}

const OTLP = ["telemetry", "otlpEndpoint"];

const otlpEndpoint = rule(
  z.object({
    telemetry: z.object({
      otlpEndpoint: z.string(),
      headersFile: z.unknown().optional(),
      headersEnv: z.unknown().optional(),
    }),
  }),
  ({ telemetry: { otlpEndpoint: address, headersFile, headersEnv } }) => {
    const url = URL.parse(address);
    if (url === null || !["http:", "https:"].includes(url.protocol))
      return [{ path: OTLP, message: "must be an address that begins with https:// or http://; change it" }];
    if (url.username !== "" || url.password !== "")
      return [{ path: OTLP, message: "must not carry a user or password; put the key into headersFile" }];
    if (url.search !== "" || url.hash !== "")
      return [{ path: OTLP, message: "must not have a query (?) or fragment (#); remove it" }];
    if (/\/v1\/traces\/?$/.test(url.pathname))
      return [{ path: OTLP, message: "must not end with v1/traces, which is added; remove that" }];
    const isOpen = url.protocol === "http:" && !isLoopback(url.hostname);
    if (isOpen && (headersFile !== undefined || headersEnv !== undefined))
      return [
        {
          path: OTLP,
          message: "is http to another machine, which shows the headers to everybody on the way; use https",
        },
      ];
    return [];
  },
);

/** Every rule, in the order of the file. */
export const rules: readonly Rule[] = [
  listen,
  names,
  baseUrl,
  formerBaseUrls,
  liveGateway,
  liveTestMode,
  ...terminalRules,
  liveUnknownWindow,
  origins,
  webhookListen,
  webhookPort,
  otlpEndpoint,
];
