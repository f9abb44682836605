import fs from "node:fs";
import { harmlessText } from "../kit/harmless-text.ts";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

/**
 * The process's own streams and signals. `cannotPrint` is called when stdout fails, except for a command that stays
 * until stopped: it serves more than its reader.
 */
export function systemOutput(cannotPrint: (error: NodeJS.ErrnoException) => void): Output {
  let stopped: Promise<void> | undefined;
  const isStaying = (): boolean => stopped !== undefined;
  process.stdout.on("error", (error) => {
    if (!isStaying()) cannotPrint(error);
  });
  // Nobody is left to read it; the process's work decides about its exit code.
  process.stderr.on("error", () => undefined);
  return {
    out: isWrittenAsFile(stdoutKind(), process.stdout.isTTY === true)
      ? (line) => printToFile(harmlessText(line), isStaying)
      : (line) => void process.stdout.write(`${harmlessText(line)}\n`),
    err: (line) => void process.stderr.write(`${harmlessText(line)}\n`),
    tty: process.stdout.isTTY === true,
    progress: (words = "") => {
      if (process.stdout.isTTY === true) process.stdout.write(`\r\x1b[K${words}`);
    },
    // Only a command that waits for it handles the signals; any other is ended by them.
    get stopped() {
      stopped ??= firstSignal();
      return stopped;
    },
  };
}

/** The kind of stdout; undefined if the process has none. */
type StreamKind = Pick<fs.Stats, "isFile" | "isCharacterDevice"> | undefined;

/**
 * Neither a terminal, pipe nor socket. NUL on Windows is a character device too. Without stdout, completeness does not
 * matter.
 */
export function isWrittenAsFile(kind: StreamKind, tty: boolean): boolean {
  return kind !== undefined && (kind.isFile() || (kind.isCharacterDevice() && !tty));
}

/** A Windows program without a console has no stdout, and some of its handles have no kind. */
function stdoutKind(): StreamKind {
  try {
    return fs.fstatSync(process.stdout.fd);
  } catch {
    return undefined;
  }
}

/**
 * Writes everything or fails. On a full disk process.stdout takes a partial write as complete, and reports other errors
 * only after the command's end.
 */
function printToFile(line: string, isStaying: () => boolean): void {
  try {
    fs.writeFileSync(process.stdout.fd, Buffer.from(`${line}\n`));
  } catch (cause) {
    if (!isStaying()) throw new OperationFailed(printProblem(cause));
  }
}

/** Why a command could not print, for its line on stderr. */
export function printProblem(cause: unknown): string {
  return `what was to be printed cannot be written (${cause instanceof Error ? cause.message : String(cause)})`;
}

/**
 * Signals that ask for an orderly end. On Windows a closed console window leaves some seconds, and SIGTERM ends a
 * process at once, unheard: use `posbridge stop`.
 */
export function stopSignals(platform: Platform): readonly NodeJS.Signals[] {
  return platform === "windows" ? ["SIGINT", "SIGBREAK", "SIGHUP"] : ["SIGTERM", "SIGINT"];
}

/** The first signal asks, the second ends the process at once, which the journal survives like a power cut. */
function firstSignal(): Promise<void> {
  const signals = stopSignals(systemPlatform);
  return new Promise((resolve) => {
    const heard = (): void => {
      for (const signal of signals) process.removeListener(signal, heard);
      resolve();
    };
    for (const signal of signals) process.on(signal, heard);
  });
}
