import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import { showHostText } from "../../src/simulator/host-text.ts";
import { clockDigits, clockMs } from "../../src/simulator/request-text.ts";
import type { Apdu } from "../vipa/apdu.ts";
import { ANSWER_MS, EMPTY, runBy, soon } from "../vipa/simulator-core.ts";
import { reportSlot } from "./simulator-answer.ts";
import { configurationAnswer, resetAnswer } from "./simulator-configuration.ts";
import { reply, toNobody, type Verifone } from "./simulator-core.ts";
import {
  cancelContactless,
  continueContactless,
  continueTransaction,
  keyStatus,
  manualPan,
  onlinePin,
  startContactless,
  startTransaction,
} from "./simulator-transaction.ts";

const UNKNOWN_COMMAND = "9F0F";
const INVALID = "9F14";

type Run = (verifone: Verifone, command: Apdu) => void;

/** Commands of this device, by class and instruction (PROTOCOL.md 3.3). ABORT overtakes and is handled elsewhere. */
const COMMANDS: Readonly<Record<string, Run>> = {
  D000: reset,
  D001: (verifone) => reply(verifone, configurationAnswer),
  D060: cardStatus,
  D201: display,
  D214: manualPan,
  DD10: dateAndTime,
  DED1: startTransaction,
  DED2: continueTransaction,
  DED6: onlinePin,
  C000: (verifone) => reply(verifone, Uint8Array.of(hasReader(verifone) ? 0x01 : 0x00)),
  C001: openReader,
  C0A0: startContactless,
  C0A1: continueContactless,
  C0C0: cancelContactless,
  C411: keyStatus,
};

/** Runs one command and sends its answer. */
export const run = runBy<Verifone>(COMMANDS, (verifone) => reply(verifone, EMPTY, UNKNOWN_COMMAND));

const REBOOT = 0x01;

/**
 * A soft reset ends all work, closes the reader and returns the device list; the link stays. A reboot follows the
 * answer.
 */
function reset(verifone: Verifone, { p1, p2 }: Apdu): void {
  verifone.isReporting = false;
  verifone.hasKeyEvents = false;
  verifone.isReaderOpen = false;
  verifone.session.listenToMagstripe(false);
  endAll(verifone);
  reply(verifone, resetAnswer(verifone.units, verifone.on.serialNumber, p2));
  if (p1 === REBOOT) soon(verifone, verifone.times.plainMs + ANSWER_MS, verifone.on.restart);
}

/** Declines a waiting card silently; the card may be removed. */
function endAll(verifone: Verifone): void {
  toNobody(verifone);
  if (verifone.session.at() === "held") verifone.session.abort();
  verifone.session.stop("released");
}

const hasReader = ({ on }: Verifone): boolean => on.capabilities.interfaces.includes("contactless");

function openReader(verifone: Verifone): void {
  verifone.isReaderOpen = hasReader(verifone);
  reply(verifone, EMPTY, verifone.isReaderOpen ? undefined : UNKNOWN_COMMAND);
}

/** CARD STATUS P1: tracks 1 to 3 of a swipe. */
const TRACKS = 0x1c;

/** The state follows the answer, or replaces it (PROTOCOL.md 4.5). */
function cardStatus(verifone: Verifone, { p1, p2 }: Apdu): void {
  verifone.isReporting = (p1 & 0x01) !== 0;
  verifone.hasKeyEvents = (p2 & 0x01) !== 0;
  const [coin = 0] = verifone.on.random.bytes(1);
  if (verifone.isReporting && coin % 4 === 0) {
    soon(verifone, verifone.times.plainMs, () => {
      verifone.isBusy = false;
      reportSlot(verifone);
      verifone.next();
    });
  } else {
    reply(verifone, EMPTY);
    if (verifone.isReporting) soon(verifone, verifone.times.plainMs + 1, () => reportSlot(verifone));
  }
  soon(verifone, verifone.times.plainMs + 1, () => verifone.session.listenToMagstripe((p1 & TRACKS) !== 0));
}

const IDLE_LINES: readonly string[] = ["Welcome"];

/** Shows the host's text, or one of the device's own. */
function display(verifone: Verifone, { p1, data }: Apdu): void {
  const lines = p1 === 0x00 ? ascii(data).replaceAll("\t", "").split("\r") : p1 === 0x01 ? IDLE_LINES : [];
  if (verifone.on.capabilities.display) showHostText(verifone.on.panel, lines);
  reply(verifone, EMPTY);
}

/** P1 00 sets, 01 reads. */
function dateAndTime(verifone: Verifone, { p1, data }: Apdu): void {
  const { clock } = verifone.on;
  if (p1 === 0x01) {
    const { date, time } = clockDigits(clock.now() + verifone.clockOffsetMs);
    reply(verifone, fromAscii(`20${date}${time}`));
    return;
  }
  const [, date = "", time = ""] = /^20(\d{6})(\d{6})$/.exec(ascii(data)) ?? [];
  const wanted = clockMs(date, time);
  if (wanted !== undefined) verifone.clockOffsetMs = wanted - clock.now();
  reply(verifone, EMPTY, wanted === undefined ? INVALID : undefined);
}
