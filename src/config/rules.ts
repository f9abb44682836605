import { z } from "zod";
import { isLoopback } from "../kit/loopback.ts";
import { isOpenToOthers, tamperProblem } from "../kit/path-access.ts";
import { hostInUrl, isEveryAddress } from "../kit/served-names.ts";
import { shellWord } from "../kit/shell-word.ts";
import { nearest } from "./nearest.ts";
import type { Finding } from "./problem.ts";
import { LISTEN_PORT, TCP_ADDRESS, WEBHOOK_PORT } from "./schema.ts";
import type { Surroundings } from "./surroundings.ts";

/*
 * What depends on more than one value, or on the world around. Each rule looks at its own slice of the file and is silent where the slice is not even of the right
 * type (the schema speaks then), so that one mistake does not hide the next.
 */

/** Absolute form of a path in the file. */
export type Resolve = (path: string) => string;
type Rule = (raw: unknown, around: Surroundings, resolve: Resolve) => readonly Finding[];

function rule<T>(slice: z.ZodType<T>, check: (value: T, around: Surroundings, resolve: Resolve) => readonly Finding[]): Rule {
  return (raw, around, resolve) => {
    const seen = slice.safeParse(raw);
    return seen.success ? check(seen.data, around, resolve) : [];
  };
}

const live = z.literal("live");

const baseUrl = rule(z.object({ gateway: z.object({ baseUrl: z.string() }) }), ({ gateway }) => addressFindings(gateway.baseUrl, ["gateway", "baseUrl"]));

const formerBaseUrls = rule(z.object({ gateway: z.object({ formerBaseUrls: z.array(z.string()) }) }), ({ gateway }) =>
  gateway.formerBaseUrls.flatMap((address, at) => addressFindings(address, ["gateway", "formerBaseUrls", at])),
);

function addressFindings(address: string, path: Finding["path"]): readonly Finding[] {
  const url = URL.parse(address);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return [{ path, message: "must be an address that begins with https://; change it" }];
  if (url.username !== "" || url.password !== "") return [{ path, message: "must not carry a user or password; put the access token into accessTokenFile" }];
  if (url.search !== "" || url.hash !== "") return [{ path, message: "must not have a query (?) or fragment (#); remove it" }];
  if (!address.endsWith("/")) return [{ path, message: "must end with a slash; add it" }];
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return [{ path, message: "is http to another machine; use https" }];
  return [];
}

const liveGateway = rule(z.object({ environment: live, gateway: z.object({ baseUrl: z.string() }) }), ({ gateway }) => {
  const url = URL.parse(gateway.baseUrl);
  if (url === null || !isLoopback(url.hostname)) return [];
  return [{ path: ["gateway", "baseUrl"], message: "is this machine, which environment: live refuses; use the gateway's live address, or environment: test" }];
});

const liveTestMode = rule(z.object({ environment: live, gateway: z.object({ testMode: z.string() }) }), () => [
  { path: ["gateway", "testMode"], message: "is refused with environment: live; remove it", atKey: true },
]);

/** Gateway: a request may stay pending for up to 30 minutes; "not there" must not be believed earlier where money is real. */
const LIVE_UNKNOWN_WINDOW_MS = 1_800_000;

const liveUnknownWindow = rule(z.object({ environment: live, timeouts: z.object({ unknownWindowMs: z.number() }) }), ({ timeouts }) =>
  timeouts.unknownWindowMs >= LIVE_UNKNOWN_WINDOW_MS
    ? []
    : [{ path: ["timeouts", "unknownWindowMs"], message: `must be at least ${LIVE_UNKNOWN_WINDOW_MS} with environment: live; raise it` }],
);

const listen = rule(z.object({ listen: z.object({ host: z.string(), tls: z.unknown().optional() }) }), ({ listen: { host, tls } }) =>
  tls !== undefined || isLoopback(host)
    ? []
    : [{ path: ["listen", "host"], message: "is open to other machines without encryption; use 127.0.0.1, or add listen.tls with cert and key" }],
);

const names = rule(z.object({ listen: z.object({ names: z.array(z.unknown()) }) }), ({ listen: { names: given } }) =>
  given.flatMap((name, at): readonly Finding[] => {
    if (typeof name !== "string") return [];
    const path = ["listen", "names", at];
    if (hostInUrl(name) === undefined)
      return [{ path, message: "must be a host name or an address alone, without scheme, port or wildcard, for example bridge.shop.example; change it" }];
    return isEveryAddress(name) ? [{ path, message: "is every address, by which no register can ask; name the ones that registers use" }] : [];
  }),
);

const listened = z.object({ host: z.string(), port: z.number().optional(), tls: z.unknown().optional() });

