import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { tamperProblem } from "../kit/path-access.ts";
import { systemAccess, systemUser } from "../kit/system-path-access.ts";
import { type Listening, parseListening } from "./listening.ts";
import { type NamedFile, parseNamedFiles } from "./named-files.ts";
import { type ConfigurationReading, type DataDirReading, parseConfiguration, parseDataDir } from "./parse.ts";
import type { Problem } from "./problem.ts";
import type { KnownModel, Look, Surroundings } from "./surroundings.ts";

/** A configuration of 64 terminals has some 30 KB; a larger file is something else. */
const MAX_BYTES = 262_144;

/**
 * Reads and checks a configuration file on this machine. `models`: all known ones; `env`: the process's environment;
 * `user`: the one who will run the bridge.
 */
export function loadConfiguration(
  file: string,
  models: readonly KnownModel[],
  env: Readonly<Record<string, string | undefined>>,
  user = systemUser() ?? 0,
): ConfigurationReading {
  const trusted = readTrusted(file, user);
  if (!trusted.ok) return trusted;
  return parseConfiguration(trusted.text, resolve(file), systemSurroundings(models, env, user));
}

/** This machine, for checking a configuration. `user`: the one who will run the bridge. */
export function systemSurroundings(
  models: readonly KnownModel[],
  env: Surroundings["env"],
  user = systemUser() ?? 0,
): Surroundings {
  return { models, env, look: lookAt, user, followed };
}

/**
 * The data folder of a configuration file. The rest may belong to another machine: its secrets and devices are not
 * checked.
 */
export function loadDataDir(file: string): DataDirReading {
  const trusted = readTrusted(file, systemUser() ?? 0);
  return trusted.ok ? parseDataDir(trusted.text, resolve(file)) : trusted;
}

/** The files that a configuration file names; none if it cannot be read. */
export function loadNamedFiles(file: string): readonly NamedFile[] {
  const trusted = readTrusted(file, systemUser() ?? 0);
  return trusted.ok ? parseNamedFiles(trusted.text, resolve(file)) : [];
}

/** The listener of a configuration file; undefined if it cannot be read. */
export function loadListening(file: string): Listening | undefined {
  const trusted = readTrusted(file, systemUser() ?? 0);
  return trusted.ok ? parseListening(trusted.text) : undefined;
}

type Trusted =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * This file decides where the money goes. Nobody else may be able to change it; that is checked before its content is
 * read.
 */
function readTrusted(file: string, user: number): Trusted {
  const refused = (message: string): Trusted => ({ ok: false, problems: [{ path: "", message }] });
  const look = lookAt(file);
  switch (look.is) {
    case "absent":
      return refused("does not exist; check the path, or write one: posbridge setup");
    case "unreadable":
      return refused(`cannot be read (${look.detail}); change its owner or mode`);
    case "file": {
      const problem = tamperProblem(look.access, user);
      return problem === undefined ? { ok: true, text: look.text } : refused(problem);
    }
  }
}

function lookAt(path: string): Look {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { is: "unreadable", detail: "not a regular file" };
    if (stat.size > MAX_BYTES) return { is: "unreadable", detail: `larger than ${MAX_BYTES} bytes` };
    return { is: "file", text: textOf(readFileSync(path)), access: systemAccess(path) };
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? { is: "absent" } : { is: "unreadable", detail: code };
  }
}

/** UTF-8, or UTF-16 with a byte order mark: Windows PowerShell 5 writes UTF-16 on ">". */
function textOf(bytes: Buffer): string {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.subarray(2).toString("utf16le") : bytes.toString("utf8");
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** The path with links followed; unchanged if nothing is there. */
export function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing there yet: a terminal may be plugged in later.
    return path;
  }
}
