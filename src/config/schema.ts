import { z } from "zod";
import { BRANDS } from "../emv/brand.ts";

/*
 * The configuration file as it is written (contract, section 2). The schema says what each value may be; what depends on several values is in rules.ts.
 * No transforms: config/posbridge.schema.json is generated from this, for editors.
 */

export const MAX_TERMINALS = 64;
const MAX_ORIGINS = 32;
const MAX_FORMER = 16;
const MAX_NAMES = 32;

/** Where registers, and where the gateway's notifications, are listened to unless said otherwise. */
export const LISTEN_PORT = 7717;
export const WEBHOOK_PORT = 7719;

/** Text that ends up on a receipt: one line, nothing that a printer or a browser would obey. */
const printable = (max: number) =>
  z
    .string()
    .max(max, `has more than ${max} characters; shorten it`)
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, "has control characters or line breaks; use plain text on one line");

const path = z.string().min(1, "is empty; name a file or folder").max(4096, "has more than 4096 characters; use a shorter path");

const bounded = (min: number, max: number, unit: string) => {
  const message = `must be a whole number from ${min} to ${max}${unit === "" ? "" : ` (${unit})`}; change it`;
  return z.int(message).min(min, message).max(max, message);
};

const digits = z.string().regex(/^[0-9]{1,32}$/, "must be 1 to 32 digits, as the acquirer gave it; a number with letters cannot be sent to the gateway");

/** Specification, "Basic payment parameters": entityId. */
const entityId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, "must be 32 lower-case hexadecimal digits; copy it from the gateway's administration")
  .meta({ examples: ["8a8294174b7ecb28014b9699220015ca"] });

const settlement = z.enum(["dual", "single"]);

/** Of which most shops name none, and none has to name all. */
const settlementByBrand = z.strictObject(Object.fromEntries(BRANDS.map((brand) => [brand, settlement.optional()])));

const listener = <T extends z.ZodRawShape>(port: number, more: T) =>
  z.strictObject({
    ...more,
    host: printable(253)
      .min(1, "is empty; write 127.0.0.1")
      .default("127.0.0.1")
      .meta({ description: "Address to listen on. Anything but loopback needs tls." }),
    port: bounded(0, 65535, "0 takes any free one").default(port),
    tls: z.strictObject({ cert: path, key: path }).optional().meta({ description: "PEM files; the key not readable by others." }),
  });

const names = z
  .array(z.string())
  .min(1, "is empty; name one, or leave the key out")
  .max(MAX_NAMES, `has more than ${MAX_NAMES} names; remove some`)
  .optional()
  .meta({
    description: "Host names and addresses by which registers ask for it, beside host and loopback; the machine's own unless said, where host is not loopback.",
    examples: [["bridge.shop.example"]],
  });

const environmentVariable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "must be the name of an environment variable, not the secret itself; write for example GATEWAY_TOKEN")
  .optional();

const webhooks = z
  .strictObject({
    listen: listener(WEBHOOK_PORT, {}).prefault({}),
    path: z
      .string()
      .regex(/^\/[A-Za-z0-9/._~-]{0,200}$/, "must begin with a slash and have letters, digits, slashes, dots, dashes and underscores only; change it")
      .default("/webhooks"),
    keyFile: path.optional().meta({ description: "A file with the webhook's key alone (64 hexadecimal digits), not readable by others." }),
    keyEnv: environmentVariable,
  })
  .meta({ description: "Hears the gateway's notifications, on a listener of its own; without it none are heard.", examples: [{ keyFile: "./webhook-key" }] });

const timeLimit = bounded(1_000, 120_000, "milliseconds").optional();

const timeLimits = z
  .strictObject({ queryMs: timeLimit, captureMs: timeLimit, reversalMs: timeLimit, refundMs: timeLimit, registrationMs: timeLimit })
  .meta({ description: "How long an answer is waited for, by what was asked; timeouts.hostAnswerMs where nothing is said." });

