import type { Capabilities } from "../card/capabilities.ts";
import type { Command, LocalTime } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";
import type { Tlv } from "../emv/tlv.ts";

export type TransportKind = "serial" | "tcp" | "usb" | "websocket";

/** What a driver needs of the line; the transport of that kind obeys. */
export type LineSettings =
  | SerialLine
  | { readonly kind: "tcp"; readonly defaultPort: number }
  /** The device is the server; each "bytes" event is one whole binary message, and so is each entry of a turn's `write`. */
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
  /** How the host's signal lines stand after opening; absent: as the system leaves them (raised). */
  readonly dtr?: boolean;
  readonly rts?: boolean;
}

/**
 * USB without a port of its own. Over `hid`, bytes travel in reports of one size: each "bytes" event is exactly one input report, and each entry of a turn's `write` is
 * one or more whole output reports, padded by the driver. A report is what is on the wire: where the device numbers its reports, its id is the first of `reportBytes`
 * bytes, in both directions (`numbered`). Putting messages into reports and taking them out again is the driver's codec. Over `bulk`, bytes are a stream as on a serial
 * line, over the first pair of bulk endpoints; a "bytes" event is whatever came, and a write may have any length.
 *
 * `commands: "feature"` is for devices that take commands as feature reports: each report that is written is set, and the one that is got then, its answer, is a "bytes" event of
 * `reportBytes` bytes. Input reports of such a device have other sizes, and arrive in packets of the bus.
 */
export type UsbLine =
  | { readonly kind: "usb"; readonly how: "hid"; readonly reportBytes: number; readonly numbered: boolean; readonly commands?: "feature" }
  | { readonly kind: "usb"; readonly how: "bulk" };

/**
 * How a device of the model shows itself before a word was said to it. Everything that is given must hold; `score` is how sure one may be then that it is this model, of
 * 100, where an id that others use too, or a text that anyone may carry, is worth little (src/terminal/match.ts). `source` says where the ids come from.
 */
export interface Fingerprint {
  readonly over: "serial" | "usb";
  readonly vendorId: number;
  readonly productId?: number;
  /** Held against the device's own text (USB string descriptor). */
  readonly manufacturer?: RegExp;
  readonly product?: RegExp;
  /** Held against every path by which the system knows a serial device. */
  readonly path?: RegExp;
  readonly score: number;
  readonly source: string;
}

/** What just happened on the link. Command numbers rise by one; notices repeat them. */
export type LinkEvent =
  | { readonly on: "opened" }
  | { readonly on: "bytes"; readonly bytes: Uint8Array }
  | { readonly on: "closed" }
  | { readonly on: "command"; readonly n: number; readonly command: Command }
  | { readonly on: "timer"; readonly name: string };

/**
 * What went wrong with a frame: - `corrupted`: it cannot be read, or has no end; - `repeated`: the device sent it once more; - `refused`: the device could not read ours;
 * - `unacknowledged`: nothing came for ours in time.
 */
export type FrameError = "corrupted" | "repeated" | "refused" | "unacknowledged";

/** The driver's answer to one event: the next state, and what the session is to do, in this order: timers, writes, notices, link. */
export interface Turn<S> {
  readonly state: S;
  readonly write?: readonly Uint8Array[];
  /** Milliseconds from now, or "clear". A timer of the same name is replaced. */
  readonly timers?: Readonly<Record<string, number | "clear">>;
  readonly notices?: readonly Notice[];
  /** "reopen" drops the link and opens a fresh one: the answer to a stream that cannot be trusted any more. */
  readonly link?: "close" | "reopen";
  /** Frames of this event that went wrong, to be counted. */
  readonly frameErrors?: readonly FrameError[];
}

/** One frame of a line in words: what it is called, and the objects in it. Key presses are no frames of a trace. */
export interface WireFrame {
  readonly name: string;
  readonly objects?: readonly Tlv[];
}

/** Which way bytes went over the line. */
export type WireDirection = "sent" | "received";

/** Reads one direction of a line: what the bytes made whole, and how to go on. Pure and total, as the driver. */
export interface WireReader {
  take(bytes: Uint8Array): { readonly frames: readonly WireFrame[]; readonly next: WireReader };
}

/** A reader that keeps a state of that type. */
export function wireReader<S>(state: S, take: (state: S, bytes: Uint8Array) => { readonly state: S; readonly frames: readonly WireFrame[] }): WireReader {
  return {
    take: (bytes) => {
      const taken = take(state, bytes);
      return { frames: taken.frames, next: wireReader(taken.state, take) };
    },
  };
}

/** What a stream of which nothing can be read any more is shown as; reading begins anew behind it. */
export const UNREADABLE: WireFrame = { name: "bytes that are no frame" };

/** What may be set for one terminal of a model (configuration, `terminals[].options`). An option called `baudRate` is the speed of the serial line. */
export interface DriverOption {
  readonly name: string;
  /** One line for whoever writes the configuration. */
  readonly meaning: string;
  /** Matches a whole value. */
  readonly allowed: RegExp;
  readonly usual: string;
}

export interface DriverStart {
  readonly transport: TransportKind;
  /** A value for every option that the model declares: the usual one where the configuration names none. */
  readonly options: Readonly<Record<string, string>>;
  readonly now: LocalTime;
  /** For anything that must differ from start to start; a driver has no randomness of its own. */
  readonly seed: number;
}

export type AcquirerQuestions = (options: Readonly<Record<string, string>>) => readonly string[];

/**
 * A driver is a value: how to talk on the line and a pure, total function from (state, event) to Turn. It never throws, whatever bytes arrive; it has no clock, no
 * randomness and no input or output. A new model is one more of these.
 */
export interface DriverSpec<S> {
  readonly id: string;
  readonly title: string;
  /** None: the model cannot be told from what is plugged in, and is only ever configured by hand. */
  readonly fingerprints: readonly Fingerprint[];
  readonly lines: readonly LineSettings[];
  readonly options: readonly DriverOption[];
  /** What a shop has to ask its acquirer before it sells with these options, one line each; absent: nothing. */
  readonly acquirerQuestions?: AcquirerQuestions;
  /** The most that a member of the family can do; one that can do less says so in its notice `ready`. */
  readonly capabilities: Capabilities;
  /** How long the device waits for the host's answer between ARQC and completion before it gives up, in milliseconds. */
  readonly hostWaitMs: number;
  /** Reads the line for a trace, with the driver's own codec; absent: a trace shows how many bytes went over it. */
  readonly wire?: (transport: TransportKind, direction: WireDirection) => WireReader;
  begin(on: DriverStart): Turn<S>;
  turn(state: S, event: LinkEvent): Turn<S>;
}

/** A turn whose state has been kept: what the session has to do. */
export type Deed = Omit<Turn<unknown>, "state">;

/** A model as the roster holds it: everything of its DriverSpec but the type of its state, which `start` keeps inside the function it returns. */
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