const webhookListen = rule(z.object({ webhooks: z.object({ listen: listened }) }), ({ webhooks: { listen: own } }) =>
  own.tls !== undefined || isLoopback(own.host)
    ? []
    : [
        {
          path: ["webhooks", "listen", "host"],
          message: "is open to other machines without encryption; use 127.0.0.1, or add webhooks.listen.tls with cert and key",
        },
      ],
);

/** One port for registers and strangers would put both behind one guard. */
const webhookPort = rule(z.object({ listen: portOr(LISTEN_PORT), webhooks: z.object({ listen: portOr(WEBHOOK_PORT) }) }), ({ listen: registers, webhooks }) =>
  registers.port !== webhooks.listen.port || registers.port === 0
    ? []
    : [{ path: ["webhooks", "listen", "port"], message: "is the port of listen already; choose another, webhooks have a listener of their own" }],
);

function portOr(usual: number) {
  return z.object({ port: z.number().default(usual) }).default({ port: usual });
}

/** Findings about a file that we must be able to read and nobody else may change; where private, nobody else may read it either. */
export function fileFindings(path: readonly string[], file: string, around: Surroundings, kind: "public" | "private"): readonly Finding[] {
  const look = around.look(file);
  switch (look.is) {
    case "absent":
      return [{ path, message: `names ${file}, which does not exist; create it or change the path` }];
    case "unreadable":
      return [{ path, message: `names ${file}, which cannot be read (${look.detail}); change its owner or mode` }];
    case "file": {
      if (kind === "private" && isOpenToOthers(look.access))
        return [{ path, message: `names ${file}, which is open to others; run: chmod 600 ${shellWord(file)}` }];
      const problem = tamperProblem(look.access, around.user);
      return problem === undefined ? [] : [{ path, message: `names ${file}, which ${problem}` }];
    }
  }
}

const terminals = z.object({ terminals: z.array(z.unknown()) });

/** A rule about one terminal at a time. */
function eachTerminal<T>(slice: z.ZodType<T>, check: (value: T, at: number, around: Surroundings, resolve: Resolve) => readonly Finding[]): Rule {
  return rule(terminals, (file, around, resolve) =>
    file.terminals.flatMap((terminal, at) => {
      const seen = slice.safeParse(terminal);
      return seen.success ? check(seen.data, at, around, resolve) : [];
    }),
  );
}

const models = eachTerminal(z.object({ model: z.string() }), ({ model }, at, around) => {
  const known = around.models.map(({ id }) => id);
  if (known.includes(model)) return [];
  const meant = nearest(model, known);
  const mend = meant === undefined ? `known models are ${known.join(", ")}` : `did you mean ${meant}?`;
  return [{ path: ["terminals", at, "model"], message: `is not a model this version knows; ${mend}` }];
});

const KINDS = ["serial", "tcp", "usb", "websocket"] as const;

/** A kind without a value is as good as none: a key was left behind. */
function kindsIn(connection: Readonly<Record<string, unknown>>): readonly (typeof KINDS)[number][] {
  return KINDS.filter((kind) => Object.hasOwn(connection, kind) && connection[kind] !== undefined);
}

const oneConnection = eachTerminal(z.object({ connection: z.record(z.string(), z.unknown()) }), ({ connection }, at) => {
  const path = ["terminals", at, "connection"];
  const given = kindsIn(connection);
  if (given.length !== 1)
    return [{ path, message: `has ${given.length === 0 ? "none" : given.join(" and ")} of serial, tcp, usb and websocket; write exactly one` }];
  return [];
});

/** The model can be reached in that way, and takes what is set for it. */
const lineOfModel = eachTerminal(z.object({ model: z.string(), connection: z.record(z.string(), z.unknown()) }), ({ model, connection }, at, around) => {
  const known = around.models.find(({ id }) => id === model);
  const [kind, second] = kindsIn(connection);
  if (known === undefined || kind === undefined || second !== undefined || known.lines.some((line) => line.kind === kind)) return [];
  const lines = known.lines.map((line) => line.kind).join(" or ");
  return [{ path: ["terminals", at, "connection", kind], message: `is no way to a ${model}; connect it by ${lines}`, atKey: true }];
});

const optionsOfModel = eachTerminal(z.object({ model: z.string(), options: z.record(z.string(), z.string()) }), ({ model, options }, at, around) => {
  const problem = around.models.find(({ id }) => id === model)?.optionsProblem(options);
  return problem === undefined ? [] : [{ path: ["terminals", at, "options"], message: `${model} ${problem}` }];
});

const addresses = z.object({ connection: z.object({ tcp: z.string().optional(), websocket: z.string().optional() }) });

const networkPort = eachTerminal(addresses, ({ connection: { tcp, websocket } }, at) => {
  const port = TCP_ADDRESS.exec(tcp ?? websocket ?? "")?.[3];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65535)
    ? []
    : [{ path: ["terminals", at, "connection", tcp === undefined ? "websocket" : "tcp"], message: "has a port outside 1 to 65535; change it" }];
});

