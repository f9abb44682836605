import fs from "node:fs";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

/**
 * The process's own streams and signals. `cannotPrint` is told of an stdout that takes no more, unless the command stays until it is asked to stop: that one is there
 * for others than its reader, and goes on.
 */
export function systemOutput(cannotPrint: (error: NodeJS.ErrnoException) => void): Output {
  let stopped: Promise<void> | undefined;
  const isStaying = (): boolean => stopped !== undefined;
  process.stdout.on("error", (error) => {
    if (!isStaying()) cannotPrint(error);
  });
  // Nobody is left to be told, and how the process ends is decided by what it did.
  process.stderr.on("error", () => undefined);
  return {
    out: isWrittenAsFile(stdoutKind(), process.stdout.isTTY === true)
      ? (line) => printToFile(line, isStaying)
      : (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    tty: process.stdout.isTTY === true,
    progress: (words = "") => {
      if (process.stdout.isTTY === true) process.stdout.write(`\r\x1b[K${words}`);
    },
    // Only a command that waits for it takes the signals over; any other one ends by them as programs do.
    get stopped() {
      stopped ??= firstSignal();
      return stopped;
    },
  };
}

/** What can be told of stdout; undefined where the process was started without one. */
type StreamKind = Pick<fs.Stats, "isFile" | "isCharacterDevice"> | undefined;

/** Neither a terminal nor a pipe or socket. NUL on Windows is a character device too. Without stdout there is nothing to write all of. */
export function isWrittenAsFile(kind: StreamKind, tty: boolean): boolean {
  return kind !== undefined && (kind.isFile() || (kind.isCharacterDevice() && !tty));
}

/** A Windows program without a console has no stdout, and some of its handles tell no kind. */
function stdoutKind(): StreamKind {
  try {
    return fs.fstatSync(process.stdout.fd);
  } catch {
    return undefined;
  }
}

/** All of it or an error: process.stdout takes a full disk's half of a text for the whole, and tells any other error only after the command is through. */
function printToFile(line: string, isStaying: () => boolean): void {
  try {
    fs.writeFileSync(process.stdout.fd, Buffer.from(`${line}\n`));
  } catch (cause) {
    if (!isStaying()) throw new OperationFailed(printProblem(cause));
  }
}

/** Why a command could not print, in the words of its one line on stderr. */
export function printProblem(cause: unknown): string {
  return `what was to be printed cannot be written (${cause instanceof Error ? cause.message : String(cause)})`;
}

/**
 * Signals that ask for an orderly end. On Windows: Ctrl-C, Ctrl-Break, and a console window that is closed, after which Windows leaves some seconds. There
 * SIGTERM ends a process at once and cannot be heard; `posbridge stop` asks instead.
 */
export function stopSignals(platform: Platform): readonly NodeJS.Signals[] {
  return platform === "windows" ? ["SIGINT", "SIGBREAK", "SIGHUP"] : ["SIGTERM", "SIGINT"];
}

/** The first signal asks, the second ends the process at once: the journal makes that as safe as a power cut. */
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
