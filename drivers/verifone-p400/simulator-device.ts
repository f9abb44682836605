import { fromAscii } from "../../src/kit/bytes.ts";
import { createCardSession } from "../../src/simulator/card-session.ts";
import type { Key } from "../../src/simulator/panel.ts";
import type { Device, DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { Message } from "../vipa/frame.ts";
import { encodeAnswer } from "../vipa/message.ts";
import { ANSWER_MS, EMPTY, forget, newVipaDevice, receive, say, soon, tell, workOn } from "../vipa/simulator-core.ts";
import { parseApdu } from "./apdu.ts";
import { framing } from "./frame.ts";
import { tags } from "./message.ts";
import { cardSays } from "./simulator-answer.ts";
import { run } from "./simulator-commands.ts";
import { terminalId } from "./simulator-configuration.ts";
import { newVerifone, toNobody, type Verifone } from "./simulator-core.ts";
import { verifoneLayout } from "./simulator-sealing.ts";

const LINK_ERROR = "9F01";

/** The device's side of the protocol, for these modules. It answers one command after the other; ABORT overtakes. */
export function verifoneDevice(units: readonly string[]): (on: DeviceOn) => Device {
  return (on) => {
    const session = createCardSession({
      ...on,
      sred: verifoneLayout,
      pausesBeforeCryptogram: true,
      // The host asks the customer to remove a silent card (PROTOCOL.md 7.3).
      keepsUnreadable: true,
      seal: (data) => verifone.early ?? on.secure.sealCard(verifoneLayout, data),
      says: (outcome) => cardSays(verifone, outcome),
    });
    const verifone = newVerifone(newVipaDevice({ on, session, framing, next: () => workOn(verifone, run) }), units);
    const commands = {
      parse: ({ body }: Message) => parseApdu(body),
      unreadable: LINK_ERROR,
      abort: () => abort(verifone),
    };
    on.panel.onKey((key) => keyTold(verifone, key));
    show(verifone);
    return {
      receive: (bytes) => receive(verifone, commands, bytes),
      connected: (line) => {
        if (line === "tcp") soon(verifone, ANSWER_MS, () => greet(verifone));
      },
      disconnected: () => toIdle(verifone),
      powerOn: () => toIdle(verifone),
    };
  };
}

const READY = ["Ready"];

function show({ on }: Verifone): void {
  if (on.capabilities.display) on.panel.show(READY);
}

/**
 * ABORT is answered at once and ends the running command. A card that waits for the host keeps waiting: only RESET ends
 * that (PROTOCOL.md 7.6).
 */
function abort(verifone: Verifone): void {
  const { session } = verifone;
  soon(verifone, verifone.times.plainMs, () => say(verifone, false, encodeAnswer(EMPTY)));
  if (session.at() === "held" || (verifone.held === "decision" && verifone.open === "none")) return;
  session.abort();
  if (session.at() === "idle") {
    verifone.held = "nobody";
    verifone.early = undefined;
  }
}

/** DFA205: accept, cancel, correct (PROTOCOL.md 6.3). */
const KEY_CODES: Readonly<Partial<Record<Key, number>>> = { ENTER: 0x0d, CANCEL: 0x1b, CLEAR: 0x08 };

function keyTold(verifone: Verifone, key: Key): void {
  const code = KEY_CODES[key];
  if (verifone.hasKeyEvents && code !== undefined && verifone.session.at() !== "typing")
    tell(verifone, "E0", [{ tag: tags.keyCode, value: Uint8Array.of(code) }]);
}

/** E6 of 33 bytes (PROTOCOL.md 6.2). */
function greet(verifone: Verifone): void {
  tell(verifone, "E6", [
    { tag: tags.statusCode, value: Uint8Array.of(0x01) },
    { tag: tags.statusText, value: fromAscii("Device powered on") },
    terminalId(verifone.on.serialNumber),
  ]);
}

/** A lost link or a power cycle ends the transaction (PROTOCOL.md 1.4). */
function toIdle(verifone: Verifone): void {
  verifone.isReaderOpen = false;
  toNobody(verifone);
  forget(verifone);
  show(verifone);
}
