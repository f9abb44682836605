import { existsSync } from "node:fs";
import type { Clock } from "../kit/clock.ts";
import { type GadgetFile, type GadgetFileEvents, openGadgetFile } from "./gadget-file.ts";
import { type GadgetPlug, gadgetPlug } from "./gadget-plug.ts";
import type { Attachment, SimulatedTerminal } from "./simulated-terminal.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

export interface GadgetLine {
  readonly path: string;
  /** Releases the file; the gadget stays plugged in, like a device with stopped firmware. */
  close(): void;
}

/** Delay before the file is opened again, after plugging in or after the host left. */
const AGAIN_MS = 50;

const HID = /\/hidg[0-9]+$/;
const SERIAL = /\/ttyGS[0-9]+$/;

interface Line {
  readonly terminal: SimulatedTerminal;
  readonly path: string;
  readonly clock: Clock;
  readonly plug: GadgetPlug;
  open: { readonly file: GadgetFile; readonly attachment: Attachment } | undefined;
  closed: boolean;
}

/**
 * Connects a simulated terminal to a kernel gadget: /dev/hidgN (HID) or /dev/ttyGSN (CDC-ACM). The faults `unplug`,
 * `plug` and `reboot` unbind and bind it. Throws a SimulatorProblem.
 */
export function serveGadget(terminal: SimulatedTerminal, path: string, clock: Clock): GadgetLine {
  if (!HID.test(path) && !SERIAL.test(path))
    throw new SimulatorProblem(`${path} is no gadget's file: name /dev/hidgN or /dev/ttyGSN`);
  if (!existsSync(path))
    throw new SimulatorProblem(`there is no ${path}: set up the gadget (configfs) and bind it to a controller`);
  const line: Line = { terminal, path, clock, plug: gadgetPlug(path), open: undefined, closed: false };
  connect(line);
  terminal.onPlug((plugged) => {
    // Close the file first: the kernel keeps an open file alive beyond its gadget, and it would never deliver bytes
    // again.
    if (!plugged) disconnect(line);
    if (plugged) line.plug.plug();
    else line.plug.unplug();
    if (plugged) connectSoon(line);
  });
  return {
    path,
    close: () => {
      line.closed = true;
      disconnect(line);
    },
  };
}

function connect(line: Line): void {
  const { terminal, path, clock } = line;
  const events: GadgetFileEvents = {
    bytes: (bytes) => line.open?.attachment.receive(bytes),
    hangUp: () => {
      disconnect(line);
      connectSoon(line);
    },
  };
  const isHid = HID.test(path);
  const file = openGadgetFile(path, isHid ? "hid" : "serial", { clock, events });
  line.open = { file, attachment: terminal.attach((bytes) => file.write(bytes), isHid ? "usb" : "serial") };
}

function disconnect(line: Line): void {
  const { open } = line;
  line.open = undefined;
  open?.attachment.detach();
  open?.file.close();
}

/** A HID gadget's file exists only while plugged in. */
function connectSoon(line: Line): void {
  line.clock.after(AGAIN_MS, () => {
    if (line.closed || line.open !== undefined || !line.terminal.plugged()) return;
    if (existsSync(line.path)) connect(line);
    else connectSoon(line);
  });
}