const merchant = z
  .strictObject({
    name: printable(64).min(1, "is empty; write the shop's name as it stands on receipts"),
    address: z.array(printable(64)).max(6, "has more than 6 lines; shorten it").default([]),
    vatId: printable(32).default(""),
    country: z.string().regex(/^[A-Z]{2}$/, "must be two capital letters (ISO 3166), for example DE; change it"),
  })
  .meta({ description: "For receipts; the name also for the pages of links.", examples: [{ name: "Corner Shop", country: "DE" }] });

const gateway = z
  .strictObject({
    baseUrl: z.string().meta({ description: "Ends with a slash; https unless loopback.", examples: ["http://127.0.0.1:7718/"] }),
    formerBaseUrls: z
      .array(z.string())
      .max(MAX_FORMER, `has more than ${MAX_FORMER} addresses; remove the oldest`)
      .default([])
      .meta({ description: "Where this same gateway was before: what was begun there goes on at baseUrl. Never another gateway's." }),
    entityId,
    accessTokenFile: path.optional().meta({ description: "A file with the access token alone, not readable by others." }),
    accessTokenEnv: environmentVariable,
    testMode: z.enum(["INTERNAL", "EXTERNAL"]).optional().meta({ description: "Only with environment: test." }),
    settlement: settlement.default("dual").meta({ description: "dual: reserve, then capture; single: debit at once." }),
    settlementByBrand: settlementByBrand.default({}).meta({ description: "Brands of cards whose money is taken otherwise.", examples: [{ AMEX: "single" }] }),
    captures: z
      .enum(["several", "one"])
      .default("several")
      .meta({ description: "How many captures the channel takes of one preauthorization: several partial ones, or one." }),
    caFile: path.optional().meta({ description: "PEM file of an authority to trust instead of the platform's." }),
    clientCertificate: z
      .strictObject({ certFile: path, keyFile: path })
      .optional()
      .meta({ description: "PEM files, where the gateway asks for one; the key not readable by others." }),
    timeLimits: timeLimits.prefault({}),
  })
  .meta({ examples: [{ baseUrl: "http://127.0.0.1:7718/", entityId: "8a8294174b7ecb28014b9699220015ca", accessTokenFile: "./gateway-token" }] });

const usbId = z
  .int("must be a number, for example 0x0801; change it")
  .min(1, "must be a number from 1 to 65535; change it")
  .max(0xffff, "must be a number from 1 to 65535; change it");

/** host:port, the host a name, an IPv4 address or an IPv6 address in brackets. */
export const TCP_ADDRESS = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):([0-9]{1,5})$/;

const connection = z
  .strictObject({
    serial: path.optional(),
    tcp: z.string().regex(TCP_ADDRESS, "must be host:port, for example 192.168.1.20:6543; change it").optional(),
    websocket: z
      .string()
      .regex(TCP_ADDRESS, "must be host:port without ws:// (there is no TLS), for example 192.168.1.20:80; change it")
      .optional()
      .meta({ description: "A terminal that is a WebSocket server in this network, without TLS." }),
    usb: z
      .strictObject({ vendorId: usbId, productId: usbId, serialNumber: printable(64).min(1, "is empty; write it as `terminals scan` shows it").optional() })
      .optional()
      .meta({ description: "A terminal without a port of its own (HID, bulk); `terminals scan` shows the numbers. serialNumber where two are of one make." }),
  })
  .meta({
    minProperties: 1,
    maxProperties: 1,
    description: "How the terminal is connected: exactly one of serial, tcp, usb, websocket.",
    examples: [{ serial: "/dev/serial/by-id/..." }],
  });

const coordinate = (limit: number) =>
  z
    .string()
    .regex(/^[+-]?[0-9]{1,3}\.[0-9]{1,8}$/, 'must be a decimal number with 1 to 8 decimals in quotes, for example "50.1109"; change it')
    .refine((text) => Math.abs(Number(text)) <= limit, `must be from -${limit} to ${limit} degrees; change it`);

