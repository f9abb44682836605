import { lstatSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { openPseudoTerminal, type PseudoTerminal } from "./pseudo-terminal.ts";
import type { Attachment, SimulatedTerminal } from "./simulated-terminal.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

export interface SerialLine {
  readonly path: string;
  /** Unplugs for good and removes the link. */
  close(): void;
}

interface Line {
  readonly terminal: SimulatedTerminal;
  readonly path: string;
  open: { readonly pty: PseudoTerminal; readonly attachment: Attachment } | undefined;
}

/**
 * Links a path to a pseudo-terminal, like udev. Each host gets a new one; an unplugged terminal has no link. Throws a
 * SimulatorProblem if something else is at the path.
 */
export function serveSerial(terminal: SimulatedTerminal, path: string): SerialLine {
  const line: Line = { terminal, path, open: undefined };
  connect(line);
  terminal.onPlug((plugged) => {
    if (plugged) connect(line);
    else disconnect(line);
  });
  return { path, close: () => disconnect(line) };
}

function connect(line: Line): void {
  const { terminal, path } = line;
  const problem = obstacle(path);
  if (problem !== undefined) throw new SimulatorProblem(problem);
  const pty = openPseudoTerminal({
    bytes: (bytes) => attachment.receive(bytes),
    hangUp: () => {
      disconnect(line);
      if (terminal.plugged()) connect(line);
    },
  });
  const attachment = terminal.attach((bytes) => pty.write(bytes), "serial");
  line.open = { pty, attachment };
  // A rename, so that a host always finds a device.
  const fresh = `${path}.${process.pid}`;
  symlinkSync(pty.path, fresh);
  renameSync(fresh, path);
}

function disconnect(line: Line): void {
  const { open, path } = line;
  if (open === undefined) return;
  line.open = undefined;
  if (target(path) === open.pty.path) rmSync(path);
  open.attachment.detach();
  open.pty.close();
}

/** The reason why no link can be made there; an old link of a simulator is no obstacle. */
function obstacle(path: string): string | undefined {
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return `${folder} is no folder: make it first, or choose another path`;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isSymbolicLink())
    return `${path} is there already and is no link of a simulator: choose another path, or remove it`;
  const to = target(path);
  return to?.startsWith("/dev/pts/") ? undefined : `${path} is a link to ${to}: choose another path, or remove it`;
}

function target(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSymbolicLink() ? readlinkSync(path) : undefined;
}
