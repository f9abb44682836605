import { fromAscii } from "../../src/kit/bytes.ts";
import { createCardSession } from "../../src/simulator/card-session.ts";
import type { Key } from "../../src/simulator/panel.ts";
import type { Device, DeviceOn } from "../../src/simulator/terminal-body.ts";
import { parseApdu } from "./apdu.ts";
import { newDeframer, push } from "./frame.ts";
import { encodeAnswer, tags } from "./message.ts";
import { cardSays, completedBody } from "./simulator-answer.ts";
import { commandCode, run, UNKNOWN_COMMAND } from "./simulator-commands.ts";
import { miuraLayout } from "./simulator-configuration.ts";
import { ANSWER_MS, EMPTY, type Miura, newMiura, say, soon, tell } from "./simulator-core.ts";

/** Newer firmware sends an E5 some time after ABORT of a transaction that waited for the host (PROTOCOL.md 7.6). */
const LATE_DECLINE_MS = 250;
/** More commands than a host may have waiting; what comes beyond is lost, as in a full buffer. */
const LONGEST_QUEUE = 16;
const ABORT = "D0FF";

/** The protocol from the device's side. One command is answered after the other; ABORT overtakes. */
export function miuraDevice(on: DeviceOn): Device {
  on.panel.onKey((key) => keyTold(miura, key));
  // The host draws most texts, and asks out a card that is silent (PROTOCOL.md 7.3).
  const session = createCardSession({ ...on, sred: miuraLayout, keepsUnreadable: true, says: (outcome) => cardSays(miura, outcome) });
  const miura = newMiura(on, session, () => next(miura));
  on.panel.show(READY);
  return {
    receive: (bytes) => receive(miura, bytes),
    connected: (line) => {
      if (line === "tcp") soon(miura, ANSWER_MS, () => greet(miura));
    },
    disconnected: () => toIdle(miura),
    powerOn: () => toIdle(miura),
  };
}

const READY = ["Ready"];

function receive(miura: Miura, bytes: Uint8Array): void {
  const { state, messages, error } = push(miura.deframer, bytes);
  // Nothing is known of what the device does with a broken stream; this one throws away what it has and listens on.
  miura.deframer = error === undefined ? state : newDeframer;
  for (const { nad, body } of messages) {
    const command = nad === 1 ? parseApdu(body) : undefined;
    if (command === undefined) soon(miura, ANSWER_MS, () => say(miura, false, encodeAnswer(EMPTY, UNKNOWN_COMMAND)));
    else if (commandCode(command) === ABORT) abort(miura);
    else if (miura.queue.length < LONGEST_QUEUE) miura.queue.push(command);
  }
  next(miura);
}

function next(miura: Miura): void {
  const command = miura.isBusy ? undefined : miura.queue.shift();
  if (command === undefined) return;
  miura.isBusy = true;
  run(miura, command);
}

/** PROTOCOL.md 7.6: ABORT is answered at once; then follows what the aborted transaction has to say. Repeated ones do nothing. */
function abort(miura: Miura): void {
  soon(miura, ANSWER_MS, () => say(miura, false, encodeAnswer(EMPTY)));
  const declined = miura.session.abort();
  if (declined === undefined) return;
  const body = completedBody(miura, declined);
  soon(miura, LATE_DECLINE_MS, () => say(miura, false, encodeAnswer(body)));
}

/** PROTOCOL.md 6.4: accept, cancel, back; a digit is never told. */
const KEY_CODES: Readonly<Partial<Record<Key, number>>> = { ENTER: 0x0d, CANCEL: 0x1b, CLEAR: 0x82 };

function keyTold(miura: Miura, key: Key): void {
  if (miura.hasKeyEvents) tell(miura, "E0", [{ tag: tags.keyCode, value: Uint8Array.of(KEY_CODES[key] ?? 0x00) }]);
}

function greet(miura: Miura): void {
  tell(miura, "E6", [
    { tag: tags.statusCode, value: Uint8Array.of(0x01) },
    { tag: tags.statusText, value: fromAscii("Device powered on") },
  ]);
}

/** The line went away or power came back: the device aborts by itself and forgets what it was told (PROTOCOL.md 1.4). */
function toIdle(miura: Miura): void {
  miura.age += 1;
  miura.deframer = newDeframer;
  miura.queue = [];
  miura.isBusy = false;
  miura.open = "none";
  miura.held = "nobody";
  miura.sealed = [];
  miura.store = [];
  miura.isReporting = false;
  miura.hasKeyEvents = false;
  miura.session.reset();
  miura.on.panel.show(READY);
}
