import { sredLayoutOf } from "../../packages/sandbox/testbed/sred-layouts.ts";
import { concat, fromAscii } from "../../src/kit/bytes.ts";
import { type CardSession, createCardSession } from "../../src/simulator/card-session.ts";
import type { Device, DeviceOn } from "../../src/simulator/terminal-body.ts";
import { newCodec, read } from "./codec.ts";
import type { Frame } from "./frame.ts";
import { type CommandName, nameOf } from "./message.ts";
import { REPORT_BYTES, splitReports } from "./reports.ts";
import { type Neo, newNeo, reply, tell } from "./simulator-core.ts";
import { sealCard } from "./simulator-sealing.ts";
import {
  activate,
  authenticate,
  cancel,
  cardSays,
  chosen,
  completeTransaction,
  startContact,
  tellSlot,
} from "./simulator-transaction.ts";
import { BAD_PARAMETER, NOT_ALLOWED, OK, UNKNOWN_COMMAND } from "./status-codes.ts";

const MODULES = "CL AID,1.05\r\nEMVL2,1.10\r\nCONFIG,0007\r\n";
const BOOT_TEXT = "NEO 2.0 v1.00 ";

/** The device's side of the protocol. */
export function neoDevice(on: DeviceOn, firmware: string): Device {
  const sred = sredLayoutOf("IDTECH_VP3300");
  if (sred === undefined) throw new RangeError("sred-layouts has no IDTECH_VP3300");
  const neo: Neo = newNeo(on, firmware, (): CardSession => session);
  const session = createCardSession({
    ...on,
    sred,
    says: (outcome) => cardSays(neo, outcome),
    seal: (data) => sealCard(neo, data),
    pausesBeforeCryptogram: true,
    hostChooses: !on.capabilities.onlinePin,
    keepsUnreadable: true,
  });
  return {
    reportBytes: REPORT_BYTES,
    receive: (bytes) => receive(neo, bytes),
    connected: (line) => {
      neo.line = line;
      neo.codec = newCodec(line);
      if (neo.hasBooted) tell(neo, 0x14, 0x01, fromAscii(BOOT_TEXT));
      neo.hasBooted = false;
    },
    disconnected: () => toIdle(neo),
    powerOn: () => {
      toIdle(neo);
      neo.tellsSlot = false;
      neo.hasBooted = true;
    },
  };
}

function receive(neo: Neo, bytes: Uint8Array): void {
  for (const chunk of neo.line === "usb" ? splitReports(bytes) : [bytes]) {
    const { codec, heard, error } = read(neo.codec, chunk);
    // The reaction of a real device to a broken stream is unknown; the simulator discards its input and continues.
    neo.codec = error === undefined ? codec : newCodec(neo.line);
    for (const frame of heard) run(neo, frame);
  }
}

/** Commands accepted during a transaction; others get "not allowed" (PROTOCOL.md 6.6). */
const IN_A_TRANSACTION: readonly CommandName[] = ["cancel", "dialogue", "pin-dialogue", "authenticate", "complete"];

function run(neo: Neo, frame: Frame): void {
  const name = nameOf(frame);
  const { command, data } = frame;
  if (name === undefined) reply(neo, command, UNKNOWN_COMMAND);
  else if (neo.session().at() !== "idle" && !IN_A_TRANSACTION.includes(name)) reply(neo, command, NOT_ALLOWED);
  else obey(neo, name, command, data);
}

type Obey = (neo: Neo, data: Uint8Array, command: number) => void;

const done: Obey = (neo, _data, command) => reply(neo, command);

const COMMANDS: Readonly<Record<CommandName, Obey>> = {
  ping: done,
  screen: done,
  "poll-on-demand": done,
  serial: (neo, _data, command) =>
    reply(neo, command, OK, concat(fromAscii(neo.on.serialNumber), new Uint8Array(15)).slice(0, 15)),
  firmware: (neo, _data, command) => reply(neo, command, OK, fromAscii(neo.firmware)),
  modules: (neo, _data, command) => reply(neo, command, OK, fromAscii(MODULES)),
  "switch-notices": (neo, data, command) => {
    neo.tellsSlot = ((data[0] ?? 0) & 0x01) !== 0;
    reply(neo, command);
    tellSlot(neo);
  },
  "key-state": keyState,
  activate,
  start: startContact,
  authenticate,
  complete: completeTransaction,
  cancel,
  dialogue: chosen,
  "pin-dialogue": () => undefined,
};

function obey(neo: Neo, name: CommandName, command: number, data: Uint8Array): void {
  COMMANDS[name](neo, data, command);
}

/** State, length and a serial number that hides its counter. */
const KEY_VALID = concat(Uint8Array.of(0x01, 10), fromAscii("\xff\xff\x98\x76\x54\x32\x00\x00\x00\x00"));
const KEY_UNUSED = Uint8Array.of(0x00);
const DATA_KEY = 0x02;

function keyState(neo: Neo, data: Uint8Array, command: number): void {
  const isThere = data[0] === DATA_KEY || neo.on.capabilities.onlinePin;
  if (data.length === 3) reply(neo, command, OK, isThere ? KEY_VALID : KEY_UNUSED);
  else reply(neo, command, BAD_PARAMETER);
}

/** Ends the current work after a lost link or a power cycle. */
function toIdle(neo: Neo): void {
  neo.age += 1;
  neo.codec = newCodec(neo.line);
  neo.running = undefined;
  neo.session().reset();
}
