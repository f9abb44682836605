import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import { serviceCodeOf } from "../../src/emv/service-code.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { concat, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { clockDigits } from "../../src/simulator/request-text.ts";
import type { CardOutcome, CompletedCard, Failure, ReadCard } from "../../src/simulator/session-contract.ts";
import { type Attributed, encodeAttributed } from "./attributed.ts";
import { tags } from "./message.ts";
import { ANSWER_MS, EMPTY, type Neo, type Running, reply, soon, tell } from "./simulator-core.ts";
import {
  activateRequest,
  authenticateRequest,
  completeRequest,
  type Polling,
  startRequest,
} from "./simulator-request.ts";
import {
  BAD_PARAMETER,
  CARD_INSERTED,
  FAILED,
  KEY_USED_UP,
  MORE_FOLLOWS,
  NOT_ALLOWED,
  OK,
  ONLINE_WANTED,
  SUB_COMMAND_NOT_ALLOWED,
  TIMEOUT,
} from "./status-codes.ts";

/* The device's transaction commands and card answers (PROTOCOL.md 4 and 6). */

const object = (tag: string, hex: string): Attributed => ({ tag, value: fromHex(hex), form: "plain" });
const body = (attribution: string, objects: readonly Attributed[]): Uint8Array =>
  concat(fromHex(attribution), encodeAttributed(objects));

const CONTACT = "C0";
const CONTACT_TDES = object(tags.attribution, "E000");
const CONTACT_ENTRY = object("9F39", "05");

/** 02-40. */
export function activate(neo: Neo, data: Uint8Array): void {
  begin(neo, 0x02, activateRequest(data));
}

/** 60-10: the first answer comes at once. */
export function startContact(neo: Neo, data: Uint8Array): void {
  if (neo.on.capabilities.interfaces.includes("chip")) begin(neo, 0x60, startRequest(data));
  else reply(neo, 0x60, SUB_COMMAND_NOT_ALLOWED);
}

function begin(neo: Neo, by: Running["by"], polling: Polling | undefined): void {
  if (polling === undefined) {
    reply(neo, by, BAD_PARAMETER);
    return;
  }
  if (by === 0x60) reply(neo, by, MORE_FOLLOWS);
  waitForCard(neo, { by, polling, endsAt: neo.on.clock.monotonic() + polling.seconds * 1000, output: polling.output });
}

function waitForCard(neo: Neo, running: Running): void {
  const { clock, capabilities } = neo.on;
  const { request, ways } = running.polling;
  const has = (way: "chip" | "contactless" | "stripe"): boolean => capabilities.interfaces.includes(way);
  const open = {
    chip: ways.chip === true && has("chip"),
    tap: ways.tap === true && has("contactless"),
    magstripe: ways.magstripe === true && has("stripe"),
  };
  neo.running = running;
  neo
    .session()
    .begin({ ...request, ...clockDigits(clock.now()) }, open, Math.max(0, running.endsAt - clock.monotonic()));
}

/** 60-11. */
export function authenticate(neo: Neo, data: Uint8Array): void {
  const output = authenticateRequest(data);
  const { running } = neo;
  if (neo.session().at() !== "busy" || running === undefined) reply(neo, 0x60, NOT_ALLOWED);
  else if (output === undefined) reply(neo, 0x60, BAD_PARAMETER);
  else {
    neo.running = { ...running, by: 0x60, output };
    reply(neo, 0x60, neo.session().proceed() ? MORE_FOLLOWS : NOT_ALLOWED);
  }
}

/** 60-12. */
export function completeTransaction(neo: Neo, data: Uint8Array): void {
  const host = completeRequest(data);
  if (neo.session().at() !== "held") reply(neo, 0x60, NOT_ALLOWED);
  else if (host === undefined) reply(neo, 0x60, BAD_PARAMETER);
  else {
    reply(neo, 0x60, MORE_FOLLOWS);
    neo.session().complete(host);
  }
}

/**
 * 05-01 is answered at once. A real device may or may not also answer the cancelled command (PROTOCOL.md 6.6), so the
 * simulator picks at random.
 */
