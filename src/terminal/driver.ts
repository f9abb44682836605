import type { Capabilities } from "../card/capabilities.ts";
import type { Command, LocalTime } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";
import type { Tlv } from "../emv/tlv.ts";

export type TransportKind = "serial" | "tcp" | "usb" | "websocket";

/** The driver's requirements for the line, which the transport fulfils. */
export type LineSettings =
  | SerialLine
  | { readonly kind: "tcp"; readonly defaultPort: number }
  /**
   * The device is the server. Each "bytes" event is one whole binary message, and so is each entry of a turn's `write`.
   */
  | { readonly kind: "websocket"; readonly defaultPort: number; readonly path: string }
  | UsbLine;

export interface SerialLine {
  readonly kind: "serial";
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly parity: "none" | "even" | "odd";
  readonly stopBits: 1 | 2;
  /** RTS/CTS flow control; absent: none. */
  readonly rtscts?: boolean;
  /** The host's signal lines after opening; absent: unchanged (raised by the system). */
  readonly dtr?: boolean;
  readonly rts?: boolean;
}

/**
 * USB without a port of its own. `commands: "feature"`: each write is set as a feature report, and its answer is a
 * "bytes" event of `reportBytes`. Input reports then have other sizes and arrive in packets of the bus.
 */
export type UsbLine =
  /**
   * Each "bytes" event is one input report. Each entry of `write` is whole output reports, padded by the driver. With
   * `numbered`, the first of `reportBytes` bytes is the id, in both directions.
   */
  | {
      readonly kind: "usb";
      readonly how: "hid";
      readonly reportBytes: number;
      readonly numbered: boolean;
      readonly commands?: "feature";
    }
  /** A stream over the first pair of bulk endpoints; writes may have any length. */
  | { readonly kind: "usb"; readonly how: "bulk" };

/**
 * Identity of a device without opening it. All given members must match. `score` of 100 rates the certainty: shared ids
 * or generic texts count little (src/terminal/match.ts). `source` names the origin of the ids.
 */
export interface Fingerprint {
  readonly over: "serial" | "usb";
  readonly vendorId: number;
  readonly productId?: number;
  /** Matched against the device's own text (USB string descriptor). */
  readonly manufacturer?: RegExp;
  readonly product?: RegExp;
  /** Matched against every system path of a serial device. */
  readonly path?: RegExp;
  readonly score: number;
  readonly source: string;
}

/** An event on the link. Command numbers rise by one; notices repeat them. */
export type LinkEvent =
  | { readonly on: "opened" }
  | { readonly on: "bytes"; readonly bytes: Uint8Array }
  | { readonly on: "closed" }
  | { readonly on: "command"; readonly n: number; readonly command: Command }
  | { readonly on: "timer"; readonly name: string };

/**
 * A frame error:
 * - `corrupted`: unreadable, or without an end;
 * - `repeated`: sent again by the device;
 * - `refused`: the device could not read ours;
 * - `unacknowledged`: no acknowledgement of ours in time.
 */
export type FrameError = "corrupted" | "repeated" | "refused" | "unacknowledged";

/**
 * The driver's answer to one event: the next state, and the session's tasks, in this order: timers, writes, notices,
 * link.
 */
export interface Turn<S> {
  readonly state: S;
  readonly write?: readonly Uint8Array[];
  /** Milliseconds from now, or "clear". A timer of the same name is replaced. */
  readonly timers?: Readonly<Record<string, number | "clear">>;
  readonly notices?: readonly Notice[];
  /** "reopen" drops the link and opens a new one, because the stream cannot be trusted any more. */
  readonly link?: "close" | "reopen";
  /** Frame errors of this event, to be counted. */
  readonly frameErrors?: readonly FrameError[];
}

/** The name of one frame on the line, and its objects. A trace never includes key presses. */
export interface WireFrame {
  readonly name: string;
  readonly objects?: readonly Tlv[];
}

/** Direction of bytes on the line. */
export type WireDirection = "sent" | "received";

