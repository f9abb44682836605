import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import { showHostText } from "../../src/simulator/host-text.ts";
import { clockDigits, clockMs } from "../../src/simulator/request-text.ts";
import type { Apdu } from "./apdu.ts";
import { reportSlot } from "./simulator-answer.ts";
import {
  cancelContactless,
  continueContactless,
  continueTransaction,
  keyStatus,
  manualPan,
  onlinePin,
  startContactless,
  startTransaction,
} from "./simulator-card-commands.ts";
import { configurationAnswer, resetAnswer } from "./simulator-configuration.ts";
import { ANSWER_MS, EMPTY, reply, soon, toNobody, type Vipa } from "./simulator-core.ts";

const UNKNOWN_COMMAND = "9F0F";
const INVALID = "9F14";

type Run = (vipa: Vipa, command: Apdu) => void;

/** Every command this device knows, by class and instruction (PROTOCOL.md 3.3). ABORT overtakes and is not here. */
const COMMANDS: Readonly<Record<string, Run>> = {
  D000: reset,
  D001: (vipa) => reply(vipa, configurationAnswer),
  D060: cardStatus,
  D201: display,
  D214: manualPan,
  DD10: dateAndTime,
  DED1: startTransaction,
  DED2: continueTransaction,
  DED6: onlinePin,
  C000: (vipa) => reply(vipa, Uint8Array.of(hasReader(vipa) ? 0x01 : 0x00)),
  C001: openReader,
  C0A0: startContactless,
  C0A1: continueContactless,
  C0C0: cancelContactless,
  C411: keyStatus,
};

export function commandCode({ cla, ins }: Apdu): string {
  return toHex(Uint8Array.of(cla, ins));
}

/** Works on one command; the answer follows by itself. */
export function run(vipa: Vipa, command: Apdu): void {
  const code = commandCode(command);
  const known = Object.hasOwn(COMMANDS, code) ? COMMANDS[code] : undefined;
  if (known === undefined) reply(vipa, EMPTY, UNKNOWN_COMMAND);
  else known(vipa, command);
}

const REBOOT = 0x01;

/** Soft reset ends whatever runs, closes the reader and answers who the device is; the link stays. A reboot follows its answer. */
function reset(vipa: Vipa, { p1, p2 }: Apdu): void {
  vipa.isReporting = false;
  vipa.hasKeyEvents = false;
  vipa.isReaderOpen = false;
  vipa.session.listenToStripe(false);
  endAll(vipa);
  reply(vipa, resetAnswer(vipa.units, vipa.on.serialNumber, p2));
  if (p1 === REBOOT) soon(vipa, vipa.times.plainMs + ANSWER_MS, vipa.on.restart);
}

/** A card that waits is declined without a word, and may be taken out. */
function endAll(vipa: Vipa): void {
  toNobody(vipa);
  if (vipa.session.at() === "held") vipa.session.abort();
  vipa.session.stop("released");
}

const hasReader = ({ on }: Vipa): boolean => on.capabilities.interfaces.includes("contactless");

function openReader(vipa: Vipa): void {
  vipa.isReaderOpen = hasReader(vipa);
  reply(vipa, EMPTY, vipa.isReaderOpen ? undefined : UNKNOWN_COMMAND);
}

/** CARD STATUS P1: tracks 1 to 3 of a swipe. */
const TRACKS = 0x1c;

/** The state follows the answer, or stands for it (PROTOCOL.md 4.5). */
function cardStatus(vipa: Vipa, { p1, p2 }: Apdu): void {
  vipa.isReporting = (p1 & 0x01) !== 0;
  vipa.hasKeyEvents = (p2 & 0x01) !== 0;
  const [coin = 0] = vipa.on.random.bytes(1);
  if (vipa.isReporting && coin % 4 === 0) {
    soon(vipa, vipa.times.plainMs, () => {
      vipa.isBusy = false;
      reportSlot(vipa);
      vipa.next();
    });
  } else {
    reply(vipa, EMPTY);
    if (vipa.isReporting) soon(vipa, vipa.times.plainMs + 1, () => reportSlot(vipa));
  }
  soon(vipa, vipa.times.plainMs + 1, () => vipa.session.listenToStripe((p1 & TRACKS) !== 0));
}

const IDLE_LINES: readonly string[] = ["Welcome"];

/** The host draws the display, or has one of the device's own texts shown. */
function display(vipa: Vipa, { p1, data }: Apdu): void {
  const lines = p1 === 0x00 ? ascii(data).replaceAll("\t", "").split("\r") : p1 === 0x01 ? IDLE_LINES : [];
  if (vipa.on.capabilities.display) showHostText(vipa.on.panel, lines);
  reply(vipa, EMPTY);
}

/** P1 00 sets, 01 reads. */
function dateAndTime(vipa: Vipa, { p1, data }: Apdu): void {
  const { clock } = vipa.on;
  if (p1 === 0x01) {
    const { date, time } = clockDigits(clock.now() + vipa.clockOffsetMs);
    reply(vipa, fromAscii(`20${date}${time}`));
    return;
  }
  const [, date = "", time = ""] = /^20(\d{6})(\d{6})$/.exec(ascii(data)) ?? [];
  const wanted = clockMs(date, time);
  if (wanted !== undefined) vipa.clockOffsetMs = wanted - clock.now();
  reply(vipa, EMPTY, wanted === undefined ? INVALID : undefined);
}
