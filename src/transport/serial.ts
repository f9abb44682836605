import { SerialPort } from "serialport";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { type Link, LinkError } from "../terminal/link.ts";
import { createIncoming } from "./incoming.ts";
import { createOutgoing } from "./outgoing.ts";
import type { ListedPort } from "./serial-devices.ts";
import { mergedPorts, systemRegisteredPorts } from "./windows-ports.ts";

/** Settings of the line; `SerialLine` of terminal/driver has this shape. */
export interface SerialSettings {
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly parity: "none" | "even" | "odd";
  readonly stopBits: 1 | 2;
  readonly rtscts?: boolean;
  readonly dtr?: boolean;
  readonly rts?: boolean;
}

/** Bytes per read; small, so that the limit of unread bytes applies early. */
const READ_BYTES = 16 * 1024;

/**
 * Opens a serial port exclusively (advisory lock by flock). DTR and RTS keep the system's levels (raised on open,
 * dropped on close) unless set. Earlier bytes are discarded: a USB gadget keeps those of an earlier session (Miura,
 * PROTOCOL.md, Transport).
 */
export async function openSerial(path: string, settings: SerialSettings): Promise<Link> {
  const { baudRate, dataBits, parity, stopBits, rtscts = false, dtr, rts } = settings;
  const port = new SerialPort({
    path,
    baudRate,
    dataBits,
    parity,
    stopBits,
    rtscts,
    lock: true,
    autoOpen: false,
    highWaterMark: READ_BYTES,
  });
  await called(path, (done) => port.open(done));
  try {
    if (dtr !== undefined || rts !== undefined)
      await called(path, (done) => port.set({ dtr: dtr ?? true, rts: rts ?? true }, done));
    await called(path, (done) => port.flush(done));
  } catch (error) {
    port.close(() => undefined);
    throw error;
  }
  return serialLink(port, path);
}

/** The system's list of ports. On Linux it comes from udevadm; without udevadm this rejects with ENOENT. */
export async function listedPorts(platform = systemPlatform): Promise<readonly ListedPort[]> {
  return platform === "windows"
    ? mergedPorts(await SerialPort.list(), await systemRegisteredPorts())
    : SerialPort.list();
}

function called(path: string, run: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => run((error) => (error ? reject(serialError(path, error)) : resolve())));
}

function serialLink(port: SerialPort, path: string): Link {
  const incoming = createIncoming(path);
  const outgoing = createOutgoing({
    device: path,
    send: (bytes, done) => port.write(Buffer.from(bytes), done),
    failed: (error) => serialError(path, error),
  });
  const wanted = { close: false };
  const { promise: closed, resolve: isClosed } = Promise.withResolvers<void>();
  const over = (): void => {
    outgoing.breakOff(unplugged(path));
    if (wanted.close) incoming.end();
    else incoming.fail(unplugged(path));
    isClosed();
  };
  port.once("close", over);
  // A failed close emits no "close", and the port is useless then too.
  const hangUp = (): void => {
    if (port.isOpen) port.close(over);
  };
  watchHangUp(port, hangUp);
  port.on("error", (error) => incoming.fail(serialError(path, error)));
  port.on("data", (bytes: Buffer) => {
    if (!incoming.push(new Uint8Array(bytes))) hangUp();
  });
  return {
    incoming: incoming.chunks,
    write: outgoing.write,
    close: () => {
      wanted.close = true;
      incoming.end();
      outgoing.breakOff(new LinkError("lost", `${path} is closed`));
      hangUp();
      return closed;
    },
  };
}

/**
 * A device unplugged during a read returns 0 bytes for ever: serialport (13.0) loops and burns a processor. The
 * poller's hang-up event ends it. Register before the first read, because registering replaces the awaited event.
 */
function watchHangUp(port: SerialPort, hangUp: () => void): void {
  const bound = port.port;
  if (bound !== undefined && "poller" in bound) bound.poller.once("disconnect", hangUp);
}

function unplugged(path: string): LinkError {
  return new LinkError("lost", `${path} was unplugged or switched off`);
}

/** One line and a code. The binding has no codes, only the system's words (strerror). */
export function serialError(path: string, error: Error, platform: Platform = systemPlatform): LinkError {
  return platform === "windows" ? windowsError(path, error) : unixError(path, error);
}

/** Windows error numbers of a device that is gone or does not react (winerror.h). */
const GONE = /Unknown error code (?:21|22|31|433|995|1117|1167|1168|1617)\b/;

/**
 * Errors on opening begin with "Opening" or "Open (". Windows gives a port to one program and denies access to all
 * others.
 */
function windowsError(path: string, error: Error): LinkError {
  const said = error.message;
  const link = (code: LinkError["code"], text: string): LinkError => new LinkError(code, text, { cause: error });
  const isOpening = /^(?:Error: )?Open(?:ing|) /.test(said);
  if (/cannot lock port/i.test(said) || (isOpening && /access denied/i.test(said)))
    return link(
      "busy",
      `access to ${path} is denied: another program has it open; end that program, or give this terminal another port`,
    );
  if (/file not found/i.test(said) || (isOpening && GONE.test(said)))
    return link(
      "not-found",
      `no device at ${path}; is it plugged in and switched on? posbridge terminals scan shows every port`,
    );
  if (/the parameter is incorrect/i.test(said))
    return link("failed", `${path} does not take these settings; check connection.serial and options.baudRate`);
  if (/access denied|operation aborted|invalid handle|port is not open/i.test(said) || GONE.test(said))
    return unplugged(path);
  return link("failed", `${path}: ${said}`);
}

function unixError(path: string, error: Error): LinkError {
  const said = error.message;
  const link = (code: LinkError["code"], text: string): LinkError => new LinkError(code, text, { cause: error });
  if (/cannot lock port|resource busy/i.test(said))
    return link("busy", `${path} is used by another program; stop it, or give this terminal another port`);
  if (/permission denied|operation not permitted|access denied/i.test(said)) {
    return link(
      "no-permission",
      `no permission for ${path}; add this user to the group that owns it (often "dialout") and log in again`,
    );
  }
  if (/no such file|no such device|file not found/i.test(said))
    return link("not-found", `no device at ${path}; is it plugged in and switched on?`);
  if (/inappropriate ioctl|not a (tty|typewriter)/i.test(said))
    return link("failed", `${path} is not a serial port; check connection.serial`);
  if (/i\/o error|input\/output error|bad file descriptor|port is not open/i.test(said)) return unplugged(path);
  return link("failed", `${path}: ${said}`);
}