/** Reads one direction of a line: returns completed frames and the next reader. Pure and total, like the driver. */
export interface WireReader {
  take(bytes: Uint8Array): { readonly frames: readonly WireFrame[]; readonly next: WireReader };
}

/** A reader that keeps a state of that type. */
export function wireReader<S>(
  state: S,
  take: (state: S, bytes: Uint8Array) => { readonly state: S; readonly frames: readonly WireFrame[] },
): WireReader {
  return {
    take: (bytes) => {
      const taken = take(state, bytes);
      return { frames: taken.frames, next: wireReader(taken.state, take) };
    },
  };
}

/** Shown for an unreadable stream; reading restarts after it. */
export const UNREADABLE: WireFrame = { name: "bytes that are no frame" };

/**
 * A setting of one terminal of a model (configuration, `terminals[].options`). `baudRate` is the speed of the serial
 * line.
 */
export interface DriverOption {
  readonly name: string;
  /** One line for the author of the configuration. */
  readonly meaning: string;
  /** Matches a whole value. */
  readonly allowed: RegExp;
  readonly usual: string;
}

export interface DriverStart {
  readonly transport: TransportKind;
  /** A value for every option of the model; the default if the configuration names none. */
  readonly options: Readonly<Record<string, string>>;
  readonly now: LocalTime;
  /** For values that must differ from start to start; a driver has no randomness of its own. */
  readonly seed: number;
}

export type AcquirerQuestions = (options: Readonly<Record<string, string>>) => readonly string[];

/**
 * A driver is a value: line settings and a pure, total function from (state, event) to Turn. It never throws, whatever
 * bytes arrive; it has no clock, randomness, input or output.
 */
export interface DriverSpec<S> {
  readonly id: string;
  readonly title: string;
  /** Empty: the model cannot be recognized and must be configured by hand. */
  readonly fingerprints: readonly Fingerprint[];
  readonly lines: readonly LineSettings[];
  readonly options: readonly DriverOption[];
  /** Questions for the acquirer that these options raise, one line each; absent: none. */
  readonly acquirerQuestions?: AcquirerQuestions;
  /** Maximum of the family; a device with fewer reports them in its notice `ready`. */
  readonly capabilities: Capabilities;
  /** The device's time limit for the host's answer, between ARQC and completion, in milliseconds. */
  readonly hostWaitMs: number;
  /** Reads the line for a trace, with the driver's own codec; absent: a trace shows only numbers of bytes. */
  readonly wire?: (transport: TransportKind, direction: WireDirection) => WireReader;
  begin(on: DriverStart): Turn<S>;
  turn(state: S, event: LinkEvent): Turn<S>;
}

/** The session's tasks of a turn, after its state was stored. */
export type Deed = Omit<Turn<unknown>, "state">;

/** A DriverSpec whose state is hidden inside the function that `start` returns. */
export interface DriverModel {
  readonly id: string;
  readonly title: string;
  readonly fingerprints: readonly Fingerprint[];
  readonly lines: readonly LineSettings[];
  readonly options: readonly DriverOption[];
  readonly acquirerQuestions?: AcquirerQuestions;
  readonly capabilities: Capabilities;
  readonly hostWaitMs: number;
  readonly wire?: (transport: TransportKind, direction: WireDirection) => WireReader;
  start(on: DriverStart): { readonly first: Deed; readonly turn: (event: LinkEvent) => Deed };
}

/** Hides the type of a driver's state, so that one array can hold every model. */
export function driverModel<S>(spec: DriverSpec<S>): DriverModel {
  const { id, title, fingerprints, lines, options, acquirerQuestions, capabilities, hostWaitMs, wire } = spec;
  return {
    id,
    title,
    fingerprints,
    lines,
    options,
    ...(acquirerQuestions && { acquirerQuestions }),
    capabilities,
    hostWaitMs,
    ...(wire && { wire }),
    start: (on) => {
      const first = spec.begin(on);
      let { state } = first;
      const turn = (event: LinkEvent): Deed => {
        const turned = spec.turn(state, event);
        state = turned.state;
        return turned;
      };
      return { first, turn };
    },
  };
}
