import { maskedPan } from "../../packages/sandbox/testbed/card-tracks.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import type { Apdu } from "../vipa/apdu.ts";
import { EMPTY } from "../vipa/simulator-core.ts";
import { tags } from "./message.ts";
import { sredObjects } from "./simulator-answer.ts";
import { miuraLayout } from "./simulator-configuration.ts";
import { type Miura, reply, replyObjects } from "./simulator-core.ts";
import { commandObjects, continueRequest, pinRequest, secondsIn, startRequest } from "./simulator-request.ts";

/* An accepted command stays open until the session's outcome answers it. A refused one is answered at once. */

const BUSY = "9F26";

export function startTransaction(miura: Miura, data: Uint8Array): void {
  const { session, on } = miura;
  const request = startRequest(data);
  if (session.at() !== "idle") reply(miura, EMPTY, BUSY);
  else if (!request.ok) reply(miura, EMPTY, request.statusWord);
  else if (on.panel.card() === undefined) reply(miura, EMPTY, "9F23");
  else {
    // The card is already in the slot, so there is no wait.
    miura.open = "start";
    session.begin(request.value, { chip: true }, 0);
  }
}

/** MPI-Dynamic.cfg: the reader's default wait, in seconds. */
const USUAL_TAP_SECONDS = 30;

/** START CONTACTLESS (PROTOCOL.md 7.10). */
export function startContactless(miura: Miura, data: Uint8Array): void {
  const { session, on } = miura;
  const request = startRequest(data);
  if (session.at() !== "idle") reply(miura, EMPTY, BUSY);
  else if (!request.ok) reply(miura, EMPTY, request.statusWord);
  else if (on.panel.card() !== undefined) reply(miura, EMPTY, "9F43");
  else {
    // A card that is already at the reader is read inside this call.
    miura.open = "tap";
    session.begin(request.value, { tap: true }, (secondsIn(data) ?? USUAL_TAP_SECONDS) * 1000);
  }
}

/** CONTINUE TRANSACTION: issuer authentication and second GENERATE AC. A reader accepts only the response code. */
export function continueTransaction(miura: Miura, data: Uint8Array): void {
  const host = continueRequest(data);
  if (miura.session.at() !== "held") reply(miura, EMPTY, "9F22");
  else if (!host.ok) reply(miura, EMPTY, host.statusWord);
  else {
    miura.open = "continue";
    miura.session.complete(host.value);
  }
}

/** ONLINE PIN for the card that was read last, which the host must name (PROTOCOL.md 7.12). */
export function onlinePin(miura: Miura, data: Uint8Array): void {
  const { session } = miura;
  const request = pinRequest(data);
  const card = session.lastCard();
  const isFree = session.at() === "idle" || (session.at() === "held" && miura.held === "tap");
  if (!isFree) reply(miura, EMPTY, BUSY);
  else if (!request.ok) reply(miura, EMPTY, request.statusWord);
  else if (card === undefined || !request.value.track.includes(maskedPan(card.pan, "*"))) reply(miura, EMPTY, "9F0F");
  else {
    miura.open = "pin";
    session.askPin(request.value);
  }
}

/** DFA210: elements that can be typed. */
const ELEMENTS = { 1: "number", 5: "expiry" } as const;

const USUAL_TYPING_SECONDS = 60;

/**
 * GET SECURE DATA (PROTOCOL.md 7.13): 00 clears the typed data, 01 takes one element, 02 returns all of it encrypted.
 */
export function secureData(miura: Miura, { p1, data }: Apdu): void {
  if (miura.session.at() !== "idle") reply(miura, EMPTY, BUSY);
  else if (p1 === 0x00) {
    miura.store = [];
    reply(miura, EMPTY);
  } else if (p1 === 0x01) typeElement(miura, data);
  else encryptTyped(miura);
}

function typeElement(miura: Miura, data: Uint8Array): void {
  const objects = commandObjects(data);
  const [element = 0] = (objects.ok && findTag(objects.value, tags.secureElement)) || [];
  if (element !== 1 && element !== 5) {
    reply(miura, EMPTY, "9F14");
    return;
  }
  miura.open = "secure-data";
  miura.session.type(ELEMENTS[element], (secondsIn(data) ?? USUAL_TYPING_SECONDS) * 1000);
}

function encryptTyped(miura: Miura): void {
  const { on, store } = miura;
  const sred = store.length === 0 ? undefined : on.secure.sealCard(miuraLayout, store);
  const number = findTag(store, tags.typedNumber);
  const typed: readonly Tlv[] =
    number === undefined ? [] : [{ tag: tags.typed, value: fromAscii(maskedPan(ascii(number), "*")) }];
  miura.session.stop("released");
  miura.store = [];
  if (sred === undefined) reply(miura, EMPTY, "9FE2");
  else replyObjects(miura, [...typed, ...sredObjects(sred)]);
}