export function cancel(neo: Neo): void {
  reply(neo, 0x05);
  neo.session().abort();
}

/** The host's choice from a menu. */
export function chosen(neo: Neo, data: Uint8Array): void {
  const [mode, line = 0] = data;
  if (mode === 0x01) neo.session().choose(line);
}

/** Ends the running command with a result code and its objects. */
function result(neo: Neo, code: string, more: readonly Attributed[] = []): void {
  reply(neo, neo.running?.by ?? 0x60, OK, body(CONTACT, [object(tags.result, code), ...more]));
}

export function cardSays(neo: Neo, outcome: CardOutcome): void {
  switch (outcome.is) {
    case "inserted":
      inserted(neo);
      break;
    case "removed":
      tellSlot(neo);
      break;
    case "choose":
      menu(neo, outcome.applications);
      break;
    case "selected":
      result(neo, "0010", [
        ...told(outcome.profile, outcome.data, []).filter(({ tag }) => tag === "4F" || tag === "50"),
        CONTACT_TDES,
      ]);
      break;
    case "read":
      read(neo, outcome);
      break;
    case "completed":
      completed(neo, outcome);
      break;
    case "failed":
      failed(neo, outcome.why);
      break;
    case "see-phone":
    case "enter-pin":
    case "pin-typed":
    case "typed":
    case "pin":
      // Outcomes that concern only the device's own screen.
      break;
  }
}

export function tellSlot(neo: Neo): void {
  if (neo.tellsSlot) tell(neo, 0xf2, 0x00, Uint8Array.of(neo.on.panel.card() === undefined ? 0x00 : 0x01));
}

/** A card in the slot ends an activation that does not want a chip. */
function inserted(neo: Neo): void {
  const { running } = neo;
  tellSlot(neo);
  if (neo.session().at() !== "waiting" || running === undefined || running.polling.ways.chip) return;
  neo.session().stop("released");
  reply(neo, running.by, CARD_INSERTED);
}

/** A reader without a screen and keys sends the menu to its host (PROTOCOL.md 5.1). */
function menu(neo: Neo, applications: readonly string[]): void {
  if (neo.on.capabilities.onlinePin) return;
  const lines = applications.map((label, at) =>
    concat(Uint8Array.of(at + 1), fromAscii(label.slice(0, 16)), Uint8Array.of(0x1c)),
  );
  tell(
    neo,
    0x61,
    0x01,
    concat(
      Uint8Array.of(0x01),
      field(Uint8Array.of(30, 0)),
      field(fromAscii("EN")),
      field(concat(...lines)),
      field(EMPTY),
    ),
  );
}

const field = (value: Uint8Array): Uint8Array => concat(Uint8Array.of(value.length & 0xff, value.length >> 8), value);

const RESULTS = { online: "0004", "approved-offline": "0000", "declined-offline": "0001" } as const;

function read(neo: Neo, card: ReadCard): void {
  switch (card.via) {
    case "chip": {
      const [ksn, ...sensitive] = neo.sealed;
      const pin =
        card.pin === undefined
          ? []
          : [plainly({ tag: "99", value: card.pin.data }), plainly({ tag: tags.pinKsn, value: card.pin.ksn })];
      const objects = [
        ...(ksn === undefined ? [] : [ksn]),
        object(tags.result, RESULTS[card.decision]),
        CONTACT_TDES,
        ...sensitive,
        ...pin,
        CONTACT_ENTRY,
      ];
      reply(neo, 0x60, OK, body(CONTACT, [...objects, ...told(card.profile, card.data, neo.running?.output ?? [])]));
      break;
    }
    case "tap":
      // A tap leaves no card waiting on the device.
      neo.session().stop("released");
      tapped(neo, card);
      break;
    case "magstripe":
      swiped(neo, card.profile);
      break;
    case "keyed":
      break;
  }
}

/** Mastercard's kernel nests its data record in one object, after the outcome (PROTOCOL.md 4.2). */
function nested(data: readonly Attributed[]): readonly Attributed[] {
  return [object("DF8129", "30F0F000B0F0FF00"), { tag: "FF8105", value: encodeAttributed(data), form: "plain" }];
}

