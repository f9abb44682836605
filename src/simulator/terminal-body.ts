import { createMemory, emptyMemoryImage, type Memory } from "../../packages/sandbox/testbed/memory.ts";
import { createSecureModule, type SecureModule } from "../../packages/sandbox/testbed/secure-module.ts";
import type { Capabilities } from "../card/capabilities.ts";
import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { type AutomaticCustomer, automaticCustomer } from "./customer.ts";
import type { Strike } from "./fault.ts";
import { clearLine, type FaultLine, newFaultLine, orderFault, sendFrame, sendGarbage } from "./fault-line.ts";
import type { PaceName } from "./pace.ts";
import { createPanel, type Panel, profileNamed } from "./panel.ts";
import type {
  Attachment,
  LineEvents,
  LineKind,
  SimulatedTerminal,
  SimulatorModel,
  SimulatorOn,
} from "./simulated-terminal.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

/** Services of the body for the device inside. */
export interface DeviceOn {
  readonly clock: Clock;
  readonly random: Random;
  readonly memory: Memory;
  readonly secure: SecureModule;
  readonly panel: Panel;
  readonly serialNumber: string;
  readonly capabilities: Capabilities;
  /** Whether ENTER without a PIN moves on to the card's next CVM rule. */
  readonly allowsPinBypass?: boolean;
  readonly pace: PaceName;
  /** Taps above this amount, in minor units, require cardholder verification. */
  readonly contactlessCvmLimit?: number;
  /** Sends one whole frame to the host; dropped without a connection. */
  readonly send: (frame: Uint8Array) => void;
  /** Restarts the device, as after its own hard reset. */
  readonly restart: () => void;
}

/** The model's protocol. It answers through the clock, never from inside `receive`. */
export interface Device {
  /**
   * Size of the model's HID reports including ids; absent: no HID. Its output over "usb" is whole reports of that size.
   */
  readonly reportBytes?: number;
  receive(bytes: Uint8Array): void;
  connected(line: LineKind): void;
  /** The line is gone: the device stops its work. */
  disconnected(): void;
  /** Power returned: only keys and memory survive. */
  powerOn(): void;
}

/** Duration of a restart; real devices take half a minute. */
const RESTART_MS = 400;

/** The terminal around its device: cable, power and connected host. */
interface Body {
  readonly clock: Clock;
  readonly panel: Panel;
  readonly line: FaultLine;
  readonly device: () => Device;
  readonly plugListeners: ((plugged: boolean) => void)[];
  readonly changeListeners: (() => void)[];
  readonly lineListeners: LineEvents[];
  host: { readonly send: (bytes: Uint8Array) => void; readonly kind: LineKind } | undefined;
  isPlugged: boolean;
  /** Ignores input and sends nothing, but keeps the line open. */
  isHung: boolean;
}

/**
 * A simulated terminal of any model; `make` creates the model's device. Throws a SimulatorProblem if the automatic
 * customer's card is unknown.
 */
export function simulatedTerminal(
  on: SimulatorOn,
  make: (on: DeviceOn) => Device,
  model: Pick<SimulatorModel, "capabilities" | "serialNumber">,
): SimulatedTerminal {
  const {
    clock,
    random,
    automatic,
    memory = createMemory(emptyMemoryImage),
    serialNumber = model.serialNumber.usual,
    pace = "quick",
  } = on;
  if (automatic !== undefined) profileNamed(automatic.card);
  const panel = createPanel(on.cardSaid);
  const transmit = (bytes: Uint8Array): void => {
    if (body.host === undefined) return;
    for (const listener of body.lineListeners) listener.received(bytes);
    body.host.send(bytes);
  };
  const line = newFaultLine({ clock, random, transmit, strike: (name) => strike(body, name) });
  const body: Body = {
    clock,
    panel,
    line,
    device: () => device,
    plugListeners: [],
    changeListeners: [],
    lineListeners: [],
    host: undefined,
    isPlugged: true,
    isHung: false,
  };
  const send = (frame: Uint8Array): void => {
    if (body.host !== undefined && !body.isHung) sendFrame(line, frame);
  };
  const secure = createSecureModule(random, memory);
  const { capabilities } = model;
  const { allowsPinBypass = false, contactlessCvmLimit } = on;
  const set = { allowsPinBypass, pace, ...(contactlessCvmLimit !== undefined && { contactlessCvmLimit }) };
  const device = make({
    clock,
    random,
    memory,
    secure,
    panel,
    serialNumber,
    capabilities,
    ...set,
    send,
    restart: () => restart(body),
  });
  const customer = automatic && automaticCustomer(panel, automatic.card, { clock, random, memory });
  panel.onChange(() => changed(body));
  return {
    serialNumber,
    attach: (take, kind = "serial") => attach(body, take, kind),
    present: (name, way) => panel.present(name, way),
    removeCard: () => panel.remove(),
    ...customerCalls(body, customer),
    press: (keys) => panel.press(keys),
    screen: () => panel.screen(),
    fault: (name, after = 0) => {
      if (!Number.isInteger(after) || after < 0)
        throw new SimulatorProblem("after must be a whole number of frames, 0 or more");
      orderFault(line, name, after);
    },
    plugged: () => body.isPlugged,
    hung: () => body.isHung,
    onPlug: (listener) => void body.plugListeners.push(listener),
    onChange: (listener) => void body.changeListeners.push(listener),
    onLine: (listener) => listenToLine(body, listener),
  };
}

