import { encodeTlv, encodeTlvs } from "../../src/emv/tlv.ts";
import { fromHex } from "../../src/kit/hex.ts";
import type { Apdu } from "./apdu.ts";
import { encodeTemplate, tags } from "./message.ts";
import { pinObjects } from "./simulator-answer.ts";
import { accept, EMPTY, type Open, reply, tellSoon, toNobody, type Vipa } from "./simulator-core.ts";
import { continueRequest, decisionIn, pinRequest, startRequest } from "./simulator-request.ts";

/** Out of order. */
const WRONG_ORDER = "9F24";
const NOT_READY = "9F22";
/** The device's own limit for a card in the slot is the host's. */
const UNLIMITED_MS = 600_000;

/** The open command is answered by what the session says; one that it does not take is answered at once. */
function opened(vipa: Vipa, open: Open, begin: () => boolean): void {
  vipa.open = open;
  if (!begin()) reply(vipa, EMPTY, WRONG_ORDER);
}

/** START TRANSACTION. */
export function startTransaction(vipa: Vipa, { data }: Apdu): void {
  const { session, on } = vipa;
  const request = startRequest(data);
  if (session.at() !== "idle" || vipa.held !== "nobody") reply(vipa, EMPTY, WRONG_ORDER);
  else if (!request.ok) reply(vipa, EMPTY, request.statusWord);
  else if (on.panel.card() === undefined) reply(vipa, EMPTY, "9F23");
  else {
    vipa.kind = request.value.type;
    opened(vipa, "start", () => session.begin(request.value, { chip: true }, UNLIMITED_MS));
  }
}

/** CONTINUE TRANSACTION: upon the card's data, or upon its first cryptogram (PROTOCOL.md 7.3 and 7.5). */
export function continueTransaction(vipa: Vipa, { data }: Apdu): void {
  switch (vipa.held) {
    case "decision":
      decided(vipa, data);
      break;
    case "chip":
      completed(vipa, data);
      break;
    case "nobody":
    case "tap":
      reply(vipa, EMPTY, WRONG_ORDER);
      break;
  }
}

const REFUND = "20";

/** C0 00 asks for an AAC, which these cards are asked for only where money is given back; for any other card it ends the transaction. */
function decided(vipa: Vipa, data: Uint8Array): void {
  const decision = decisionIn(data);
  if (!decision.ok) {
    reply(vipa, EMPTY, decision.statusWord);
    return;
  }
  if (!decision.value && vipa.kind !== REFUND) {
    vipa.session.stop("released");
    toNobody(vipa);
    reply(vipa, encodeTemplate("E5", []));
    return;
  }
  vipa.held = "nobody";
  opened(vipa, "first", () => vipa.session.proceed());
}

function completed(vipa: Vipa, data: Uint8Array): void {
  const host = continueRequest(data);
  if (!host.ok) reply(vipa, EMPTY, host.statusWord);
  else opened(vipa, "second", () => vipa.session.complete(host.value));
}

const USUAL_TAP_SECONDS = 30;

/** START CONTACTLESS: answered at once; what comes of it follows unasked (PROTOCOL.md 7.10). */
export function startContactless(vipa: Vipa, { p2, data }: Apdu): void {
  const { session } = vipa;
  const request = startRequest(data);
  if (!vipa.isReaderOpen) reply(vipa, EMPTY, NOT_READY);
  else if (session.at() !== "idle" || vipa.held !== "nobody") reply(vipa, EMPTY, WRONG_ORDER);
  else if (!request.ok) reply(vipa, EMPTY, request.statusWord);
  else {
    accept(vipa, "tap");
    // Whatever is held to the reader already is read in there, and told after the answer.
    session.begin(request.value, { tap: true }, (p2 === 0 ? USUAL_TAP_SECONDS : p2) * 1000);
  }
}

/** CONTINUE CONTACTLESS: likewise. */
export function continueContactless(vipa: Vipa, { data }: Apdu): void {
  const host = continueRequest(data);
  if (vipa.held !== "tap") reply(vipa, EMPTY, WRONG_ORDER);
  else if (!host.ok) reply(vipa, EMPTY, host.statusWord);
  else {
    accept(vipa, "tap-end");
    vipa.session.complete(host.value);
  }
}

const READER_LEFT = 0xfb;

/** CANCEL CONTACTLESS: its answer, and then the end of what ran, a return code alone (PROTOCOL.md 7.10). */
export function cancelContactless(vipa: Vipa): void {
  const isRunning = vipa.open === "tap" && vipa.session.at() === "waiting";
  reply(vipa, EMPTY);
  if (!isRunning) return;
  vipa.session.stop("kept");
  vipa.open = "none";
  tellSoon(vipa, encodeTlv(tags.returnCode, Uint8Array.of(READER_LEFT)), undefined, vipa.times.plainMs + vipa.times.readerEndMs);
}

/** ONLINE PIN: for the card that was read last (PROTOCOL.md 7.12). */
export function onlinePin(vipa: Vipa, { p1, data }: Apdu): void {
  const { session } = vipa;
  const request = pinRequest(data);
  vipa.pinHost = p1;
  if (!request.ok) {
    reply(vipa, EMPTY, request.statusWord);
    return;
  }
  const command = request.value;
  if (command.is === "fetch") {
    const { pin } = vipa;
    vipa.pin = undefined;
    if (pin === undefined) reply(vipa, EMPTY, NOT_READY);
    else reply(vipa, encodeTemplate("E0", pinObjects(pin, p1)));
    return;
  }
  const isFree = session.at() === "idle" || session.at() === "held";
  if (!isFree) reply(vipa, EMPTY, WRONG_ORDER);
  else opened(vipa, "pin", () => session.askPin(command.amount, command.seconds * 1000));
}

/** The number's own transaction has no amount yet. */
const NO_AMOUNT = { type: "00", amount: "000000000000", currency: "0978", date: "000101", time: "000000" } as const;
const TYPING_MS = 60_000;

/** MANUAL PAN (PROTOCOL.md 7.13). */
export function manualPan(vipa: Vipa): void {
  if (vipa.session.at() !== "idle") reply(vipa, EMPTY, WRONG_ORDER);
  else opened(vipa, "keyed", () => vipa.session.begin(NO_AMOUNT, { keyed: true }, TYPING_MS));
}

const KEY = fromHex("FFFF9876543210E00000");
/** As delivered, a device has a vector for card data (PROTOCOL.md 4.6). */
const KEY_VECTOR = fromHex("ED02AA537757D99F");

/** GET SECURITY CONFIGURATION: the PIN key of host 05 or 02 in slot 01, the card data key in slot 00. */
export function keyStatus(vipa: Vipa, { p2 }: Apdu): void {
  if (p2 === 0x01 && vipa.on.capabilities.onlinePin) reply(vipa, encodeTlvs([{ tag: tags.pinKsn, value: KEY }]));
  else if (p2 === 0x00)
    reply(
      vipa,
      encodeTlvs([
        { tag: tags.sealedKsn, value: KEY },
        { tag: tags.sealedIv, value: KEY_VECTOR },
      ]),
    );
  else reply(vipa, EMPTY, "9F19");
}