function tapped(neo: Neo, { profile, data, decision }: ReadCard): void {
  const more = told(profile, data, neo.running?.output ?? []);
  if (profile.tap === "magstripe") {
    reply(neo, 0x02, OK, body("F100", [...neo.sealed, object(tags.attribution, "F100"), ...more]));
    return;
  }
  const [ksn, ...sensitive] = neo.sealed;
  const objects = profile.brand === "mastercard" ? nested([...sensitive, ...more]) : [...sensitive, ...more];
  const head = [...(ksn === undefined ? [] : [ksn]), object(tags.attribution, "E100")];
  reply(neo, 0x02, decision === "online" ? ONLINE_WANTED : OK, body("E100", [...head, ...objects]));
}

const USE_CHIP_READER = 14;

/** A swiped chip card is sent to the slot if it is enabled (PROTOCOL.md 6.4). */
function swiped(neo: Neo, profile: CardProfile): void {
  const { running } = neo;
  if (running === undefined) return;
  const hasChip = serviceCodeOf(`=${profile.expiry.slice(0, 4)}${profile.serviceCode}`)?.hasChip === true;
  if (hasChip && running.polling.ways.chip) {
    const message = field(Uint8Array.of(0x81, USE_CHIP_READER, 0x1c));
    waitForCard(neo, running);
    tell(neo, 0x61, 0x01, concat(Uint8Array.of(0x03), field(EMPTY), field(fromAscii("EN")), message, field(EMPTY)));
  } else if (running.by === 0x60) reply(neo, 0x60, OK, body("C8", [object(tags.result, "0011"), ...neo.sealed]));
  else reply(neo, 0x02, OK, body("C8", [...neo.sealed, object("9F39", "90")]));
}

function completed(neo: Neo, { verdict, profile, data }: CompletedCard): void {
  if (neo.on.panel.card() === undefined) result(neo, "3005");
  else result(neo, verdict === "approved" ? "0002" : "0003", told(profile, data, ["8A", "9F5B"]));
}

/** A reader without a screen does not report a chip without an answer; a customer needs a moment to notice. */
const PUZZLED_MS = 1_000;

const FAILURES: Readonly<Partial<Record<Failure, string>>> = {
  unreadable: "0007",
  blocked: "5023",
  "insert-instead": "007D",
  pulled: "3005",
  cancelled: "0012",
  "pin-timeout": "0008",
};

function failed(neo: Neo, why: Failure): void {
  const by = neo.running?.by ?? 0x60;
  const code = FAILURES[why];
  if (why === "timeout") reply(neo, by, TIMEOUT);
  else if (why === "aborted") {
    const [coin = 0] = neo.on.random.bytes(1);
    if (coin % 2 === 0) reply(neo, by, FAILED, EMPTY, ANSWER_MS * 2);
  } else if (code === undefined) reply(neo, by, KEY_USED_UP);
  else result(neo, code);
  if (why === "unreadable") soon(neo, PUZZLED_MS, () => releaseCard(neo));
}

function releaseCard(neo: Neo): void {
  if (neo.session().at() === "idle" && neo.on.panel.card() !== undefined) neo.session().stop("released");
}

/** Tags sent by default, in this order; tags requested by the host follow. */
const USUAL =
  "4F 50 5F20 5F24 5F25 5F28 5F30 5F34 82 84 8E 95 9A 9B 9C 9F02 9F03 9F06 9F09 9F10 9F1A 9F1E 9F21 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F39 9F41".split(
    " ",
  );
const TWINS: readonly string[] = ["57", "5A"];

const plainly = ({ tag, value }: Tlv): Attributed => ({ tag, value, form: "plain" });

function told(profile: CardProfile, data: readonly Tlv[], wanted: readonly string[]): readonly Attributed[] {
  const byTag = new Map(data.map((one) => [one.tag, one]));
  const listed = [...new Set([...USUAL, ...wanted])].filter((tag) => !TWINS.includes(tag));
  const said = profile.says.map(([tag, value]) => object(tag, value));
  return [...listed.flatMap((tag) => byTag.get(tag) ?? []).map(plainly), ...said];
}
