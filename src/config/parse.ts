import { dirname } from "node:path";
import type { z } from "zod";
import type { Secret } from "../kit/secret.ts";
import type { Configuration, WebhookSettings } from "./configuration.ts";
import { nearest } from "./did-you-mean.ts";
import { type Finding, type Path, type Problem, pathText } from "./problem.ts";
import { type Resolve, relativeTo } from "./rule.ts";
import { rules } from "./rules.ts";
import { type ConfigurationFile, dataDirSchema, fileSchema } from "./schema.ts";
import { exampleAt, knownKeys } from "./schema-lookup.ts";
import { readAccessToken, readOtlpHeaders, readWebhookKey } from "./secrets.ts";
import { settleBrands, settleTerminal } from "./settle-terminal.ts";
import type { Surroundings } from "./surroundings.ts";
import { readTlsFiles, type TlsFiles } from "./tls-files.ts";
import { readYaml } from "./yaml-source.ts";

export type ConfigurationReading =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export type DataDirReading =
  | { readonly ok: true; readonly dataDir: string }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const EMPTY: Problem = { path: "", message: "is empty; begin with the example: posbridge check-config --help" };

/**
 * Parses a configuration and reports all problems at once, each with its line and the fix. Relative paths start in the
 * folder of `file`.
 */
export function parseConfiguration(text: string, file: string, around: Surroundings): ConfigurationReading {
  const yaml = readYaml(text);
  if (!yaml.ok) return yaml;
  const { value, lineOf } = yaml.source;
  if (value === null || value === undefined) return { ok: false, problems: [EMPTY] };
  const resolve = relativeTo(dirname(file));
  const checked = fileSchema.safeParse(value, { error: typeMessage });
  const token = readAccessToken(value, around, resolve);
  const webhookKey = readWebhookKey(value, around, resolve);
  const otlpHeaders = readOtlpHeaders(value, around, resolve);
  const files = readTlsFiles(value, around, resolve);
  const findings = [
    ...(checked.success ? [] : checked.error.issues.flatMap(schemaFindings)),
    ...rules.flatMap((rule) => rule(value, around, resolve)),
    ...(token.ok ? [] : token.findings),
    ...(webhookKey?.ok === false ? webhookKey.findings : []),
    ...(otlpHeaders?.ok === false ? otlpHeaders.findings : []),
    ...files.findings,
  ];
  if (checked.success && token.ok && webhookKey?.ok !== false && otlpHeaders?.ok !== false && findings.length === 0) {
    const read = {
      accessToken: token.secret,
      ...(webhookKey && { webhookKey: webhookKey.secret }),
      ...(otlpHeaders && { otlpHeaders: otlpHeaders.secret }),
      files,
    };
    return { ok: true, configuration: { file, ...settle(checked.data, read, resolve) } };
  }
  return { ok: false, problems: inOrder(findings, lineOf) };
}

/**
 * Only the data folder. Other values are not checked, but unknown keys are reported: one may be a misspelled `dataDir`.
 */
export function parseDataDir(text: string, file: string): DataDirReading {
  const yaml = readYaml(text);
  if (!yaml.ok) return yaml;
  const { value, lineOf } = yaml.source;
  if (value === null || value === undefined) return { ok: false, problems: [EMPTY] };
  const checked = dataDirSchema.safeParse(value, { error: typeMessage });
  if (checked.success) return { ok: true, dataDir: relativeTo(dirname(file))(checked.data.dataDir) };
  // A person who edits the file should see all problems of its text.
  const whole = fileSchema.safeParse(value, { error: typeMessage });
  const issues = [...checked.error.issues, ...(whole.success ? [] : whole.error.issues)];
  return { ok: false, problems: inOrder(issues.flatMap(schemaFindings), lineOf) };
}

