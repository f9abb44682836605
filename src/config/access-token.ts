import { z } from "zod";
import { Secret } from "../kit/secret.ts";
import type { Finding } from "./problem.ts";
import { fileFindings, type Resolve } from "./rules.ts";
import type { Surroundings } from "./surroundings.ts";

export type TokenReading = { readonly ok: true; readonly token: Secret<string> } | { readonly ok: false; readonly findings: readonly Finding[] };

/** RFC 6750, 2.1 (b64token) is narrower; gateways have used other visible characters, so any of those pass, and no white space. */
const TOKEN = /^[\x21-\x7e]{1,1024}$/;

const slice = z.object({ gateway: z.object({ accessTokenFile: z.string().min(1).optional(), accessTokenEnv: z.string().optional() }) });

/** The gateway's access token from the one place the configuration names. A finding never repeats what was read. */
export function readAccessToken(raw: unknown, around: Surroundings, resolve: Resolve): TokenReading {
  const seen = slice.safeParse(raw);
  // Not even of the right type: the schema says so.
  if (!seen.success) return { ok: false, findings: [] };
  const { accessTokenFile: file, accessTokenEnv: name } = seen.data.gateway;
  if (file !== undefined && name !== undefined) return problem(["gateway", "accessTokenEnv"], "stands beside accessTokenFile; keep one of them", true);
  if (file !== undefined) return fromFile(resolve(file), around);
  if (name !== undefined) return fromEnvironment(name, around);
  return problem(["gateway"], "has no access token; add accessTokenFile: ./gateway-token (a file of mode 600), or accessTokenEnv: NAME");
}

function fromFile(file: string, around: Surroundings): TokenReading {
  const path = ["gateway", "accessTokenFile"];
  const findings = fileFindings(path, file, around, "private");
  if (findings.length > 0) return { ok: false, findings };
  const look = around.look(file);
  const token = look.is === "file" ? look.text.trim() : "";
  return TOKEN.test(token)
    ? { ok: true, token: new Secret(token) }
    : problem(path, `names ${file}, which must hold the access token alone, on one line; write it there`);
}

function fromEnvironment(name: string, around: Surroundings): TokenReading {
  const path = ["gateway", "accessTokenEnv"];
  const token = (Object.hasOwn(around.env, name) ? around.env[name] : undefined)?.trim();
  if (token === undefined || token === "") return problem(path, "names an environment variable that is not set; set it, or use accessTokenFile");
  return TOKEN.test(token)
    ? { ok: true, token: new Secret(token) }
    : problem(path, "names an environment variable that must hold the access token alone, on one line; set it");
}

function problem(path: readonly string[], message: string, atKey = false): TokenReading {
  return { ok: false, findings: [{ path, message, atKey }] };
}
