import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { tamperProblem } from "../kit/path-access.ts";
import { systemAccess, systemUser } from "../kit/system-path-access.ts";
import { type ConfigurationReading, parseConfiguration } from "./parse.ts";
import type { KnownModel, Look, Surroundings } from "./surroundings.ts";

/** A configuration of 64 terminals has some 30 KB; what is larger is another file. */
const MAX_BYTES = 262_144;

/** Reads and checks a configuration file on this machine. `models` is the roster, `env` the process's environment. */
export function loadConfiguration(file: string, models: readonly KnownModel[], env: Readonly<Record<string, string | undefined>>): ConfigurationReading {
  const look = lookAt(file);
  if (look.is === "absent") return { ok: false, problems: [{ path: "", message: "does not exist; check the path" }] };
  if (look.is === "unreadable") return { ok: false, problems: [{ path: "", message: `cannot be read (${look.detail}); change its owner or mode` }] };
  const user = systemUser() ?? 0;
  // Whoever can change this file decides where the money goes: nothing in it is looked at before that is settled.
  const tampering = tamperProblem(look.access, user);
  if (tampering !== undefined) return { ok: false, problems: [{ path: "", message: tampering }] };
  const around: Surroundings = { models, env, look: lookAt, user, followed };
  return parseConfiguration(look.text, resolve(file), around);
}

function lookAt(path: string): Look {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { is: "unreadable", detail: "not a regular file" };
    if (stat.size > MAX_BYTES) return { is: "unreadable", detail: `larger than ${MAX_BYTES} bytes` };
    return { is: "file", text: readFileSync(path, "utf8"), access: systemAccess(path) };
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? { is: "absent" } : { is: "unreadable", detail: code };
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing there yet: a terminal may be plugged in later.
    return path;
  }
}
