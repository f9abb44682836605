import { fromAscii } from "../../src/kit/bytes.ts";
import type { Key } from "../../src/simulator/panel.ts";
import type { Device, DeviceOn } from "../../src/simulator/terminal-body.ts";
import { parseApdu } from "./apdu.ts";
import { newDeframer, push } from "./frame.ts";
import { encodeAnswer, tags } from "./message.ts";
import { forget, type Held } from "./simulator-chip.ts";
import { commandCode, reportSlot, run, UNKNOWN_COMMAND } from "./simulator-commands.ts";
import { ANSWER_MS, EMPTY, type Miura, newMiura, reply, say, soon, tell } from "./simulator-core.ts";
import { cardShown, endTap } from "./simulator-tap.ts";
import { cardPulled, declineHeld } from "./simulator-transaction.ts";
import { keyPressed } from "./simulator-typing.ts";

/** Newer firmware sends an E5 some time after ABORT of a transaction that waited for the host (PROTOCOL.md 7.6). */
const LATE_DECLINE_MS = 250;
/** More commands than a host may have waiting; what comes beyond is lost, as in a full buffer. */
const LONGEST_QUEUE = 16;
const ABORT = "D0FF";

/** The protocol from the device's side. One command is answered after the other; ABORT overtakes. */
export function miuraDevice(on: DeviceOn): Device {
  const miura = newMiura(on, next);
  on.panel.onSlot(() => slotChanged(miura));
  on.panel.onShown(() => cardShown(miura.chip));
  on.panel.onKey((key) => pressed(miura, key));
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
  const { chip } = miura;
  const { panel } = miura.on;
  soon(miura, ANSWER_MS, () => say(miura, false, encodeAnswer(EMPTY)));
  switch (chip.state.at) {
    case "idle":
      if (panel.wish() === "card" || panel.wish() === "swipe") panel.wishFor(undefined);
      break;
    case "completing":
      // The card has its answer already: the command ends by itself.
      break;
    case "reading":
    case "tapping":
    case "deciding":
      forget(chip);
      reply(miura, EMPTY, "9F41", ANSWER_MS * 2);
      break;
    case "typing": {
      const { behind, left } = chip.state;
      left("aborted");
      if (behind !== undefined) sayLate(miura, behind);
      break;
    }
    case "host": {
      const { held } = chip.state;
      sayLate(miura, held);
      forget(chip);
      break;
    }
  }
}

function sayLate(miura: Miura, held: Held): void {
  const body = declineHeld(miura.chip, held);
  soon(miura, LATE_DECLINE_MS, () => say(miura, false, encodeAnswer(body)));
}

function slotChanged(miura: Miura): void {
  const { panel } = miura.on;
  const isEmpty = panel.card() === undefined;
  if (!isEmpty || panel.wish() === "removal") panel.wishFor(undefined);
  if (miura.isReporting) soon(miura, ANSWER_MS, () => reportSlot(miura));
  if (isEmpty) cardPulled(miura.chip);
  else endTap(miura.chip, "9F43");
}

/** PROTOCOL.md 6.4: accept, cancel, back; a digit is never told. */
const KEY_CODES: Readonly<Partial<Record<Key, number>>> = { ENTER: 0x0d, CANCEL: 0x1b, CLEAR: 0x82 };

function pressed(miura: Miura, key: Key): void {
  if (miura.hasKeyEvents) tell(miura, "E0", [{ tag: tags.keyCode, value: Uint8Array.of(KEY_CODES[key] ?? 0x00) }]);
  keyPressed(miura.chip, key);
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
  miura.isReporting = false;
  miura.hasKeyEvents = false;
  miura.chip.reportsTracks = false;
  miura.chip.last = undefined;
  miura.chip.store = [];
  forget(miura.chip);
  miura.on.panel.show(READY);
}
