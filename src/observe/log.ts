import { type DestinationStream, pino } from "pino";
import { prettyFactory } from "pino-pretty";
import { isoTime } from "../kit/clock.ts";
import { harmlessText } from "../kit/harmless-text.ts";
import type { LogLines } from "./log-lines.ts";
import type { RecentLines } from "./recent-lines.ts";

/** JSON lines for machines, or one readable line each for people. First the fields, then the event as a sentence. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const logLevels = ["debug", "info", "warn", "error"] as const;

export interface LogOptions {
  /** Destination of the lines. */
  readonly to: NodeJS.WritableStream;
  /** A person reads along: pretty output instead of JSON. */
  readonly tty: boolean;
  readonly level: (typeof logLevels)[number];
  now(): number;
  /** Also keeps each line, as JSON. */
  readonly recent?: Pick<RecentLines, "add">;
  /** A screen with pretty output, in addition to the file. */
  readonly screen?: NodeJS.WritableStream | undefined;
}

/** A log whose level can change while it is written. */
export interface LeveledLog extends Log {
  setLevel(level: LogOptions["level"]): void;
}

/**
 * Names of fields that a log must never show. Types keep secrets from the log (kit/secret.ts); this second protection
 * covers foreign objects.
 */
const NEVER_LOGGED: ReadonlySet<string> = new Set([
  ...["token", "accessToken", "authorization", "password", "pin", "pinBlock", "sred", "sealed"],
  ...["track1", "track2", "pan", "number", "cvv", "securityCode"],
]);

const REDACTED = "[redacted]";
/** No object in this project's log is nested deeper. */
const DEPTH = 4;

/** Removes forbidden fields. Not by pino's redaction, which takes 60 microseconds a line. */
function withoutSecrets(fields: object): Record<string, unknown> {
  return redacted(Object.entries(fields), DEPTH);
}

function redacted(entries: readonly (readonly [string, unknown])[], depth: number): Record<string, unknown> {
  return Object.fromEntries(
    entries.map(([name, value]) => [name, NEVER_LOGGED.has(name) ? REDACTED : redactedInside(value, depth - 1)]),
  );
}

function redactedInside(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => redactedInside(one, depth - 1));
  // Errors, secrets and other instances define their own output.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? redacted(Object.entries(value), depth) : value;
}

/** A destination that may lose lines, and reports their number in the log. */
interface LossyPlace extends Pick<LogLines, "whenRegained"> {
  readonly stream: NodeJS.WritableStream;
}

/** Losses are logged at the highest level, so that no level hides them. */
export function logTo({ stream, whenRegained }: LossyPlace, options: Omit<LogOptions, "to">): LeveledLog {
  const log = createLog({ ...options, to: stream });
  whenRegained((loss) => log.error(loss, "lines of this log were lost before this one"));
  return log;
}

export function createLog({ to, tty, level, now, recent, screen }: LogOptions): LeveledLog {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${isoTime(now())}"`,
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecrets },
  };
  // A stream in this thread: pino's transports need worker files, which the packaged binary does not have.
  const lines = [
    tty ? pretty(to) : to,
    ...(screen === undefined ? [] : [pretty(screen)]),
    ...(recent === undefined ? [] : [kept(recent)]),
  ];
  const log = pino(options, all(lines));
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    setLevel: (next) => {
      log.level = next;
    },
  };
}

function pretty(to: NodeJS.WritableStream): DestinationStream {
  const prettified = prettyFactory({ colorize: true, ignore: "pid,hostname" });
  // pino-pretty prints an error's stack as it is, and escapes no C1 character.
  return { write: (line) => void to.write(harmlessText(prettified(line) ?? "")) };
}

function kept({ add }: Pick<RecentLines, "add">): DestinationStream {
  return { write: add };
}

/** Writes to each stream in turn: the line leaves before it is kept. */
function all(streams: readonly DestinationStream[]): DestinationStream {
  return {
    write: (line) => {
      const harmless = harmlessText(line);
      for (const stream of streams) stream.write(harmless);
    },
  };
}
