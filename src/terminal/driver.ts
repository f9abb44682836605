import type { Command, LocalTime } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";

export type TransportKind = "serial" | "tcp" | "usb" | "websocket";

/** What a driver needs of the line; the transport of that kind obeys. */
export type LineSettings =
  | { readonly kind: "serial"; readonly baudRate: number; readonly dataBits: 7 | 8; readonly parity: "none" | "even" | "odd"; readonly stopBits: 1 | 2 }
  | { readonly kind: "tcp"; readonly defaultPort: number };

export interface Capabilities {
  readonly interfaces: readonly ("chip" | "contactless" | "stripe" | "keyed")[];
  readonly onlinePin: boolean;
  /** Command `ask-pin`: the device can take a PIN for a card that was tapped and is gone. */
  readonly pinAfterTap: boolean;
  readonly display: boolean;
  /** The device can tell the card's final word again after a lost link. */
  readonly rereadVerdict: boolean;
  /** The device seals tags that others send in clear: fields that then cannot be filled stay empty. */
  readonly sealed: boolean;
}

/** What just happened on the link. Command numbers rise by one; notices repeat them. */
export type LinkEvent =
  | { readonly on: "opened" }
  | { readonly on: "bytes"; readonly bytes: Uint8Array }
  | { readonly on: "closed" }
  | { readonly on: "command"; readonly n: number; readonly command: Command }
  | { readonly on: "timer"; readonly name: string };

/** The driver's answer to one event: the next state, and what the session is to do, in this order: timers, writes, notices, link. */
export interface Turn<S> {
  readonly state: S;
  readonly write?: readonly Uint8Array[];
  /** Milliseconds from now, or "clear". A timer of the same name is replaced. */
  readonly timers?: Readonly<Record<string, number | "clear">>;
  readonly notices?: readonly Notice[];
  /** "reopen" drops the link and opens a fresh one: the answer to a stream that cannot be trusted any more. */
  readonly link?: "close" | "reopen";
}

export interface DriverStart {
  readonly transport: TransportKind;
  readonly now: LocalTime;
  /** For anything that must differ from start to start; a driver has no randomness of its own. */
  readonly seed: number;
}

/**
 * A driver is a value: how to talk on the line and a pure, total function from (state, event) to Turn. It never throws, whatever bytes arrive; it has no clock, no
 * randomness and no input or output. A seventh model is one more of these.
 */
export interface DriverSpec<S> {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly LineSettings[];
  readonly capabilities: Capabilities;
  /** How long the device waits for the host's answer between ARQC and completion before it gives up, in milliseconds. */
  readonly hostWaitMs: number;
  begin(on: DriverStart): Turn<S>;
  turn(state: S, event: LinkEvent): Turn<S>;
}

/** A turn once its state has been kept: what is left for the session to do. */
export type Deed = Omit<Turn<unknown>, "state">;

/** A model as the roster holds it: everything of its DriverSpec but the type of its state, which `start` keeps inside the function it returns. */
export interface DriverModel {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly LineSettings[];
  readonly capabilities: Capabilities;
  readonly hostWaitMs: number;
  start(on: DriverStart): { readonly first: Deed; readonly turn: (event: LinkEvent) => Deed };
}

/** Hides the type of a driver's state, so that one array can hold every model. */
export function driverModel<S>(spec: DriverSpec<S>): DriverModel {
  const { id, title, lines, capabilities, hostWaitMs } = spec;
  return {
    id,
    title,
    lines,
    capabilities,
    hostWaitMs,
    start: (on) => {
      let { state, ...first } = spec.begin(on);
      const turn = (event: LinkEvent): Deed => {
        const { state: next, ...deed } = spec.turn(state, event);
        state = next;
        return deed;
      };
      return { first, turn };
    },
  };
}
