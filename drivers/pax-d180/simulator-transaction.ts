import { applicationsOf } from "../../packages/sandbox/testbed/card.ts";
import type { HostAnswer } from "../../packages/sandbox/testbed/contact-kernel.ts";
import { findTag, parseTlv } from "../../src/emv/tlv.ts";
import { concat, fromAscii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import { clockDigits } from "../../src/simulator/request-text.ts";
import type { CardOutcome, Failure, ReadCard } from "../../src/simulator/session-contract.ts";
import type { Frame } from "./frame.ts";
import { callBackFrame, word, wordIn } from "./message.ts";
import { AAC, AAC_OF_HOST, ARQC, TC } from "./outcomes.ts";
import { ask, CARD_MS, EMPTY, type Pad, reply } from "./simulator-core.ts";
import {
  APPLICATION_BLOCKED,
  DENIED,
  ICC_COMMAND,
  ICC_RESET,
  NO_DATA,
  NOT_FOUND,
  OK,
  PARAMETER,
  PED_NEXT_KSN,
  PED_OVERFLOW,
  SEALED,
  TIMED_OUT,
  USER_CANCEL,
} from "./status-codes.ts";

/* The device's card commands and card answers (PROTOCOL.md 4 to 6). */

const YES = Uint8Array.of(0x00);
const NO = Uint8Array.of(0x01);

export function slot(pad: Pad): void {
  reply(pad, OK, pad.on.panel.card() === undefined ? NO : YES);
}

export function swiped(pad: Pad): void {
  reply(pad, OK, pad.isMagstripeOpen && pad.card?.via === "magstripe" ? YES : NO);
}

/** Three tracks, each after its length; the third is always empty. */
export function tracks(pad: Pad): void {
  const { card, sealed } = pad;
  if (card?.via !== "magstripe" || sealed === undefined) {
    reply(pad, OK, new Uint8Array(3));
    return;
  }
  pad.card = undefined;
  const parts = ["5F21", "5F22"].map((tag) => sealed.parts.get(tag) ?? EMPTY);
  reply(pad, OK, concat(...parts.flatMap((part) => [Uint8Array.of(part.length), part]), Uint8Array.of(0)));
}

export function init(pad: Pad): void {
  pad.session().stop("kept");
  pad.set = new Map();
  pad.amount = undefined;
  pad.application = 1;
  pad.card = undefined;
  pad.objects = [];
  reply(pad);
}

const tagOf = (data: Uint8Array): string => toHex(data.subarray(data[0] === 0 ? 1 : 0, 2));

export function setObject(pad: Pad, data: Uint8Array): void {
  const length = wordIn(data, 2);
  if (length === undefined || data.length !== 6 + length) reply(pad, PARAMETER);
  else {
    pad.set.set(tagOf(data), data.slice(6));
    reply(pad);
  }
}

export function setAmount(pad: Pad, data: Uint8Array): void {
  const digits = toHex(data);
  if (!/^[0-9]{24}$/.test(digits)) reply(pad, PARAMETER);
  else {
    pad.amount = digits.slice(0, 12);
    reply(pad);
  }
}

/** Answers do not carry the tag of the object. */
export function getObject(pad: Pad, data: Uint8Array): void {
  const tag = tagOf(data);
  const secret = pad.sealed?.parts.get(tag);
  const value = findTag(pad.objects, tag);
  if (pad.card === undefined || data.length !== 2) reply(pad, NO_DATA);
  else if (secret !== undefined && pad.raising === "blocking") reply(pad, PED_NEXT_KSN);
  else if (secret !== undefined) reply(pad, SEALED, concat(word(secret.length), secret));
  else if (value === undefined || value.length === 0 || tag === "57" || tag === "5A") reply(pad, NOT_FOUND);
  else reply(pad, OK, concat(word(value.length), value));
}

/** Resets the card and selects an application; with several, the host chooses. */
export function select(pad: Pad): void {
  const card = pad.on.panel.card();
  const later = (rc: number): void => reply(pad, rc, EMPTY, CARD_MS);
  if (card === undefined || card.profile.chip !== "works") later(ICC_RESET);
  else if (card.profile.blocked) later(APPLICATION_BLOCKED);
  else if (card.profile.others.length > 0) {
    const labels = applicationsOf(card.profile).map(({ label }) => label);
    ask(pad, callBackFrame(0xb0, concat(Uint8Array.of(0, labels.length), ...labels.map(candidate))));
  } else later(OK);
}

const NAME_BYTES = 17;
const REST_BYTES = 244 + 17 + 1 + 1;

/** Preferred name, label, issuer's data, identifier with its length, priority (PROTOCOL.md 5.2). */
function candidate(label: string): Uint8Array {
  const name = concat(fromAscii(label.slice(0, NAME_BYTES - 1)), new Uint8Array(NAME_BYTES)).slice(0, NAME_BYTES);
  return concat(name, name, new Uint8Array(REST_BYTES));
}

/** The host's choice: an index, or a refusal. */
export function callBackAnswered(pad: Pad, { sub, data }: Frame): void {
  const chosen = wordIn(data);
  if (sub !== 0xb0 || pad.busy === undefined || chosen === undefined) return;
  pad.application = chosen + 1;
  reply(pad, chosen < 0 ? chosen : OK, EMPTY, CARD_MS);
}

export function readRecords(pad: Pad): void {
  reply(pad, pad.on.panel.card() === undefined ? ICC_COMMAND : OK, EMPTY, CARD_MS);
}

export function authenticateCard(pad: Pad): void {
  reply(pad, pad.on.panel.card() === undefined ? ICC_COMMAND : OK, EMPTY, CARD_MS);
}

/** Time limit for an inserted card. */
const LIMIT_MS = 60_000;

/** The first cryptogram: amount and cashback of four bytes each, unless the amount was set before. */
export function startTransaction(pad: Pad, data: Uint8Array): void {
  const { clock, panel } = pad.on;
  const amount = wordIn(data);
  if (amount === undefined || amount < 0 || data.length !== 8) {
    reply(pad, PARAMETER, Uint8Array.of(AAC));
    return;
  }
  if (panel.card() === undefined) {
    reply(pad, ICC_COMMAND, Uint8Array.of(AAC), CARD_MS);
    return;
  }
  const told = (tag: string, usual: string): string => toHex(pad.set.get(tag) ?? new Uint8Array(0)) || usual;
  const request = {
    amount: pad.amount ?? String(amount).padStart(12, "0"),
    currency: told("5F2A", "0978"),
    type: told("9C", "00"),
    ...clockDigits(clock.now() + pad.clockAheadMs),
  };
  if (!pad.session().begin(request, { chip: true }, LIMIT_MS)) reply(pad, PARAMETER, Uint8Array.of(AAC));
}

const STATUS = { approved: 0, failed: 1, denied: 3 } as const;

export function completeTransaction(pad: Pad, data: Uint8Array): void {
  const [status] = data;
  const length = wordIn(data, 1);
  const scripts = parseTlv(data.subarray(5));
  if (length === undefined || data.length !== 5 + length || !scripts.ok) {
    reply(pad, PARAMETER, Uint8Array.of(AAC));
    return;
  }
  const host = answerOf(
    pad,
    status ?? STATUS.denied,
    scripts.objects.map(({ value }) => value),
  );
  if (!pad.session().complete(host)) reply(pad, PARAMETER, Uint8Array.of(AAC));
}

/** The host's verdict with its response code (8A) and issuer authentication data (91). */
function answerOf({ set }: Pad, status: number, scripts: readonly Uint8Array[]): HostAnswer {
  const authentication = set.get("91");
  const code = set.get("8A");
  switch (status) {
    case STATUS.approved:
      return { responseCode: code ?? fromAscii("00"), ...(authentication && { authentication }), scripts };
    case STATUS.failed:
      return { responseCode: fromAscii("Z3"), scripts: [] };
    default:
      return { responseCode: code ?? fromAscii("05"), ...(authentication && { authentication }), scripts };
  }
}

export function cardSays(pad: Pad, outcome: CardOutcome): void {
  switch (outcome.is) {
    case "choose":
      pad.session().choose(pad.application);
      break;
    case "read":
      read(pad, outcome);
      break;
    case "completed":
      pad.objects = outcome.data;
      pad.on.panel.wishFor(undefined);
      completed(pad, outcome.verdict);
      break;
    case "failed":
      reply(pad, FAILURES[outcome.why] ?? PARAMETER, Uint8Array.of(AAC));
      break;
    case "inserted":
    case "removed":
    case "see-phone":
    case "selected":
    case "enter-pin":
    case "pin-typed":
    case "typed":
    case "pin":
      // The device reports nothing unasked.
      break;
  }
}

const KINDS = { online: ARQC, "approved-offline": TC, "declined-offline": AAC } as const;

function read(pad: Pad, card: ReadCard): void {
  pad.card = card;
  pad.objects = card.data;
  if (card.via !== "chip") return;
  // The customer removes the card when the host's text asks for it.
  pad.on.panel.wishFor(undefined);
  const kind = Uint8Array.of(KINDS[card.decision]);
  reply(pad, card.decision === "declined-offline" ? DENIED : OK, kind);
}

function completed(pad: Pad, verdict: "approved" | "declined"): void {
  const isGone = findTag(pad.objects, "9F26") === undefined;
  const [status] = pad.busy?.data ?? [];
  if (isGone) reply(pad, ICC_COMMAND, Uint8Array.of(AAC));
  else if (verdict === "approved") reply(pad, OK, Uint8Array.of(TC));
  else reply(pad, status === STATUS.denied ? OK : DENIED, Uint8Array.of(status === STATUS.denied ? AAC_OF_HOST : AAC));
}

const FAILURES: Readonly<Partial<Record<Failure, number>>> = {
  unreadable: ICC_RESET,
  blocked: APPLICATION_BLOCKED,
  pulled: ICC_COMMAND,
  cancelled: USER_CANCEL,
  timeout: TIMED_OUT,
  "pin-timeout": TIMED_OUT,
  "card-key-used-up": PED_OVERFLOW,
};
