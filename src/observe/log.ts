import { pino } from "pino";
import { PinoPretty } from "pino-pretty";
import { isoTime } from "../kit/clock.ts";

/** JSON lines for a machine, or one readable line each for a person. Fields first, then what happened, as a sentence. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const logLevels = ["debug", "info", "warn", "error"] as const;

export interface LogOptions {
  /** Where the lines go: stdout. */
  readonly to: NodeJS.WritableStream;
  /** A person watches: pretty instead of JSON. */
  readonly tty: boolean;
  readonly level: (typeof logLevels)[number];
  now(): number;
}

/**
 * Names of fields that hold what a log must never show. Secrets are kept from the log by their type (kit/secret.ts); this is only the net below, for
 * what comes in objects of others.
 */
const NEVER_LOGGED = [
  "token",
  "accessToken",
  "authorization",
  "password",
  "pin",
  "pinBlock",
  "sred",
  "sealed",
  "track1",
  "track2",
  "pan",
  "number",
  "cvv",
  "securityCode",
];

const REDACTED = "[redacted]";
/** pino's redaction knows no "at any depth"; objects in this project's log are not deeper. */
const DEPTHS = ["", "*.", "*.*.", "*.*.*."];

export function createLog({ to, tty, level, now }: LogOptions): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${isoTime(now())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: DEPTHS.flatMap((depth) => NEVER_LOGGED.map((name) => `${depth}${name}`)), censor: REDACTED },
  };
  if (!tty) return pino(options, to);
  // A stream in this thread: pino's transports are worker files, which the packaged binary does not have.
  return pino(options, PinoPretty({ destination: to, colorize: true, ignore: "pid,hostname", sync: true }));
}
