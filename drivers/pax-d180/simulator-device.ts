import { knownSredLayout } from "../../packages/sandbox/testbed/sred-layouts.ts";
import { ascii, concat, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { type CardSession, createCardSession } from "../../src/simulator/card-session.ts";
import { showHostText } from "../../src/simulator/host-text.ts";
import type { Key } from "../../src/simulator/panel.ts";
import { clockDigits, clockMs } from "../../src/simulator/request-text.ts";
import type { Device, DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { Frame } from "./frame.ts";
import { type CommandName, nameOf } from "./message.ts";
import { newPad, type Pad, receive, reply } from "./simulator-core.ts";
import { ksn, nextKsn, sealCard } from "./simulator-sealing.ts";
import {
  authenticateCard,
  callBackAnswered,
  cardSays,
  completeTransaction,
  getObject,
  init,
  readRecords,
  select,
  setAmount,
  setObject,
  slot,
  startTransaction,
  swiped,
  tracks,
} from "./simulator-transaction.ts";
import { OK, PARAMETER, UNSUPPORTED } from "./status-codes.ts";

/** The device's side of the protocol. */
export function padDevice(on: DeviceOn, code: number): Device {
  const pad: Pad = newPad(on, code, (): CardSession => session, obey);
  const session = createCardSession({
    ...on,
    sred: knownSredLayout("PAX_D180"),
    says: (outcome) => cardSays(pad, outcome),
    seal: (data) => sealCard(pad, data),
    keepsUnreadable: true,
    hostChooses: true,
  });
  on.panel.onKey((key) => {
    if (session.at() === "idle") pad.keys = [...pad.keys, key].slice(-MOST_KEYS);
  });
  return {
    receive: (bytes) => receive(pad, bytes),
    connected: pad.line.fresh,
    disconnected: () => toIdle(pad),
    powerOn: () => {
      toIdle(pad);
      pad.keys = [];
    },
  };
}

const MOST_KEYS = 16;

function obey(pad: Pad, frame: Frame): void {
  if (frame.command === CALL_BACK) {
    callBackAnswered(pad, frame);
    return;
  }
  // The device runs one command at a time and ignores frames that come meanwhile (PROTOCOL.md 3.3).
  if (pad.busy !== undefined) return;
  pad.busy = frame;
  const name = nameOf(frame);
  if (name === undefined) reply(pad, UNSUPPORTED);
  else COMMANDS[name](pad, frame.data);
}

const CALL_BACK = 0xb0;

type Obey = (pad: Pad, data: Uint8Array) => void;

const done: Obey = (pad) => reply(pad);
const lengthAndText = (text: string): Uint8Array => concat(Uint8Array.of(text.length), fromAscii(text));

/** Boot 2, firmware 1.48, boards. */
const VERSIONS = fromHex("0201300102030400");
const TERMINAL_BYTES = 30;

const COMMANDS: Readonly<Record<CommandName, Obey>> = {
  ping: done,
  serial: (pad) => reply(pad, OK, lengthAndText(pad.on.serialNumber)),
  terminal: (pad) => reply(pad, OK, concat(Uint8Array.of(pad.code), new Uint8Array(TERMINAL_BYTES - 1))),
  versions: (pad) => reply(pad, OK, VERSIONS),
  "emv-version": (pad) => reply(pad, OK, lengthAndText("v6.14")),
  "ped-version": (pad) => reply(pad, OK, lengthAndText("1.02")),
  clock,
  "set-clock": setClock,
  ksn,
  "next-ksn": nextKsn,
  "clear-screen": (pad) => screen(pad, []),
  text,
  "flush-keys": (pad) => {
    pad.keys = [];
    reply(pad);
  },
  "key-hit": (pad) => reply(pad, OK, Uint8Array.of(pad.keys.length > 0 ? 0x00 : 0x01)),
  key: (pad) => {
    const [key, ...rest] = pad.keys;
    pad.keys = rest;
    reply(pad, OK, Uint8Array.of(key === undefined ? NO_KEY : codeOf(key)));
  },
  "stripe-on": (pad) => magstripe(pad, true),
  "stripe-off": (pad) => magstripe(pad, false),
  "stripe-reset": (pad) => {
    if (pad.card?.via === "magstripe") pad.card = undefined;
    reply(pad);
  },
  swiped,
  tracks,
  slot,
  init,
  "get-object": getObject,
  "set-object": setObject,
  "set-amount": setAmount,
  select,
  "read-records": readRecords,
  "authenticate-card": authenticateCard,
  start: startTransaction,
  complete: completeTransaction,
};

const NO_KEY = 0xff;
const WORDS: Readonly<Record<"ENTER" | "CANCEL" | "CLEAR", number>> = { ENTER: 0x0d, CANCEL: 0x1b, CLEAR: 0x08 };

function codeOf(key: Key): number {
  return key === "ENTER" || key === "CANCEL" || key === "CLEAR" ? WORDS[key] : key.charCodeAt(0);
}

/** Sunday is 7. */
function clock(pad: Pad): void {
  const now = pad.on.clock.now() + pad.clockAheadMs;
  const { date, time } = clockDigits(now);
  const day = new Date(now).getUTCDay();
  reply(pad, OK, fromHex(`${date}${time}0${day === 0 ? 7 : day}`));
}

function setClock(pad: Pad, data: Uint8Array): void {
  const digits = Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const told = data.length === 6 ? clockMs(digits.slice(0, 6), digits.slice(6)) : undefined;
  if (told !== undefined) pad.clockAheadMs = told - pad.on.clock.now();
  reply(pad, told === undefined ? PARAMETER : OK);
}

function text(pad: Pad, data: Uint8Array): void {
  const [length = 0] = data;
  // Commands for position, font and inversion are not part of the text (PROTOCOL.md 4.8).
  const shown = ascii(data.subarray(1, 1 + length)).replace(/%P[0-9A-F]{4}|%[FR][0-9]/g, "");
  screen(pad, shown.split("\n"));
}

function screen(pad: Pad, lines: readonly string[]): void {
  const { capabilities, panel } = pad.on;
  if (capabilities.display && pad.session().at() !== "busy") {
    if (lines.length === 0) panel.show([]);
    else showHostText(panel, lines);
  }
  reply(pad, capabilities.display ? OK : UNSUPPORTED);
}

function magstripe(pad: Pad, isOpen: boolean): void {
  pad.isMagstripeOpen = isOpen;
  pad.session().listenToMagstripe(isOpen);
  reply(pad);
}

/** Ends the current work after a lost link or a power cycle. */
function toIdle(pad: Pad): void {
  pad.line.fresh();
  pad.busy = undefined;
  pad.set = new Map();
  pad.amount = undefined;
  pad.card = undefined;
  pad.objects = [];
  pad.isMagstripeOpen = false;
  pad.session().reset();
}
