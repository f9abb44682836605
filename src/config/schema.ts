import { z } from "zod";
import { receiptLanguages } from "../receipt/language.ts";
import {
  bounded,
  entityId,
  environmentVariable,
  path,
  printable,
  settlement,
  settlementByBrand,
} from "./schema-values.ts";
import { MAX_TERMINALS, terminalSchema } from "./terminal-schema.ts";

/*
 * The configuration file in written form (contract, section 2): the schema checks single values, rules.ts combinations.
 * No transforms, because config/posbridge.schema.json and the tables of docs/configuration.md are generated from it.
 */

const MAX_ORIGINS = 32;
const MAX_FORMER = 16;
const MAX_NAMES = 32;
const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** Default ports for registers and for the gateway's notifications. */
export const LISTEN_PORT = 7717;
export const WEBHOOK_PORT = 7719;

const tls = z
  .strictObject({
    cert: path.meta({
      description: "PEM file of the certificate, with those that lead from it to a known authority.",
      examples: ["./bridge.crt"],
    }),
    key: path.meta({
      description: "PEM file of its private key. Mode 0600, without a passphrase.",
      examples: ["./bridge.key"],
    }),
  })
  .meta({ description: "Encryption. Required where `host` is not this machine." });

const listener = <T extends z.ZodRawShape>(port: number, more: T) =>
  z.strictObject({
    ...more,
    host: printable(253)
      .min(1, "is empty; write 127.0.0.1")
      .default("127.0.0.1")
      .meta({
        description: "Address to listen on. Anything but this machine (loopback) needs `tls`.",
        examples: ["0.0.0.0"],
      }),
    port: bounded(0, 65535, "0 takes any free one")
      .default(port)
      .meta({ description: "Port to listen on. 0 takes any free one.", examples: [port] }),
    tls: tls.optional(),
  });

const names = z
  .array(z.string())
  .min(1, "is empty; name one, or leave the key out")
  .max(MAX_NAMES, `has more than ${MAX_NAMES} names; remove some`)
  .optional()
  .meta({
    description:
      "Host names and addresses by which registers ask for the bridge, beside `host` and this machine. Without it the machine's own, where `host` is not this machine. See Names.",
    examples: [["bridge.shop.example"]],
  });

const webhooks = z
  .strictObject({
    listen: listener(WEBHOOK_PORT, {})
      .prefault({})
      .meta({ description: "A listener of its own, so that strangers never reach the registers' port." }),
    path: z
      .string()
      .regex(
        /^\/[A-Za-z0-9/._~-]{0,200}$/,
        "must begin with a slash and have letters, digits, slashes, dots, dashes and underscores only; change it",
      )
      .default("/webhooks")
      .meta({
        description: "Path to which the gateway posts, with a slash in front. At most 201 characters.",
        examples: ["/webhooks"],
      }),
    keyFile: path.optional().meta({
      description:
        "A file that holds the webhook's key alone, 64 hexadecimal digits. Mode 0600. Exactly one of `keyFile` and `keyEnv`.",
      examples: ["./webhook-key"],
    }),
    keyEnv: environmentVariable.meta({
      description: "The name of the environment variable that holds the key.",
      examples: ["WEBHOOK_KEY"],
    }),
  })
  .meta({
    description: "Hears the gateway's notifications. Without it none are heard.",
    examples: [{ keyFile: "./webhook-key" }],
  });

const timeLimit = (what: string) =>
  bounded(1_000, 120_000, "milliseconds")
    .optional()
    .meta({
      description: `How long the answer to ${what} is waited for. Without it \`timeouts.hostAnswerMs\`.`,
      examples: [30_000],
    });

const timeLimits = z
  .strictObject({
    queryMs: timeLimit("a query"),
    captureMs: timeLimit("a capture"),
    reversalMs: timeLimit("a reversal"),
    refundMs: timeLimit("a refund"),
    registrationMs: timeLimit("storing or deleting a card"),
  })
  .meta({ description: "How long an answer of the gateway is waited for, by what was asked, in milliseconds." });