/** One problem a place (the first is the most basic), in the order of the lines. */
function inOrder(findings: readonly Finding[], lineOf: (path: Path, atKey?: boolean) => number): readonly Problem[] {
  const byPlace = new Map<string, Problem>();
  for (const { path, message, atKey } of findings) {
    const place = pathText(path);
    if (!byPlace.has(place)) byPlace.set(place, { line: lineOf(path, atKey), path: place, message });
  }
  return [...byPlace.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** zod's issues, with unknown keys reported one by one at their own path instead of their mapping's. */
function schemaFindings(issue: z.core.$ZodIssue): readonly Finding[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  const known = knownKeys(fileSchema, path);
  return issue.keys.map((key) => {
    const meant = nearest(key, known);
    const mend = meant === undefined ? `known here: ${known.join(", ")}` : `did you mean ${meant}?`;
    return { path: [...path, key], message: `is not a known key; ${mend}`, atKey: true };
  });
}

/** Messages for values of a wrong type; the schema has those for wrong values. */
function typeMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "invalid_type" && issue.code !== "invalid_value") return undefined;
  if (issue.input === undefined || issue.input === null) {
    const path = (issue.path ?? []).filter((part) => typeof part !== "symbol");
    const example = exampleAt(fileSchema, path);
    return `is missing; add it${example === undefined ? "" : `, for example ${String(path.at(-1))}: ${example}`}`;
  }
  if (issue.code === "invalid_value") return `must be ${issue.values.map(String).join(" or ")}; change it`;
  switch (issue.expected) {
    case "string":
      return "must be text; put it in quotes";
    case "object":
      return "must be a mapping (key: value); indent its keys below it";
    case "array":
      return "must be a list; begin each line below it with a dash";
    case "boolean":
      return "must be true or false; change it";
    default:
      return `must be a ${issue.expected}; change it`;
  }
}

/** Contents of the files that the configuration names. */
interface FilesRead {
  readonly accessToken: Secret<string>;
  readonly webhookKey?: Secret<string>;
  readonly otlpHeaders?: Secret<string>;
  readonly files: TlsFiles;
}

function settle(written: ConfigurationFile, read: FilesRead, resolve: Resolve): Omit<Configuration, "file"> {
  const { environment, listen, merchant, gateway, timeouts, fallback, origins } = written;
  const { files } = read;
  const webhooks = settleWebhooks(written, read);
  return {
    environment,
    listen: {
      host: listen.host,
      port: listen.port,
      ...(listen.names && { names: listen.names }),
      ...(files.listen && { tls: files.listen }),
    },
    dataDir: resolve(written.dataDir),
    merchant,
    gateway: settleGateway(gateway, read),
    terminals: written.terminals.map((terminal) => settleTerminal(terminal, gateway, resolve)),
    timeouts,
    fallback,
    origins,
    journal: written.journal,
    log: settleLog(written.log, resolve),
    ...(webhooks && { webhooks }),
    ...(written.telemetry && {
      telemetry: {
        otlpEndpoint: written.telemetry.otlpEndpoint,
        ...(read.otlpHeaders && { headers: read.otlpHeaders }),
      },
    }),
  };
}

function settleGateway(
  written: ConfigurationFile["gateway"],
  { accessToken, files: { ca, clientCertificate } }: FilesRead,
): Configuration["gateway"] {
  const { baseUrl, formerBaseUrls, entityId, testMode, settlement, settlementByBrand, captures, timeLimits } = written;
  const { queryMs, captureMs, reversalMs, refundMs, registrationMs } = timeLimits;
  return {
    ...{
      baseUrl,
      formerBaseUrls,
      entityId,
      accessToken,
      settlement,
      settlementByBrand: settleBrands(settlementByBrand),
      captures,
    },
    ...(testMode && { testMode }),
    ...(ca !== undefined && { ca }),
    ...(clientCertificate && { clientCertificate }),
    timeLimits: {
      ...(queryMs !== undefined && { queryMs }),
      ...(captureMs !== undefined && { captureMs }),
      ...(reversalMs !== undefined && { reversalMs }),
      ...(refundMs !== undefined && { refundMs }),
      ...(registrationMs !== undefined && { registrationMs }),
    },
  };
}

function settleLog({ file, maxBytes, keep, level }: ConfigurationFile["log"], resolve: Resolve): Configuration["log"] {
  return { maxBytes, keep, level, ...(file !== undefined && { file: resolve(file) }) };
}

function settleWebhooks(
  { webhooks }: ConfigurationFile,
  { webhookKey: key, files }: FilesRead,
): WebhookSettings | undefined {
  if (webhooks === undefined || key === undefined) return undefined;
  const { host, port } = webhooks.listen;
  return { listen: { host, port, ...(files.webhooks && { tls: files.webhooks }) }, path: webhooks.path, key };
}
