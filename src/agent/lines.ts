import type { TerminalSettings } from "../config/configuration.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import type { DriverModel, LineSettings } from "../terminal/driver.ts";
import type { OpenLink } from "../terminal/link.ts";
import { openFollowing } from "../transport/following.ts";
import { watchPlugging } from "../transport/hotplug.ts";
import type { UsbIdentity } from "../transport/serial-devices.ts";
import type { KnownPort } from "../transport/serial-place.ts";
import { openTcp } from "../transport/tcp.ts";
import { openUsb, usbName } from "../transport/usb.ts";
import { openWebSocket } from "../transport/websocket.ts";

const CONNECT_MS = 10_000;

/** A terminal cannot be used as configured. */
export class TerminalUnusable extends Error {
  constructor(terminal: string, problem: string) {
    super(`terminal ${terminal}: ${problem}`);
    this.name = "TerminalUnusable";
  }
}

/** The line to a configured terminal. */
export interface TerminalLine {
  readonly open: OpenLink;
  /** Reports plugged-in devices; absent for a terminal on the network. */
  readonly plugged?: (told: () => void) => Cancel;
  place(): LinePlace;
}

/** The last path of a serial terminal, and the USB device behind it; empty for other lines. */
export interface LinePlace {
  readonly path?: string;
  readonly usb?: UsbIdentity;
}

export interface LineOn {
  readonly model: DriverModel;
  readonly options: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly known: () => KnownPort;
  /** The serial paths of the other terminals. */
  readonly others: () => readonly string[];
  /** The terminal was found at another port than the configured one. */
  readonly moved: (path: string) => void;
}

/** Throws a TerminalUnusable if the model has no line of the configured kind. */
export function terminalLine(terminal: TerminalSettings, on: LineOn): TerminalLine {
  const { connection } = terminal;
  const { model, clock } = on;
  switch (connection.kind) {
    case "tcp":
      lineOf(terminal, model, "tcp");
      return { open: () => openTcp(connection, { connectMs: CONNECT_MS, clock }), place: () => ({}) };
    case "websocket": {
      const { path } = lineOf(terminal, model, "websocket");
      return {
        open: () => openWebSocket({ ...connection, path }, { connectMs: CONNECT_MS, clock }),
        place: () => ({}),
      };
    }
    case "usb": {
      const line = lineOf(terminal, model, "usb");
      return {
        open: () => openUsb(connection, line, { clock }),
        plugged: (told) => watchPlugging(told, { clock, kind: "usb" }),
        place: () => ({}),
      };
    }
    case "serial":
      return serialLine(connection.path, lineOf(terminal, model, "serial"), on);
  }
}

function serialLine(
  path: string,
  line: Extract<LineSettings, { kind: "serial" }>,
  { options, clock, known, others, moved }: LineOn,
): TerminalLine {
  const { baudRate } = options;
  const settings = baudRate === undefined ? line : { ...line, baudRate: Number(baudRate) };
  let last: { readonly path: string; readonly usb?: UsbIdentity } = { path };
  return {
    open: () =>
      openFollowing({
        ...{ path, settings, others: others() },
        known: known(),
        opened: (place) => {
          if (place.path !== last.path) moved(place.path);
          last = place;
        },
      }),
    plugged: (told) => watchPlugging(told, { clock, kind: "serial" }),
    place: () => last,
  };
}

/** The model's settings for that kind of line. */
function lineOf<K extends LineSettings["kind"]>(
  { id }: TerminalSettings,
  model: DriverModel,
  kind: K,
): Extract<LineSettings, { kind: K }> {
  const line = model.lines.find((one): one is Extract<LineSettings, { kind: K }> => one.kind === kind);
  if (line !== undefined) return line;
  throw new TerminalUnusable(
    id,
    `model ${model.id} has no ${kind} line; connect it by ${model.lines.map((one) => one.kind).join(" or ")}`,
  );
}

/** A terminal's connection for people. */
export function connectionText({ connection }: TerminalSettings): string {
  switch (connection.kind) {
    case "serial":
      return `serial ${connection.path}`;
    case "tcp":
      return `tcp ${connection.host}:${connection.port}`;
    case "websocket":
      return `websocket ${connection.host}:${connection.port}`;
    case "usb":
      return `usb ${usbName(connection)}`;
  }
}
