import { spawnSync } from "node:child_process";
import { closeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { openPty } from "./native-pty.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

/** The device's side of a pseudo-terminal for one host. */
export interface PseudoTerminal {
  /** The path that the host opens. */
  readonly path: string;
  write(bytes: Uint8Array): void;
  /** Closes both sides; the host sees the line go. */
  close(): void;
}

export interface PseudoTerminalEvents {
  bytes(bytes: Uint8Array): void;
  /** The host closed its side or died; the pseudo-terminal is closed and unusable. */
  hangUp(): void;
}

/**
 * Raw mode prevents echo and translation. The slave side stays open until the host's first byte: without it reads give
 * EIO and settings are lost. Later EIO means the host is gone.
 */
export function openPseudoTerminal(events: PseudoTerminalEvents): PseudoTerminal {
  const { master, slave, path } = openPty();
  let isHeld = true;
  let isOver = false;
  const letGo = (): void => {
    if (isHeld) closeSync(slave);
    isHeld = false;
  };
  const stty = spawnSync("stty", ["raw", "-echo"], { stdio: [slave, "ignore", "ignore"] });
  const line = new ReadStream(master);
  const close = (): void => {
    isOver = true;
    letGo();
    line.destroy();
  };
  const gone = (): void => {
    if (isOver) return;
    close();
    events.hangUp();
  };
  line.on("data", (bytes) => {
    letGo();
    events.bytes(new Uint8Array(bytes));
  });
  line.on("end", gone);
  line.on("error", gone);
  if (stty.status !== 0) {
    close();
    throw new SimulatorProblem(
      "stty could not set the pseudo-terminal to raw mode: install it (coreutils), or use TCP",
    );
  }
  return {
    path,
    write: (bytes) => {
      if (!isOver) line.write(bytes);
    },
    close,
  };
}
