import type { Output } from "./terminal-output.ts";

/** The process's own streams and signals. */
export function systemOutput(): Output {
  let stopped: Promise<void> | undefined;
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    tty: process.stdout.isTTY === true,
    // Only a command that waits for it takes the signals over; any other one ends by them as programs do.
    get stopped() {
      stopped ??= firstSignal();
      return stopped;
    },
  };
}

/** The first SIGTERM or SIGINT asks, the second ends the process at once: the journal makes that as safe as a power cut. */
function firstSignal(): Promise<void> {
  const signals = ["SIGTERM", "SIGINT"] as const;
  return new Promise((resolve) => {
    const heard = (): void => {
      for (const signal of signals) process.removeListener(signal, heard);
      resolve();
    };
    for (const signal of signals) process.on(signal, heard);
  });
}
