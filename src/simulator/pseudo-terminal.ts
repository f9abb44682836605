import { spawnSync } from "node:child_process";
import { closeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { openPty } from "./native-pty.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

/** The device's side of a pseudo-terminal that serves one host. */
export interface PseudoTerminal {
  /** What the host opens. */
  readonly path: string;
  write(bytes: Uint8Array): void;
  /** Closes both sides: the host sees the line go. */
  close(): void;
}

export interface PseudoTerminalEvents {
  bytes(bytes: Uint8Array): void;
  /** The host closed its side, or died. The pseudo-terminal is closed then and of no more use. */
  hangUp(): void;
}

/**
 * A pseudo-terminal in raw mode, so that nothing is echoed or translated before the host has set its own. The slave side is held open until the host's first byte:
 * without anybody on it the master side would only give EIO, and the settings would be lost; behind that byte the host holds it, and EIO means that it is gone.
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
    throw new SimulatorProblem("stty could not set the pseudo-terminal to raw mode: install it (coreutils), or use TCP");
  }
  return {
    path,
    write: (bytes) => {
      if (!isOver) line.write(bytes);
    },
    close,
  };
}
