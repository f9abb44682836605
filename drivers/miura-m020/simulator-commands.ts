import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";
import type { Apdu } from "./apdu.ts";
import { EXTENDED_APDU, tags } from "./message.ts";
import { forget } from "./simulator-chip.ts";
import { configurationFiles, deviceInfo, itemTlv, software } from "./simulator-configuration.ts";
import { ANSWER_MS, EMPTY, type Miura, reply, replyObjects, soon, tell } from "./simulator-core.ts";
import { clockDigits, clockMs, commandObjects } from "./simulator-request.ts";
import { secureData } from "./simulator-secure-data.ts";
import { cardShown, onlinePin, startContactless } from "./simulator-tap.ts";
import { continueTransaction, startTransaction } from "./simulator-transaction.ts";

export const UNKNOWN_COMMAND = "9F0D";
const INVALID = "9F14";

/** DFAE01: PIN key and SRED key ready. */
const KEYS_READY = 0x06;
const CHARGED = 0x02;

type Run = (miura: Miura, command: Apdu) => void;

const items = (list: typeof deviceInfo): readonly Tlv[] => list.map((item) => itemTlv("ED", item));

/** Every command this device knows, by class and instruction: those of PROTOCOL.md 3.3, and D062, D064 as the maker's SDK has them. ABORT overtakes and is not here. */
const COMMANDS: Readonly<Record<string, Run>> = {
  D000: reset,
  D001: (miura) => replyObjects(miura, items(configurationFiles)),
  D002: (miura) => replyObjects(miura, items(deviceInfo)),
  D010: (miura, { data }) => (data.length === 0 ? readClock(miura) : setClock(miura, data)),
  D060: cardStatus,
  D061: keyboardStatus,
  D062: (miura, { p1 }) => (p1 === 0x00 ? battery(miura) : reply(miura, EMPTY)),
  D064: (miura) => replyObjects(miura, [slotStatus(miura)]),
  D201: display,
  D2E0: (miura, command) => secureData(miura.chip, command),
  DEC1: (miura, { data }) => startContactless(miura.chip, data),
  DED1: (miura, { data }) => startTransaction(miura.chip, data),
  DED2: (miura, { data }) => continueTransaction(miura.chip, data),
  DED6: (miura, { data }) => onlinePin(miura.chip, data),
  EEE0: (miura) => replyObjects(miura, [{ tag: tags.p2peStatus, value: Uint8Array.of(KEYS_READY) }]),
};

export function commandCode({ cla, ins }: Apdu): string {
  return toHex(Uint8Array.of(cla, ins));
}

/** Works on one command; the answer follows by itself. */
export function run(miura: Miura, command: Apdu): void {
  const code = commandCode(command);
  const known = Object.hasOwn(COMMANDS, code) ? COMMANDS[code] : undefined;
  if (known === undefined) reply(miura, EMPTY, UNKNOWN_COMMAND);
  else known(miura, command);
}

/** Soft reset ends whatever runs and answers who the device is; the link stays. Hard reset restarts the device behind its answer. */
function reset(miura: Miura, { p1 }: Apdu): void {
  miura.isReporting = false;
  miura.hasKeyEvents = false;
  miura.chip.reportsTracks = false;
  forget(miura.chip);
  miura.on.panel.show([]);
  const serial = { tag: tags.serialNumber, value: fromAscii(miura.on.serialNumber) };
  replyObjects(miura, [serial, ...software.map((item) => itemTlv("EF", item)), itemTlv("ED", { name: EXTENDED_APDU })]);
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

/** The one command without an answer of its own: the slot's state follows as an event (PROTOCOL.md 4.5). */
function cardStatus(miura: Miura, { p1 }: Apdu): void {
  miura.isReporting = (p1 & 0x01) !== 0;
  miura.chip.reportsTracks = (p1 & TRACKS) !== 0;
  miura.isBusy = false;
  soon(miura, ANSWER_MS, () => reportSlot(miura));
  soon(miura, ANSWER_MS, () => cardShown(miura.chip));
  soon(miura, 0, miura.next);
}

function slotStatus(miura: Miura): Tlv {
  const card = miura.on.panel.card();
  const slot = card === undefined ? 0x00 : card.profile.chip === "none" ? 0x01 : 0x03;
  return { tag: tags.cardStatus, value: Uint8Array.of(slot, 0x00) };
}

export function reportSlot(miura: Miura): void {
  tell(miura, "E1", [slotStatus(miura)]);
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

/** Screen texts by which a person knows what to do; everything else on the display is for reading only. */
const ASKS_FOR_CARD = /\b(insert|present)\b/i;
const ASKS_FOR_STRIPE = /\bswipe\b/i;
const ASKS_FOR_REMOVAL = /\b(remove|take)\b/i;

/** The host draws the display, so the person before the terminal goes by its words: a card is wanted for as long as they ask for it, and no longer. */
function display(miura: Miura, { data }: Apdu): void {
  const { panel } = miura.on;
  const lines = ascii(data).split("\n");
  panel.show(lines);
  const text = lines.join(" ");
  const isEmpty = panel.card() === undefined;
  if (ASKS_FOR_REMOVAL.test(text)) panel.wishFor(isEmpty ? undefined : "removal");
  else if (isEmpty) panel.wishFor(ASKS_FOR_CARD.test(text) ? "card" : ASKS_FOR_STRIPE.test(text) ? "swipe" : undefined);
  reply(miura, EMPTY);
}
