import { knownSredLayout } from "../../packages/sandbox/testbed/sred-layouts.ts";
import { findTag } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { type CardSession, createCardSession } from "../../src/simulator/card-session.ts";
import { showHostText } from "../../src/simulator/host-text.ts";
import { clockDigits } from "../../src/simulator/request-text.ts";
import type { Device, DeviceOn } from "../../src/simulator/terminal-body.ts";
import { parseEmv } from "./emv-message.ts";
import { FS, GS, NO_KEY } from "./frame.ts";
import { REPORT_BYTES } from "./reports.ts";
import { cardIn, cardSays, confirmed, responseCodeIn } from "./simulator-answer.ts";
import { configurationAnswer, setVariable, unitData, variableAnswer } from "./simulator-configuration.ts";
import { hear, newRba, type Rba, tell, type Unit } from "./simulator-core.ts";

/** Euro: currency and country are part of the device's configuration. */
const CURRENCY = "0978";
/** The host owns all time limits; the device waits for a card or a PIN without end. */
const NO_LIMIT_MS = 2_000_000_000;

/** The device's side of the protocol. */
export function rbaDevice(on: DeviceOn, unit: Unit): Device {
  const rba: Rba = newRba(on, unit, (): CardSession => session);
  const session = createCardSession({
    ...on,
    sred: knownSredLayout("INGENICO_IPP350"),
    says: (outcome) => cardSays(rba, outcome),
    pausesBeforeCryptogram: true,
  });
  const toIdle = (): void => {
    rba.line.fresh();
    rba.pending = undefined;
    rba.emv = { at: "none" };
    rba.amount = undefined;
    rba.transactionType = "01";
    session.reset();
  };
  return {
    reportBytes: REPORT_BYTES,
    receive: (bytes) => {
      for (const body of hear(rba, bytes)) obey(rba, ascii(body));
    },
    connected: (kind) => {
      rba.line.fresh();
      rba.kind = kind;
    },
    disconnected: toIdle,
    powerOn: toIdle,
  };
}

type Obey = (rba: Rba, text: string) => void;

/** Every message that the device answers; 14. and 15. are only acknowledged. */
const MESSAGES: Readonly<Record<string, Obey>> = {
  "00": offline,
  "01": (rba, text) => tell(rba, `01.${text}`),
  "04": (rba, text) => tell(rba, `04.0${text.slice(1)}`),
  "07": (rba) => tell(rba, `07.${unitData(rba)}`),
  "11": (rba) => tell(rba, "11.00Ready"),
  "13": amount,
  "14": (rba, text) => {
    rba.transactionType = text;
  },
  "15": () => undefined,
  "23": readCard,
  "24": showForm,
  "28": (rba, text) => tell(rba, setVariable(text, rba)),
  "29": (rba, text) => tell(rba, variableAnswer(text, rba)),
  "31": enterPin,
  "33": emv,
  "61": (rba, text) => tell(rba, configurationAnswer(text, rba)),
  "97": (rba) => rba.on.restart(),
};

function obey(rba: Rba, body: string): void {
  const id = body.slice(0, 2);
  if (body[2] === "." && Object.hasOwn(MESSAGES, id)) MESSAGES[id]?.(rba, body.slice(3));
}

/**
 * 00. ends the running work: a message that waits for the customer answers first, and a waiting card is declined
 * silently.
 */
function offline(rba: Rba, text: string): void {
  const { pending } = rba;
  rba.session().abort();
  if (pending !== undefined) tell(rba, `${pending}.a`);
  rba.pending = undefined;
  rba.emv = { at: "none" };
  rba.amount = undefined;
  if (rba.session().at() === "idle" && rba.on.panel.card() === undefined) rba.on.panel.show([]);
  tell(rba, `00.${text}`);
}

/** 13.: starts the readers. After 33.02 it confirms the amount. */
function amount(rba: Rba, text: string): void {
  const digits = text.split(GS)[0] ?? "";
  if (!/^[0-9]{1,12}$/.test(digits)) {
    tell(rba, "13.1");
    return;
  }
  rba.amount = Number(digits);
  tell(rba, "13.0");
  if (rba.emv.at === "prepared") confirmed(rba);
}

const READERS = ["C", "M", "S", "H"] as const;

/** 23.: waits at the named readers and ends an earlier 23. */
function readCard(rba: Rba, text: string): void {
  const [, , , letters = ""] = text.split(FS);
  const { capabilities, panel } = rba.on;
  if (rba.pending === "23") {
    rba.session().stop("kept");
    tell(rba, "23.a");
  }
  const wants = (letter: (typeof READERS)[number], way: (typeof capabilities.interfaces)[number]): boolean =>
    letters.includes(letter) && capabilities.interfaces.includes(way);
  const ways = {
    chip: wants("S", "chip"),
    tap: wants("C", "contactless"),
    magstripe: wants("M", "stripe"),
    keyed: wants("H", "keyed"),
  };
  if (rba.amount === undefined && ways.tap) {
    tell(rba, "23.A?");
    return;
  }
  rba.takesChip = ways.chip;
  const isIn = ways.chip && panel.card() !== undefined;
  rba.pending = "23";
  if (isIn) cardIn(rba);
  const request = {
    amount: String(rba.amount ?? 0).padStart(12, "0"),
    currency: CURRENCY,
    type: rba.transactionType === "01" ? "00" : "20",
  };
  if (!rba.session().begin({ ...request, ...clockDigits(rba.on.clock.now() + rba.clockOffsetMs) }, ways, NO_LIMIT_MS)) {
    rba.pending = undefined;
    tell(rba, "23.R?");
  }
}

/** 24.: a form with a line of text; without a button it is answered at once. */
function showForm(rba: Rba, text: string): void {
  const lines = text
    .split(FS)
    .slice(1)
    .flatMap((element) => (element.startsWith("T") ? [element.slice(element.indexOf(",") + 1)] : []));
  showHostText(rba.on.panel, lines);
  tell(rba, `24.0${NO_KEY}`);
}

/** 31.: a PIN for the card that was read last. */
function enterPin(rba: Rba): void {
  const request = { amount: String(rba.amount ?? 0).padStart(12, "0"), currency: CURRENCY };
  if (rba.on.capabilities.onlinePin && rba.session().askPin(request, NO_LIMIT_MS)) rba.pending = "31";
  else tell(rba, "31.6");
}

/** 33.00 starts the inserted card's transaction; 33.04 completes it. */
function emv(rba: Rba, text: string): void {
  const step = text.slice(0, 2);
  if (step === "00") startEmv(rba);
  else if (step === "04") complete(rba, text);
}

function startEmv(rba: Rba): void {
  const { emv: before } = rba;
  if (before.at !== "card-in") {
    tell(rba, "33.00.E000");
    return;
  }
  rba.emv = { at: "started" };
  tell(rba, "33.00.0000");
  before.tells?.();
}

function complete(rba: Rba, text: string): void {
  const objects = parseEmv(text)?.objects ?? [];
  const responseCode = responseCodeIn(objects);
  if (responseCode === undefined || rba.session().at() !== "held") {
    tell(rba, "33.04.E000");
    return;
  }
  const authentication = findTag(objects, "91");
  const scripts = objects.filter(({ tag }) => tag === "71" || tag === "72").map(({ value }) => value);
  rba.session().complete({ responseCode, ...(authentication && { authentication }), scripts });
}