const merchant = z
  .strictObject({
    name: printable(64)
      .min(1, "is empty; write the shop's name as it stands on receipts")
      .meta({ description: "The shop's name on receipts and on the pages of links.", examples: ["Corner Shop"] }),
    address: z
      .array(printable(64))
      .max(6, "has more than 6 lines; shorten it")
      .default([])
      .meta({
        description: "The shop's address on receipts, a list of lines.",
        examples: [["Marktplatz 1", "60311 Frankfurt am Main"]],
      }),
    vatId: printable(32)
      .default("")
      .meta({ description: "The shop's VAT number on receipts.", examples: ["DE123456789"] }),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, "must be two capital letters (ISO 3166), for example DE; change it")
      .meta({ description: "The shop's country: two capital letters (ISO 3166).", examples: ["DE"] }),
    language: z
      .enum(receiptLanguages, `must be one of ${receiptLanguages.join(", ")}; change it`)
      .default("en")
      .meta({ description: "The language of receipts that a register asks for without naming one.", examples: ["de"] }),
  })
  .meta({ description: "The shop, as receipts name it.", examples: [{ name: "Corner Shop", country: "DE" }] });

const clientCertificate = z
  .strictObject({
    certFile: path.meta({ description: "PEM file of the bridge's certificate.", examples: ["./client.crt"] }),
    keyFile: path.meta({
      description: "PEM file of its private key. Mode 0600, without a passphrase.",
      examples: ["./client.key"],
    }),
  })
  .meta({ description: "What the bridge shows the gateway, where the gateway asks who is calling." });

const gateway = z
  .strictObject({
    baseUrl: z.string().meta({
      description: "Address of the gateway. It ends with a slash. It is https, unless the gateway is this machine.",
      examples: ["http://127.0.0.1:7718/"],
    }),
    formerBaseUrls: z
      .array(z.string())
      .max(MAX_FORMER, `has more than ${MAX_FORMER} addresses; remove the oldest`)
      .default([])
      .meta({
        description:
          "Where this same gateway was before. Payments that began there go on at `baseUrl`. Never name another gateway here.",
        examples: [["https://old.example/"]],
      }),
    entityId: entityId.meta({ description: "The channel at the gateway: 32 lower-case hexadecimal digits." }),
    accessTokenFile: path.optional().meta({
      description:
        "A file that holds the access token alone. Mode 0600. Exactly one of `accessTokenFile` and `accessTokenEnv`.",
      examples: ["./gateway-token"],
    }),
    accessTokenEnv: environmentVariable.meta({
      description: "The name of the environment variable that holds the access token.",
      examples: ["GATEWAY_TOKEN"],
    }),
    testMode: z
      .enum(["INTERNAL", "EXTERNAL"])
      .optional()
      .meta({ description: "The gateway's test mode. Only with `environment: test`.", examples: ["INTERNAL"] }),
    settlement: settlement.default("dual").meta({
      description: "dual: reserve, let the card decide, then capture. single: debit at once.",
      examples: ["dual"],
    }),
    settlementByBrand: settlementByBrand.default({}).meta({
      description:
        "Brands, by the names of `card.brand`, whose cards are settled otherwise. A card without a known brand counts as none of them.",
      examples: [{ AMEX: "single" }],
    }),
    captures: z
      .enum(["several", "one"])
      .default("several")
      .meta({
        description: "How many captures the channel takes of one preauthorization: several partial ones, or one.",
        examples: ["several"],
      }),
    caFile: path
      .optional()
      .meta({ description: "PEM file of an authority to trust instead of the platform's.", examples: ["./ca.pem"] }),
    clientCertificate: clientCertificate.optional(),
    timeLimits: timeLimits.prefault({}),
  })
  .meta({
    description: "The payment gateway, and how the bridge is known there.",
    examples: [
      {
        baseUrl: "http://127.0.0.1:7718/",
        entityId: "8a8294174b7ecb28014b9699220015ca",
        accessTokenFile: "./gateway-token",
      },
    ],
  });

const milliseconds = (min: number, max: number, usual: number, description: string) =>
  bounded(min, max, "milliseconds")
    .default(usual)
    .meta({ description, examples: [usual] });

const timeouts = z
  .strictObject({
    cardMs: milliseconds(5_000, 600_000, 60_000, "How long a card is waited for."),
    pinMs: milliseconds(5_000, 300_000, 60_000, "How long a PIN is waited for."),
    hostAnswerMs: milliseconds(
      5_000,
      120_000,
      45_000,
      "How long the gateway may take while a card waits. Then the gateway is queried, and the card waits for that as long as its terminal allows.",
    ),
    removalMs: milliseconds(1_000, 300_000, 30_000, "How long the card may stay in the terminal after the end."),
    unknownWindowMs: milliseconds(
      1_000,
      86_400_000,
      1_800_000,
      'How long the gateway\'s answer "not there" is not believed. With `environment: live` at least 1,800,000.',
    ),
  })
  .meta({ description: "How long the bridge waits, in milliseconds." });

