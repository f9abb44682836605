import { encodeTlv, encodeTlvs } from "../../src/emv/tlv.ts";
import { fromHex } from "../../src/kit/hex.ts";
import type { Apdu } from "../vipa/apdu.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { EMPTY } from "../vipa/simulator-core.ts";
import { tags } from "./message.ts";
import { pinObjects } from "./simulator-answer.ts";
import { accept, type Open, reply, tellSoon, toNobody, type Verifone } from "./simulator-core.ts";
import { continueRequest, decisionIn, pinRequest, startRequest } from "./simulator-request.ts";

/** Command out of order. */
const WRONG_ORDER = "9F24";
const NOT_READY = "9F22";
/** The device sets no limit for a card in the slot; the host does. */
const UNLIMITED_MS = 600_000;

/** Starts an open command, which the session's outcome will answer. A refused one is answered at once. */
function opened(verifone: Verifone, open: Open, begin: () => boolean): void {
  verifone.open = open;
  if (!begin()) reply(verifone, EMPTY, WRONG_ORDER);
}

export function startTransaction(verifone: Verifone, { data }: Apdu): void {
  const { session, on } = verifone;
  const request = startRequest(data);
  if (session.at() !== "idle" || verifone.held !== "nobody") reply(verifone, EMPTY, WRONG_ORDER);
  else if (!request.ok) reply(verifone, EMPTY, request.statusWord);
  else if (on.panel.card() === undefined) reply(verifone, EMPTY, "9F23");
  else {
    verifone.kind = request.value.type;
    opened(verifone, "start", () => session.begin(request.value, { chip: true }, UNLIMITED_MS));
  }
}

/** CONTINUE TRANSACTION after the card's data, or after its first cryptogram (PROTOCOL.md 7.3 and 7.5). */
export function continueTransaction(verifone: Verifone, { data }: Apdu): void {
  switch (verifone.held) {
    case "decision":
      decided(verifone, data);
      break;
    case "chip":
      completed(verifone, data);
      break;
    case "nobody":
    case "tap":
      reply(verifone, EMPTY, WRONG_ORDER);
      break;
  }
}

const REFUND = "20";

/** C0 00 requests an AAC. These cards give one only for a refund; for other transactions it ends the transaction. */
function decided(verifone: Verifone, data: Uint8Array): void {
  const decision = decisionIn(data);
  if (!decision.ok) {
    reply(verifone, EMPTY, decision.statusWord);
    return;
  }
  if (!decision.value && verifone.kind !== REFUND) {
    verifone.session.stop("released");
    toNobody(verifone);
    reply(verifone, encodeTemplate("E5", []));
    return;
  }
  verifone.held = "nobody";
  opened(verifone, "first", () => verifone.session.proceed());
}

function completed(verifone: Verifone, data: Uint8Array): void {
  const host = continueRequest(data);
  if (!host.ok) reply(verifone, EMPTY, host.statusWord);
  else opened(verifone, "second", () => verifone.session.complete(host.value));
}

const USUAL_TAP_SECONDS = 30;

/** START CONTACTLESS: answered at once; the result follows unsolicited (PROTOCOL.md 7.10). */
export function startContactless(verifone: Verifone, { p2, data }: Apdu): void {
  const { session } = verifone;
  const request = startRequest(data);
  if (!verifone.isReaderOpen) reply(verifone, EMPTY, NOT_READY);
  else if (session.at() !== "idle" || verifone.held !== "nobody") reply(verifone, EMPTY, WRONG_ORDER);
  else if (!request.ok) reply(verifone, EMPTY, request.statusWord);
  else {
    accept(verifone, "tap");
    // A card that is already at the reader is read inside this call, and reported after the answer.
    session.begin(request.value, { tap: true }, (p2 === 0 ? USUAL_TAP_SECONDS : p2) * 1000);
  }
}

/** CONTINUE CONTACTLESS: answered at once; the result follows unsolicited. */
export function continueContactless(verifone: Verifone, { data }: Apdu): void {
  const host = continueRequest(data);
  if (verifone.held !== "tap") reply(verifone, EMPTY, WRONG_ORDER);
  else if (!host.ok) reply(verifone, EMPTY, host.statusWord);
  else {
    accept(verifone, "tap-end");
    verifone.session.complete(host.value);
  }
}

const READER_LEFT = 0xfb;

/** CANCEL CONTACTLESS: the answer, then the end of the running transaction as a bare return code (PROTOCOL.md 7.10). */
export function cancelContactless(verifone: Verifone): void {
  const isRunning = verifone.open === "tap" && verifone.session.at() === "waiting";
  reply(verifone, EMPTY);
  if (!isRunning) return;
  verifone.session.stop("kept");
  verifone.open = "none";
  tellSoon(
    verifone,
    encodeTlv(tags.returnCode, Uint8Array.of(READER_LEFT)),
    undefined,
    verifone.times.plainMs + verifone.times.readerEndMs,
  );
}

/** ONLINE PIN for the card that was read last (PROTOCOL.md 7.12). */
export function onlinePin(verifone: Verifone, { p1, data }: Apdu): void {
  const { session } = verifone;
  const request = pinRequest(data);
  verifone.pinHost = p1;
  if (!request.ok) {
    reply(verifone, EMPTY, request.statusWord);
    return;
  }
  const command = request.value;
  if (command.is === "fetch") {
    const { pin } = verifone;
    verifone.pin = undefined;
    if (pin === undefined) reply(verifone, EMPTY, NOT_READY);
    else reply(verifone, encodeTemplate("E0", pinObjects(pin, p1)));
    return;
  }
  const isFree = session.at() === "idle" || session.at() === "held";
  if (!isFree) reply(verifone, EMPTY, WRONG_ORDER);
  else opened(verifone, "pin", () => session.askPin(command.amount, command.seconds * 1000));
}

/** A keyed entry has no amount yet. */
const NO_AMOUNT = { type: "00", amount: "000000000000", currency: "0978", date: "000101", time: "000000" } as const;
const TYPING_MS = 60_000;

/** MANUAL PAN (PROTOCOL.md 7.13). */
export function manualPan(verifone: Verifone): void {
  if (verifone.session.at() !== "idle") reply(verifone, EMPTY, WRONG_ORDER);
  else opened(verifone, "keyed", () => verifone.session.begin(NO_AMOUNT, { keyed: true }, TYPING_MS));
}

const KEY = fromHex("FFFF9876543210E00000");
/** A new device uses an initialisation vector for card data (PROTOCOL.md 4.6). */
const KEY_VECTOR = fromHex("ED02AA537757D99F");

/** GET SECURITY CONFIGURATION: the PIN key of host 05 or 02 in slot 01, the card data key in slot 00. */
export function keyStatus(verifone: Verifone, { p2 }: Apdu): void {
  if (p2 === 0x01 && verifone.on.capabilities.onlinePin)
    reply(verifone, encodeTlvs([{ tag: tags.pinKsn, value: KEY }]));
  else if (p2 === 0x00)
    reply(
      verifone,
      encodeTlvs([
        { tag: tags.sealedKsn, value: KEY },
        { tag: tags.sealedIv, value: KEY_VECTOR },
      ]),
    );
  else reply(verifone, EMPTY, "9F19");
}
