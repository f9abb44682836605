import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";
import { showHostText } from "../../src/simulator/host-text.ts";
import { clockDigits, clockMs } from "../../src/simulator/request-text.ts";
import type { Apdu } from "../vipa/apdu.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { ANSWER_MS, EMPTY, runBy, soon } from "../vipa/simulator-core.ts";
import { EXTENDED_APDU, tags } from "./message.ts";
import { reportSlot, slotStatus } from "./simulator-answer.ts";
import { configurationFiles, deviceInfo, itemTlv, software } from "./simulator-configuration.ts";
import { type Miura, reply, replyObjects } from "./simulator-core.ts";
import { commandObjects } from "./simulator-request.ts";
import {
  continueTransaction,
  onlinePin,
  secureData,
  startContactless,
  startTransaction,
} from "./simulator-transaction.ts";

export const UNKNOWN_COMMAND = "9F0D";
const INVALID = "9F14";

/** DFAE01: PIN key and SRED key are ready. */
const KEYS_READY = 0x06;
const CHARGED = 0x02;

type Run = (miura: Miura, command: Apdu) => void;

const items = (list: typeof deviceInfo): readonly Tlv[] => list.map((item) => itemTlv("ED", item));

/** Constant answers are encoded once: a host asks for them at each connection. */
const CONFIGURATION = encodeTemplate("E1", items(configurationFiles));
const INFO = encodeTemplate("E1", items(deviceInfo));
const SOFTWARE: readonly Tlv[] = [
  ...software.map((item) => itemTlv("EF", item)),
  itemTlv("ED", { name: EXTENDED_APDU }),
];

/**
 * Commands of this device, by class and instruction: PROTOCOL.md 3.3, and D062 and D064 from the maker's SDK. ABORT
 * overtakes and is handled elsewhere.
 */
const COMMANDS: Readonly<Record<string, Run>> = {
  D000: reset,
  D001: (miura) => reply(miura, CONFIGURATION),
  D002: (miura) => reply(miura, INFO),
  D010: (miura, { data }) => (data.length === 0 ? readClock(miura) : setClock(miura, data)),
  D060: cardStatus,
  D061: keyboardStatus,
  D062: (miura, { p1 }) => (p1 === 0x00 ? battery(miura) : reply(miura, EMPTY)),
  D064: (miura) => replyObjects(miura, [slotStatus(miura)]),
  D201: display,
  D2E0: secureData,
  DEC1: (miura, { data }) => startContactless(miura, data),
  DED1: (miura, { data }) => startTransaction(miura, data),
  DED2: (miura, { data }) => continueTransaction(miura, data),
  DED6: (miura, { data }) => onlinePin(miura, data),
  EEE0: (miura) => replyObjects(miura, [{ tag: tags.p2peStatus, value: Uint8Array.of(KEYS_READY) }]),
};

/** Runs one command and sends its answer. */
export const run = runBy<Miura>(COMMANDS, (miura) => reply(miura, EMPTY, UNKNOWN_COMMAND));

/**
 * A soft reset ends all work and returns the device list; the link stays. A hard reset restarts the device after its
 * answer.
 */
function reset(miura: Miura, { p1 }: Apdu): void {
  miura.isReporting = false;
  miura.hasKeyEvents = false;
  miura.session.listenToMagstripe(false);
  miura.session.stop("released");
  miura.held = "nobody";
  miura.on.panel.show([]);
  const serial = { tag: tags.serialNumber, value: fromAscii(miura.on.serialNumber) };
  replyObjects(miura, [serial, ...SOFTWARE]);
  if (p1 === 0x01) soon(miura, ANSWER_MS * 2, miura.on.restart);
}

function readClock(miura: Miura): void {
  const { date, time } = clockDigits(miura.on.clock.now() + miura.clockOffsetMs);
  replyObjects(miura, [
    { tag: "9A", value: fromHex(date) },
    { tag: "9F21", value: fromHex(time) },
  ]);
}

function setClock(miura: Miura, data: Uint8Array): void {
  const objects = commandObjects(data);
  const digits = (tag: string): string => toHex((objects.ok && findTag(objects.value, tag)) || EMPTY);
  const wanted = clockMs(digits("9A"), digits("9F21"));
  if (wanted !== undefined) miura.clockOffsetMs = wanted - miura.on.clock.now();
  reply(miura, EMPTY, wanted === undefined ? INVALID : undefined);
}

/** CARD STATUS P1: track 1 or track 2 of a swipe. */
const TRACKS = 0x0c;

/** The only command without an answer: the slot state follows as an event (PROTOCOL.md 4.5). */
function cardStatus(miura: Miura, { p1 }: Apdu): void {
  miura.isReporting = (p1 & 0x01) !== 0;
  miura.isBusy = false;
  soon(miura, ANSWER_MS, () => reportSlot(miura));
  soon(miura, ANSWER_MS, () => miura.session.listenToMagstripe((p1 & TRACKS) !== 0));
  soon(miura, 0, miura.next);
}

function keyboardStatus(miura: Miura, { p1 }: Apdu): void {
  if (p1 !== 0xff) miura.hasKeyEvents = p1 === 0x01;
  reply(miura, EMPTY);
}

function battery(miura: Miura): void {
  replyObjects(miura, [
    { tag: "DFA20A", value: Uint8Array.of(100) },
    { tag: "DFA209", value: Uint8Array.of(CHARGED) },
  ]);
}

function display(miura: Miura, { data }: Apdu): void {
  showHostText(miura.on.panel, ascii(data).split("\n"));
  reply(miura, EMPTY);
}