const fallback = z
  .strictObject({
    allowed: z
      .boolean()
      .default(true)
      .meta({ description: "Whether a card may be swiped after its chip could not be read.", examples: [false] }),
    chipTries: bounded(1, 5, "")
      .default(3)
      .meta({ description: "How many unreadable chips in a row lead to a swipe.", examples: [3] }),
    withinMs: milliseconds(1_000, 600_000, 60_000, "How long a swipe is waited for then, in milliseconds."),
  })
  .meta({ description: "The magnetic stripe in place of a chip that could not be read." });

const journal = z
  .strictObject({
    archiveAfterDays: bounded(1, 36_500, "days")
      .default(90)
      .meta({
        description:
          "How old closed payments are when their steps move from the journal into compressed files beside it. They stay readable.",
        examples: [90],
      }),
  })
  .meta({ description: "The journal of the data folder." });

const log = z
  .strictObject({
    file: path.optional().meta({
      description:
        "A file for the log in place of stdout, of mode 0600. It is for machines without a journal of their own.",
      examples: ["./log/posbridge.log"],
    }),
    maxBytes: bounded(65_536, 1_073_741_824, "bytes")
      .default(10_485_760)
      .meta({
        description: "A log file that would grow past this is put aside as `.1`, and a new one begun.",
        examples: [10_485_760],
      }),
    keep: bounded(1, 100, "files")
      .default(9)
      .meta({ description: "How many log files that were put aside stay. Older ones are removed.", examples: [9] }),
    level: z
      .enum(LOG_LEVELS)
      .default("info")
      .meta({
        description: "The least important lines that are written. `--log-level` goes before it.",
        examples: ["info"],
      }),
  })
  .meta({ description: "What the bridge says of its work." });
const telemetry = z
  .strictObject({
    otlpEndpoint: z.string().meta({
      description:
        "The collector's address, as in OTEL_EXPORTER_OTLP_ENDPOINT: `v1/traces` is added. https, where it is another machine and headers are sent.",
      examples: ["http://127.0.0.1:4318"],
    }),
    headersFile: path.optional().meta({
      description:
        "A file with the headers of each request alone, as in OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`. Mode 0600.",
      examples: ["./otlp-headers"],
    }),
    headersEnv: environmentVariable.meta({
      description: "The name of the environment variable that holds the headers.",
      examples: ["OTEL_EXPORTER_OTLP_HEADERS"],
    }),
  })
  .meta({
    description: "Sends a trace of each payment to an OpenTelemetry collector. Without it none is sent.",
    examples: [{ otlpEndpoint: "http://127.0.0.1:4318" }],
  });

export const fileSchema = z
  .strictObject({
    environment: z
      .enum(["test", "live"])
      .meta({ description: "Which money moves. `live` refuses every kind of test equipment.", examples: ["test"] }),
    listen: listener(LISTEN_PORT, { names }).prefault({}).meta({ description: "Where registers connect." }),
    dataDir: path.default("./data").meta({
      description:
        "The data folder: journal, tokens, paired terminals. Made with mode 0700, and refused where others may enter.",
      examples: ["/var/lib/posbridge"],
    }),
    merchant,
    gateway,
    terminals: z
      .array(terminalSchema)
      .max(MAX_TERMINALS, `has more than ${MAX_TERMINALS} terminals; run a second bridge`)
      .default([])
      .meta({ description: "The card terminals, a list. `terminals pair` adds others in the data folder." }),
    timeouts: timeouts.prefault({}),
    fallback: fallback.prefault({}),
    origins: z
      .array(z.string())
      .max(MAX_ORIGINS, `has more than ${MAX_ORIGINS} origins; remove some`)
      .default([])
      .meta({ description: "Exact origins of registers that run in a browser.", examples: [["https://till.example"]] }),
    webhooks: webhooks.optional(),
    journal: journal.prefault({}),
    log: log.prefault({}),
    telemetry: telemetry.optional(),
  })
  .meta({ title: "posbridge configuration" });

const { environment, dataDir, ...others } = fileSchema.shape;

/** The file with only the data folder checked. */
export const dataDirSchema = z.strictObject({
  ...Object.fromEntries(Object.keys(others).map((key) => [key, z.unknown().optional()])),
  environment,
  dataDir,
});

export type ConfigurationFile = z.infer<typeof fileSchema>;