/** A new listener on an open line first hears that it is open. */
function listenToLine(body: Body, listener: LineEvents): void {
  body.lineListeners.push(listener);
  if (body.host !== undefined) listener.opened(body.host.kind);
}

function changed(body: Body): void {
  for (const listener of body.changeListeners) listener();
}

function customerCalls(
  body: Body,
  customer: AutomaticCustomer | undefined,
): Pick<SimulatedTerminal, "customerUses" | "customerActs" | "customer"> {
  const someone = (): AutomaticCustomer => {
    if (customer === undefined)
      throw new SimulatorProblem("nobody stands before the terminal: it was started without an automatic customer");
    return customer;
  };
  return {
    customerUses: (name) => {
      someone().use(profileNamed(name).name);
      changed(body);
    },
    customerActs: (acts) => {
      someone().act(acts);
      changed(body);
    },
    customer: () => customer && { card: customer.card(), acts: customer.acts() },
  };
}

function attach(body: Body, send: (bytes: Uint8Array) => void, kind: LineKind): Attachment {
  if (!body.isPlugged) throw new SimulatorProblem("the terminal is unplugged");
  const { reportBytes } = body.device();
  if (kind === "usb" && reportBytes === undefined)
    throw new SimulatorProblem("this model has no USB HID: use a serial gadget (/dev/ttyGS0), --pty or --tcp");
  hangUp(body);
  body.line.reportBytes = kind === "usb" ? reportBytes : undefined;
  body.line.isWhole = kind === "websocket";
  const mine = { send, kind };
  body.host = mine;
  for (const listener of body.lineListeners) listener.opened(kind);
  body.device().connected(kind);
  return {
    receive: (bytes) => {
      if (body.host === mine) for (const listener of body.lineListeners) listener.sent(bytes);
      if (body.host === mine && !body.isHung) body.device().receive(bytes);
    },
    detach: () => {
      if (body.host === mine) hangUp(body);
    },
  };
}

function hangUp(body: Body): void {
  if (body.host === undefined) return;
  body.host = undefined;
  for (const listener of body.lineListeners) listener.lost();
  clearLine(body.line);
  body.device().disconnected();
}

function plug(body: Body, plugged: boolean): void {
  if (plugged === body.isPlugged) return;
  body.isPlugged = plugged;
  hangUp(body);
  for (const listener of body.plugListeners) listener(plugged);
  changed(body);
}

function restart(body: Body): void {
  plug(body, false);
  body.panel.light("power", false);
  body.clock.after(RESTART_MS, () => {
    body.isHung = false;
    body.panel.light("power", true);
    body.device().powerOn();
    plug(body, true);
  });
}

function strike(body: Body, name: Strike): void {
  switch (name) {
    case "unplug":
      plug(body, false);
      break;
    case "plug":
      plug(body, true);
      break;
    case "hang":
      body.isHung = true;
      changed(body);
      break;
    case "reboot":
      restart(body);
      break;
    case "garbage":
      sendGarbage(body.line);
      break;
    case "slow":
      body.line.isSlow = true;
      break;
  }
}
