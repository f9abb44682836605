import { z } from "zod";
import { Secret } from "../kit/secret.ts";
import type { Finding } from "./problem.ts";
import type { Resolve } from "./rule.ts";
import { fileFindings } from "./rules.ts";
import type { Surroundings } from "./surroundings.ts";

export type SecretReading =
  | { readonly ok: true; readonly secret: Secret<string> }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** A secret of the configuration: in a file that nobody else may read, or in an environment variable. */
interface SecretPlace {
  /** The mapping. */
  readonly in: string;
  readonly file: string;
  readonly env: string;
  readonly pattern: RegExp;
  /** The required content of file or variable. */
  readonly what: string;
  /** The fix if neither is named. */
  readonly mend: string;
}

const mapping = z.record(z.string(), z.unknown());

/** RFC 6750, 2.1 (b64token) is narrower, but gateways have used other visible characters. White space is refused. */
const ACCESS_TOKEN: SecretPlace = {
  in: "gateway",
  file: "accessTokenFile",
  env: "accessTokenEnv",
  pattern: /^[\x21-\x7e]{1,1024}$/,
  what: "the access token alone, on one line",
  mend: "has no access token; add accessTokenFile: ./gateway-token (a file of mode 600), or accessTokenEnv: NAME",
};

/** gateway-facts 3. */
const WEBHOOK_KEY: SecretPlace = {
  in: "webhooks",
  file: "keyFile",
  env: "keyEnv",
  pattern: /^[0-9A-Fa-f]{64}$/,
  what: "the webhook's key alone, 64 hexadecimal digits",
  mend: "has no key; add keyFile: ./webhook-key (a file of mode 600), or keyEnv: NAME",
};

/** Reads the gateway's access token from the configured place. Problems never repeat its text. */
export function readAccessToken(raw: unknown, around: Surroundings, resolve: Resolve): SecretReading {
  return readSecret(ACCESS_TOKEN, raw, around, resolve);
}

/** The example key in the guides of the gateway's tenants, which is public. */
const PUBLISHED_KEY = "000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F";

/** The key that decrypts webhooks; undefined if the configuration has none. */
export function readWebhookKey(raw: unknown, around: Surroundings, resolve: Resolve): SecretReading | undefined {
  const file = mapping.safeParse(raw).data;
  if (file?.["webhooks"] === undefined) return undefined;
  const reading = readSecret(WEBHOOK_KEY, raw, around, resolve);
  const isPublished = reading.ok && reading.secret.reveal().toUpperCase() === PUBLISHED_KEY;
  return isPublished && file["environment"] === "live"
    ? problem(
        ["webhooks"],
        "has the key that the gateway's guides print, which environment: live refuses; make one: openssl rand -hex 32",
      )
    : reading;
}

/** A character of a header's value in OTEL_EXPORTER_OTLP_HEADERS: literal, or printable ASCII as a percent code. */
const HEADER_CHARACTER = "(?:[\\x21-\\x24\\x26-\\x2b\\x2d-\\x7e]|%(?:[2-6][0-9A-Fa-f]|7[0-9A-Ea-e]))";
const HEADER = `[A-Za-z0-9_-]{1,64}=${HEADER_CHARACTER}{1,2048}`;

const OTLP_HEADERS: SecretPlace = {
  in: "telemetry",
  file: "headersFile",
  env: "headersEnv",
  pattern: new RegExp(`^${HEADER}(?:,${HEADER}){0,15}$`),
  what: "the headers alone, on one line, as name=value,name=value, a space or a comma of a value as %20 or %2C",
  mend: "has no headers; leave the key out",
};

/** The headers for the collector of traces; undefined if none are configured. */
export function readOtlpHeaders(raw: unknown, around: Surroundings, resolve: Resolve): SecretReading | undefined {
  const telemetry = mapping.safeParse(mapping.safeParse(raw).data?.["telemetry"]).data;
  const isNamed =
    telemetry !== undefined && (telemetry["headersFile"] !== undefined || telemetry["headersEnv"] !== undefined);
  return isNamed ? readSecret(OTLP_HEADERS, raw, around, resolve) : undefined;
}

function readSecret(place: SecretPlace, raw: unknown, around: Surroundings, resolve: Resolve): SecretReading {
  const within = mapping.safeParse(mapping.safeParse(raw).data?.[place.in]).data;
  const file = within?.[place.file];
  const name = within?.[place.env];
  // The schema reports a wrong type.
  if (
    within === undefined ||
    (file !== undefined && (typeof file !== "string" || file === "")) ||
    (name !== undefined && typeof name !== "string")
  )
    return { ok: false, findings: [] };
  if (file !== undefined && name !== undefined)
    return problem([place.in, place.env], `stands beside ${place.file}; keep one of them`, true);
  if (file !== undefined) return fromFile(place, resolve(file), around);
  if (name !== undefined) return fromEnvironment(place, name, around);
  return problem([place.in], place.mend);
}

function fromFile(
  { in: within, file: key, pattern, what }: SecretPlace,
  file: string,
  around: Surroundings,
): SecretReading {
  const path = [within, key];
  const findings = fileFindings(path, file, around, "private");
  if (findings.length > 0) return { ok: false, findings };
  const look = around.look(file);
  const secret = look.is === "file" ? look.text.trim() : "";
  return pattern.test(secret)
    ? { ok: true, secret: new Secret(secret) }
    : problem(path, `names ${file}, which must hold ${what}; write it there`);
}

function fromEnvironment(
  { in: within, env: key, file, pattern, what }: SecretPlace,
  name: string,
  around: Surroundings,
): SecretReading {
  const path = [within, key];
  const secret = (Object.hasOwn(around.env, name) ? around.env[name] : undefined)?.trim();
  if (secret === undefined || secret === "")
    return problem(path, `names an environment variable that is not set; set it, or use ${file}`);
  return pattern.test(secret)
    ? { ok: true, secret: new Secret(secret) }
    : problem(path, `names an environment variable that must hold ${what}; set it`);
}

function problem(path: readonly string[], message: string, atKey = false): SecretReading {
  return { ok: false, findings: [{ path, message, atKey }] };
}