/** Pseudo-terminals (pts(4)) and loopback are where simulators live; a real device behind a local port server is connected directly instead. */
const liveTerminals: Rule = (raw, around, resolve) => {
  if (!z.object({ environment: live }).safeParse(raw).success) return [];
  const connection = z.object({ connection: z.union([z.object({ serial: z.string() }), z.object({ tcp: z.string() }), z.object({ websocket: z.string() })]) });
  const check = eachTerminal(connection, (terminal, at) => {
    const path = ["terminals", at, "connection"];
    if ("serial" in terminal.connection) {
      const device = around.followed(resolve(terminal.connection.serial));
      const message = "is a pseudo-terminal, which environment: live refuses; name the real device";
      return device.startsWith("/dev/pts/") ? [{ path: [...path, "serial"], message }] : [];
    }
    const [kind, text] = "tcp" in terminal.connection ? ["tcp", terminal.connection.tcp] : ["websocket", terminal.connection.websocket];
    const address = TCP_ADDRESS.exec(text);
    const host = address?.[1] ?? address?.[2];
    const message = "is this machine, which environment: live refuses; name the terminal's own address or its serial device";
    return host !== undefined && isLoopback(host) ? [{ path: [...path, kind], message }] : [];
  });
  return check(raw, around, resolve);
};

/** Two terminals that share what must be one terminal's own. */
function unique<T>(
  slice: z.ZodType<T>,
  keyOf: (value: T, around: Surroundings, resolve: Resolve) => string | undefined,
  path: readonly string[],
  what: string,
): Rule {
  return (raw, around, resolve) => {
    const first = new Map<string, number>();
    const check = eachTerminal(slice, (terminal, at) => {
      const key = keyOf(terminal, around, resolve);
      const before = key === undefined ? undefined : first.get(key);
      if (key !== undefined && before === undefined) first.set(key, at);
      return before === undefined ? [] : [{ path: ["terminals", at, ...path], message: `${what} terminals[${before}] has already; change one of them` }];
    });
    return check(raw, around, resolve);
  };
}

const ids = unique(z.object({ id: z.string() }), ({ id }) => id, ["id"], "is the id that");
const usbIds = z.object({ vendorId: z.number(), productId: z.number(), serialNumber: z.string().optional() });
const devices = unique(
  z.object({
    connection: z.object({ serial: z.string().optional(), tcp: z.string().optional(), usb: usbIds.optional(), websocket: z.string().optional() }),
  }),
  ({ connection: { serial, tcp, usb, websocket } }, around, resolve) => {
    if (usb !== undefined) return JSON.stringify(usb);
    // A serial device has several names below /dev, and a host's name has no capital letters of its own.
    return serial === undefined ? (tcp ?? websocket)?.toLowerCase() : around.followed(resolve(serial));
  },
  ["connection"],
  "names the device that",
);

/** Two devices of one make are told apart by their serial numbers alone. */
const usbAlike: Rule = (raw, around, resolve) => {
  const slice = z.object({ connection: z.object({ usb: usbIds }) });
  const counts = new Map<string, number>();
  const count = eachTerminal(slice, ({ connection: { usb } }) => {
    counts.set(makeOf(usb), (counts.get(makeOf(usb)) ?? 0) + 1);
    return [];
  });
  const check = eachTerminal(slice, ({ connection: { usb } }, at) =>
    usb.serialNumber !== undefined || (counts.get(makeOf(usb)) ?? 0) < 2
      ? []
      : [{ path: ["terminals", at, "connection", "usb"], message: "has no serialNumber, and another terminal is of the same make; add it" }],
  );
  return [...count(raw, around, resolve), ...check(raw, around, resolve)];
};

function makeOf({ vendorId, productId }: z.infer<typeof usbIds>): string {
  return `${vendorId}:${productId}`;
}

const origins = rule(z.object({ origins: z.array(z.unknown()) }), ({ origins: given }) =>
  given.flatMap((origin, at): readonly Finding[] => {
    if (typeof origin !== "string" || isExactOrigin(origin)) return [];
    return [{ path: ["origins", at], message: "must be an exact origin without path or wildcard, for example https://till.example; change it" }];
  }),
);

/** Scheme, host and port as a browser sends them, and nothing besides. */
export function isExactOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) && url.origin === text;
}

/** Every rule, in the order of the file. */
export const rules: readonly Rule[] = [
  listen,
  names,
  baseUrl,
  formerBaseUrls,
  liveGateway,
  liveTestMode,
  ids,
  models,
  oneConnection,
  lineOfModel,
  optionsOfModel,
  networkPort,
  devices,
  usbAlike,
  liveTerminals,
  liveUnknownWindow,
  origins,
  webhookListen,
  webhookPort,
];
