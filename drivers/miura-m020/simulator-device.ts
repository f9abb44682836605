import { fromAscii } from "../../src/kit/bytes.ts";
import { createCardSession } from "../../src/simulator/card-session.ts";
import type { Key } from "../../src/simulator/panel.ts";
import type { Device, DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { Apdu } from "../vipa/apdu.ts";
import type { Message } from "../vipa/frame.ts";
import { encodeAnswer } from "../vipa/message.ts";
import { ANSWER_MS, EMPTY, forget, newVipaDevice, receive, say, soon, tell, workOn } from "../vipa/simulator-core.ts";
import { parseApdu } from "./apdu.ts";
import { framing } from "./frame.ts";
import { tags } from "./message.ts";
import { cardSays, completedBody } from "./simulator-answer.ts";
import { run, UNKNOWN_COMMAND } from "./simulator-commands.ts";
import { miuraLayout } from "./simulator-configuration.ts";
import { type Miura, newMiura } from "./simulator-core.ts";

/** Newer firmware sends an E5 some time after aborting a transaction that waited for the host (PROTOCOL.md 7.6). */
const LATE_DECLINE_MS = 250;
/** The device's side of the protocol. It answers one command after the other; ABORT overtakes. */
export function miuraDevice(on: DeviceOn): Device {
  on.panel.onKey((key) => keyTold(miura, key));
  // The host draws most texts, and asks the customer to remove a silent card (PROTOCOL.md 7.3).
  const session = createCardSession({
    ...on,
    sred: miuraLayout,
    keepsUnreadable: true,
    says: (outcome) => cardSays(miura, outcome),
  });
  const miura = newMiura(newVipaDevice({ on, session, framing, next: () => workOn(miura, run) }));
  const commands = { parse: commandIn, unreadable: UNKNOWN_COMMAND, abort: () => abort(miura) };
  on.panel.show(READY);
  return {
    receive: (bytes) => receive(miura, commands, bytes),
    connected: (line) => {
      if (line === "tcp") soon(miura, ANSWER_MS, () => greet(miura));
    },
    disconnected: () => toIdle(miura),
    powerOn: () => toIdle(miura),
  };
}

const READY = ["Ready"];

/** Messages to the hub are not commands of the PIN pad. */
const commandIn = ({ nad, body }: Message): Apdu | undefined => (nad === 1 ? parseApdu(body) : undefined);

/**
 * PROTOCOL.md 7.6: ABORT is answered at once, then the aborted transaction sends its result. Repeated ABORTs do
 * nothing.
 */
function abort(miura: Miura): void {
  soon(miura, ANSWER_MS, () => say(miura, false, encodeAnswer(EMPTY)));
  const declined = miura.session.abort();
  if (declined === undefined) return;
  const body = completedBody(miura, declined);
  soon(miura, LATE_DECLINE_MS, () => say(miura, false, encodeAnswer(body)));
}

/** PROTOCOL.md 6.4: accept, cancel, back. Digits are never reported. */
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

/** After a lost link or a power cycle the device aborts by itself (PROTOCOL.md 1.4). */
function toIdle(miura: Miura): void {
  miura.open = "none";
  miura.held = "nobody";
  miura.store = [];
  forget(miura);
  miura.on.panel.show(READY);
}