/** A terminal's name for people. */
export const labelSchema = printable(64).min(1, "is empty; write what people call the terminal");

export const terminalSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/, "must be 1 to 32 letters, digits, dots, dashes or underscores, beginning with a letter or digit; change it")
    .meta({ examples: ["till-1"] }),
  model: z.string().meta({ description: "One of `simulate --list`.", examples: ["miura-m020"] }),
  connection,
  options: z
    .record(z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,31}$/, "must be the name of an option of the model; see its PROTOCOL.md"), printable(64))
    .default({})
    .meta({ description: "Options of the model, where the usual value does not fit." }),
  terminalId: digits.meta({ description: "pos.terminalId, from the acquirer.", examples: ["12345678"] }),
  deviceType: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,32}$/, "must be 1 to 32 letters, digits or underscores, as the acquirer names the model; change it")
    .optional()
    .meta({ description: "pos.deviceType as the acquirer names it." }),
  deviceId: digits.optional().meta({ description: "pos.deviceId; a serial number with letters stays local." }),
  entityId: entityId.optional().meta({ description: "The shop's own channel where it is not the gateway's (shop in shop)." }),
  settlement: settlement.optional().meta({ description: "Where it is not the gateway's; the gateway's brands do not count then." }),
  settlementByBrand: settlementByBrand.optional().meta({ description: "Instead of the gateway's brands." }),
  location: z
    .strictObject({
      latitude: coordinate(90),
      longitude: coordinate(180),
      accuracy: z
        .string()
        .regex(/^[0-9]{1,32}$/, 'must be whole metres in quotes, for example "10"; change it')
        .optional(),
    })
    .optional(),
});

const timeouts = z.strictObject({
  cardMs: bounded(5_000, 600_000, "milliseconds").default(60_000),
  pinMs: bounded(5_000, 300_000, "milliseconds").default(60_000),
  hostAnswerMs: bounded(5_000, 120_000, "milliseconds").default(45_000),
  removalMs: bounded(1_000, 300_000, "milliseconds").default(30_000),
  unknownWindowMs: bounded(1_000, 86_400_000, "milliseconds").default(1_800_000),
});

const fallback = z.strictObject({
  allowed: z.boolean().default(true),
  chipTries: bounded(1, 5, "").default(3),
  withinMs: bounded(1_000, 600_000, "milliseconds").default(60_000),
});

export const fileSchema = z
  .strictObject({
    environment: z.enum(["test", "live"]).meta({ description: "live refuses every kind of test equipment.", examples: ["test"] }),
    listen: listener(LISTEN_PORT, { names }).prefault({}),
    dataDir: path.default("./data").meta({ description: "Journal, tokens, paired terminals; mode 0700." }),
    merchant,
    gateway,
    terminals: z.array(terminalSchema).max(MAX_TERMINALS, `has more than ${MAX_TERMINALS} terminals; run a second bridge`).default([]),
    timeouts: timeouts.prefault({}),
    fallback: fallback.prefault({}),
    origins: z
      .array(z.string())
      .max(MAX_ORIGINS, `has more than ${MAX_ORIGINS} origins; remove some`)
      .default([])
      .meta({ description: "Exact origins of browser registers, for example https://till.example" }),
    webhooks: webhooks.optional(),
  })
  .meta({ title: "posbridge configuration" });

const { environment, dataDir, ...others } = fileSchema.shape;

/** The same file where the data folder alone is wanted. */
export const dataDirSchema = z.strictObject({ ...Object.fromEntries(Object.keys(others).map((key) => [key, z.unknown().optional()])), environment, dataDir });

export type ConfigurationFile = z.infer<typeof fileSchema>;
export type WrittenTerminal = z.infer<typeof terminalSchema>;
