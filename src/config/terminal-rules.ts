import { z } from "zod";
import { isLoopback } from "../kit/loopback.ts";
import { nearest } from "./did-you-mean.ts";
import { eachTerminal, type Resolve, type TerminalRule, type TerminalSurroundings } from "./rule.ts";
import { TCP_ADDRESS } from "./terminal-schema.ts";

/*
 * Rules about several values of the terminals, or about the machine. Paired terminals obey the same rules (equip.ts).
 */

const live = z.literal("live");

const models = eachTerminal(z.object({ model: z.string() }), ({ model }, at, around) => {
  const known = around.models.map(({ id }) => id);
  if (known.includes(model)) return [];
  const meant = nearest(model, known);
  const mend = meant === undefined ? `known models are ${known.join(", ")}` : `did you mean ${meant}?`;
  return [{ path: ["terminals", at, "model"], message: `is not a model this version knows; ${mend}` }];
});

const KINDS = ["serial", "tcp", "usb", "websocket"] as const;

/** A key without a value does not count. */
function kindsIn(connection: Readonly<Record<string, unknown>>): readonly (typeof KINDS)[number][] {
  return KINDS.filter((kind) => Object.hasOwn(connection, kind) && connection[kind] !== undefined);
}

const oneConnection = eachTerminal(
  z.object({ connection: z.record(z.string(), z.unknown()) }),
  ({ connection }, at) => {
    const path = ["terminals", at, "connection"];
    const given = kindsIn(connection);
    if (given.length !== 1)
      return [
        {
          path,
          message: `has ${given.length === 0 ? "none" : given.join(" and ")} of serial, tcp, usb and websocket; write exactly one`,
        },
      ];
    return [];
  },
);

/** The model supports the connection. */
const lineOfModel = eachTerminal(
  z.object({ model: z.string(), connection: z.record(z.string(), z.unknown()) }),
  ({ model, connection }, at, around) => {
    const known = around.models.find(({ id }) => id === model);
    const [kind, second] = kindsIn(connection);
    if (
      known === undefined ||
      kind === undefined ||
      second !== undefined ||
      known.lines.some((line) => line.kind === kind)
    )
      return [];
    const lines = known.lines.map((line) => line.kind).join(" or ");
    return [
      {
        path: ["terminals", at, "connection", kind],
        message: `is no way to a ${model}; connect it by ${lines}`,
        atKey: true,
      },
    ];
  },
);

const optionsOfModel = eachTerminal(
  z.object({ model: z.string(), options: z.record(z.string(), z.string()) }),
  ({ model, options }, at, around) => {
    const problem = around.models.find(({ id }) => id === model)?.optionsProblem(options);
    return problem === undefined ? [] : [{ path: ["terminals", at, "options"], message: `${model} ${problem}` }];
  },
);

const addresses = z.object({ connection: z.object({ tcp: z.string().optional(), websocket: z.string().optional() }) });

const networkPort = eachTerminal(addresses, ({ connection: { tcp, websocket } }, at) => {
  const port = TCP_ADDRESS.exec(tcp ?? websocket ?? "")?.[3];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65535)
    ? []
    : [
        {
          path: ["terminals", at, "connection", tcp === undefined ? "websocket" : "tcp"],
          message: "has a port outside 1 to 65535; change it",
        },
      ];
});

/**
 * Simulators use pseudo-terminals (pts(4)) and loopback. Connect a real device directly instead of through a local port
 * server.
 */
const liveTerminals: TerminalRule = (raw, around, resolve) => {
  if (!z.object({ environment: live }).safeParse(raw).success) return [];
  const connection = z.object({
    connection: z.union([
      z.object({ serial: z.string() }),
      z.object({ tcp: z.string() }),
      z.object({ websocket: z.string() }),
    ]),
  });
  const check = eachTerminal(connection, (terminal, at) => {
    const path = ["terminals", at, "connection"];
    if ("serial" in terminal.connection) {
      const device = around.followed(resolve(terminal.connection.serial));
      const message = "is a pseudo-terminal, which environment: live refuses; name the real device";
      return device.startsWith("/dev/pts/") ? [{ path: [...path, "serial"], message }] : [];
    }
    const [kind, text] =
      "tcp" in terminal.connection ? ["tcp", terminal.connection.tcp] : ["websocket", terminal.connection.websocket];
    const address = TCP_ADDRESS.exec(text);
    const host = address?.[1] ?? address?.[2];
    const message =
      "is this machine, which environment: live refuses; name the terminal's own address or its serial device";
    return host !== undefined && isLoopback(host) ? [{ path: [...path, kind], message }] : [];
  });
  return check(raw, around, resolve);
};

/** Reports terminals that share a value which must be unique. */
function unique<T>(
  slice: z.ZodType<T>,
  keyOf: (value: T, around: TerminalSurroundings, resolve: Resolve) => string | undefined,
  path: readonly string[],
  what: string,
): TerminalRule {
  return (raw, around, resolve) => {
    const first = new Map<string, number>();
    const check = eachTerminal(slice, (terminal, at) => {
      const key = keyOf(terminal, around, resolve);
      const before = key === undefined ? undefined : first.get(key);
      if (key !== undefined && before === undefined) first.set(key, at);
      return before === undefined
        ? []
        : [
            {
              path: ["terminals", at, ...path],
              message: `${what} terminals[${before}] has already; change one of them`,
            },
          ];
    });
    return check(raw, around, resolve);
  };
}

const ids = unique(z.object({ id: z.string() }), ({ id }) => id, ["id"], "is the id that");
const usbIds = z.object({ vendorId: z.number(), productId: z.number(), serialNumber: z.string().optional() });
const devices = unique(
  z.object({
    connection: z.object({
      serial: z.string().optional(),
      tcp: z.string().optional(),
      usb: usbIds.optional(),
      websocket: z.string().optional(),
    }),
  }),
  ({ connection: { serial, tcp, usb, websocket } }, around, resolve) => {
    if (usb !== undefined) return JSON.stringify(usb);
    // A serial device may have several names below /dev, and host names ignore case.
    return serial === undefined ? (tcp ?? websocket)?.toLowerCase() : around.followed(resolve(serial));
  },
  ["connection"],
  "names the device that",
);

/** Only serial numbers distinguish two devices of one make. */
const usbAlike: TerminalRule = (raw, around, resolve) => {
  const slice = z.object({ connection: z.object({ usb: usbIds }) });
  const counts = new Map<string, number>();
  const count = eachTerminal(slice, ({ connection: { usb } }) => {
    counts.set(makeOf(usb), (counts.get(makeOf(usb)) ?? 0) + 1);
    return [];
  });
  const check = eachTerminal(slice, ({ connection: { usb } }, at) =>
    usb.serialNumber !== undefined || (counts.get(makeOf(usb)) ?? 0) < 2
      ? []
      : [
          {
            path: ["terminals", at, "connection", "usb"],
            message: "has no serialNumber, and another terminal is of the same make; add it",
          },
        ],
  );
  return [...count(raw, around, resolve), ...check(raw, around, resolve)];
};

function makeOf({ vendorId, productId }: z.infer<typeof usbIds>): string {
  return `${vendorId}:${productId}`;
}

/** Every rule about terminals, in the order of the file. */
export const terminalRules: readonly TerminalRule[] = [
  ids,
  models,
  oneConnection,
  lineOfModel,
  optionsOfModel,
  networkPort,
  devices,
  usbAlike,
  liveTerminals,
];
