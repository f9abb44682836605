import { fromAscii } from "../../src/kit/bytes.ts";
import { createCardSession } from "../../src/simulator/card-session.ts";
import type { Key } from "../../src/simulator/panel.ts";
import type { Device, DeviceOn } from "../../src/simulator/terminal-body.ts";
import { parseApdu } from "./apdu.ts";
import { newDeframer, push } from "./frame.ts";
import { encodeAnswer, tags } from "./message.ts";
import { cardSays } from "./simulator-answer.ts";
import { commandCode, run } from "./simulator-commands.ts";
import { terminalId } from "./simulator-configuration.ts";
import { ANSWER_MS, EMPTY, newVipa, say, soon, tell, toNobody, type Vipa } from "./simulator-core.ts";
import { vipaLayout } from "./simulator-sred.ts";

/** More commands than a host may have waiting; what comes beyond is lost, as in a full buffer. */
const LONGEST_QUEUE = 16;
const ABORT = "D0FF";
const LINK_ERROR = "9F01";

/** The protocol from the device's side, of a device with these modules. One command is answered after the other; ABORT overtakes. */
export function vipaDevice(units: readonly string[]): (on: DeviceOn) => Device {
  return (on) => {
    const session = createCardSession({
      ...on,
      sred: vipaLayout,
      pausesBeforeCryptogram: true,
      // The host asks out a card that is silent (PROTOCOL.md 7.3).
      keepsUnreadable: true,
      seal: (data) => vipa.early ?? on.secure.sealCard(vipaLayout, data),
      says: (outcome) => cardSays(vipa, outcome),
    });
    const vipa = newVipa(on, units, session, () => next(vipa));
    on.panel.onKey((key) => keyTold(vipa, key));
    show(vipa);
    return {
      receive: (bytes) => receive(vipa, bytes),
      connected: (line) => {
        if (line === "tcp") soon(vipa, ANSWER_MS, () => greet(vipa));
      },
      disconnected: () => toIdle(vipa),
      powerOn: () => toIdle(vipa),
    };
  };
}

const READY = ["Ready"];

function show({ on }: Vipa): void {
  if (on.capabilities.display) on.panel.show(READY);
}

function receive(vipa: Vipa, bytes: Uint8Array): void {
  const { state, messages, error } = push(vipa.deframer, bytes);
  // Nothing is known of what the device does with a broken stream; this one throws away what it has and listens on.
  vipa.deframer = error === undefined ? state : newDeframer;
  for (const { body } of messages) {
    const command = parseApdu(body);
    if (command === undefined) soon(vipa, ANSWER_MS, () => say(vipa, false, encodeAnswer(EMPTY, LINK_ERROR)));
    else if (commandCode(command) === ABORT) abort(vipa);
    else if (vipa.queue.length < LONGEST_QUEUE) vipa.queue.push(command);
  }
  next(vipa);
}

function next(vipa: Vipa): void {
  const command = vipa.isBusy ? undefined : vipa.queue.shift();
  if (command === undefined) return;
  vipa.isBusy = true;
  run(vipa, command);
}

/** ABORT is answered at once, and ends the command that is being worked on. A card that waits for the host waits on: only RESET ends that here (PROTOCOL.md 7.6). */
function abort(vipa: Vipa): void {
  const { session } = vipa;
  soon(vipa, vipa.times.plainMs, () => say(vipa, false, encodeAnswer(EMPTY)));
  if (session.at() === "held" || (vipa.held === "decision" && vipa.open === "none")) return;
  session.abort();
  if (session.at() === "idle") {
    vipa.held = "nobody";
    vipa.early = undefined;
  }
}

/** DFA205: accept, cancel, correct (PROTOCOL.md 6.3). */
const KEY_CODES: Readonly<Partial<Record<Key, number>>> = { ENTER: 0x0d, CANCEL: 0x1b, CLEAR: 0x08 };

function keyTold(vipa: Vipa, key: Key): void {
  const code = KEY_CODES[key];
  if (vipa.hasKeyEvents && code !== undefined && vipa.session.at() !== "typing") tell(vipa, "E0", [{ tag: tags.keyCode, value: Uint8Array.of(code) }]);
}

/** E6 of 33 bytes (PROTOCOL.md 6.2). */
function greet(vipa: Vipa): void {
  tell(vipa, "E6", [
    { tag: tags.statusCode, value: Uint8Array.of(0x01) },
    { tag: tags.statusText, value: fromAscii("Device powered on") },
    terminalId(vipa.on.serialNumber),
  ]);
}

/** The line went away or power came back: the device ends its transaction and forgets what it was told (PROTOCOL.md 1.4). */
function toIdle(vipa: Vipa): void {
  vipa.age += 1;
  vipa.deframer = newDeframer;
  vipa.queue = [];
  vipa.isBusy = false;
  vipa.sealed = [];
  vipa.isReporting = false;
  vipa.hasKeyEvents = false;
  vipa.isReaderOpen = false;
  toNobody(vipa);
  vipa.session.reset();
  show(vipa);
}
