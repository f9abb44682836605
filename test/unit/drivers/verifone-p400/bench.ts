import { commandName, parseApdu } from "../../../../drivers/verifone-p400/apdu.ts";
import { type VerifoneState, verifoneP400Spec } from "../../../../drivers/verifone-p400/driver.ts";
import { encodeMessage, push } from "../../../../drivers/verifone-p400/frame.ts";
import { newDeframer } from "../../../../drivers/vipa/frame.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import type { TransportKind } from "../../../../src/terminal/driver.ts";
import { ALL, createDriverBench, type DriverBench, SALE } from "../../../support/driver-bench.ts";

/**
 * A driver on a bench: events go in by hand, and everything it does is kept. Bodies of the device are written without
 * frame, in hexadecimal.
 */
export interface Bench extends DriverBench<VerifoneState> {
  answer(...bodies: readonly string[]): void;
  event(...bodies: readonly string[]): void;
}

export interface BenchOn {
  readonly transport?: TransportKind;
  readonly options?: Readonly<Record<string, string>>;
}

export function createBench({ transport = "tcp", options = {} }: BenchOn = {}): Bench {
  const bench = createDriverBench({ spec: verifoneP400Spec, transport, options, inWords: commandsIn });
  const bodies = (unsolicited: boolean, texts: readonly string[]): void => {
    for (const text of texts)
      for (const bytes of encodeMessage({ unsolicited, body: fromHex(text) })) bench.feed({ on: "bytes", bytes });
  };
  return { ...bench, answer: (...texts) => bodies(false, texts), event: (...texts) => bodies(true, texts) };
}

/**
 * The names of the commands in written frames, with P1 and P2 where they say what is meant, and with their data where
 * they carry any.
 */
function commandsIn(write: readonly Uint8Array[]): readonly string[] {
  let deframer = newDeframer;
  return write.flatMap((bytes) => {
    const pushed = push(deframer, bytes);
    deframer = pushed.state;
    return pushed.messages.map(({ body }) => {
      const apdu = parseApdu(body);
      const name = apdu && commandName(apdu);
      if (apdu === undefined || name === undefined) return `unknown ${toHex(body)}`;
      const parameters = PARAMETERS.includes(name) ? [toHex(Uint8Array.of(apdu.p1, apdu.p2))] : [];
      return [name, ...parameters, ...(apdu.data.length === 0 ? [] : [toHex(apdu.data)])].join(" ");
    });
  });
}

const PARAMETERS: readonly string[] = [
  "reset",
  "card-status",
  "display",
  "continue-transaction",
  "online-pin",
  "key-status",
  "start-contactless",
  "clock",
];

/** An object, or a template around a body, in hexadecimal. */
export function tlv(tag: string, value: string): string {
  const size = value.length / 2;
  const hex = (bytes: number, digits: number): string => bytes.toString(16).toUpperCase().padStart(digits, "0");
  const length = size < 0x80 ? hex(size, 2) : size < 0x100 ? `81${hex(size, 2)}` : `82${hex(size, 4)}`;
  return `${tag}${length}${value}`;
}

export const text = (value: string): string => toHex(new TextEncoder().encode(value));

/** A template with its status word. */
export const answerIn = (template: string, body: string): string => `${tlv(template, body)}9000`;

export const RESET_ANSWER = `${tlv("9F1C", text("07335123"))}${tlv("DFA242", text("030000"))}${tlv(
  "EE",
  tlv("9F1E", text("807335123")) +
    tlv("DF0D", text("P400")) +
    tlv("DF7F", text("release-31013400")) +
    tlv("DF8102", "00") +
    tlv("DF8101", "00"),
)}${tlv("EF", tlv("DF0D", text("MAPP")) + tlv("DF7F", text("2.0.0.7")) + tlv("DF8106", text("VIPA")) + tlv("DF8107", text("6.8.2.24")))}${tlv("DFA21D", "00200000")}9000`;
export const ONE_READER = "019000";
export const PIN_KEY = `${tlv("DFED03", text("9876543210E00001"))}9000`;
export const SRED_KEY = `${tlv("DFDF11", "FFFF9876543210E00001")}${tlv("DFDF12", "0000000000000000")}9000`;
export const CLOCK_ANSWER = `${text("20260115143000")}9000`;
export const CONFIGURATION_ANSWER = `${tlv("DFDE7E", text("emv_ver"))}${tlv("DFDE7F", text("sphere.emv.6_8_2_23"))}9000`;
export const OK = "9000";
export const NO_CARD = answerIn("E0", "48020000");
export const CARD_IN = answerIn("E0", "48020300");
export const CARD_SILENT = answerIn("E0", "48020100");
export const SWIPE_FAILED = answerIn("E0", "48020001");
export const RED_KEY = answerIn("E0", tlv("DFA205", "1B"));
/** E6{C3 01 powered on} as recorded. */
export const POWERED_ON = "E621C30101C41144657669636520706F7765726564206F6E9F1C0833323433343237389000";
export const CHOOSE_APPLICATION = answerIn("E6", tlv("C3", "04") + tlv("C4", text("SELECT")));
export const enterPin = (tries: string): string =>
  answerIn("E6", tlv("C3", "0C") + tlv("C4", text("PIN ENTRY")) + tlv("C5", tries));

export const CIPHER = "3846E94DC3183BA6DC45E2A6AC6DEF03F93434756A4D0261572B5C23519BFC0A";
export const KSN = "FFFF98765432110010A4";

/** FF7F with sealed card data, and FF7C as recorded; what is given replaces its usual value. */
export function sealed({ data = CIPHER, ksn = KSN, iv = "0000000000000000", status = "00000000" } = {}): string {
  const block =
    tlv("DFDF12", iv) + tlv("DFDF11", ksn) + tlv("DFDF10", data) + tlv("DFDB0F", status) + tlv("DFDB0E", "00000D01");
  return tlv("FF7F", block) + tlv("FF7C", tlv("DF837F", "AB".repeat(32)) + tlv("DF837E", "E7C4D9"));
}

const CARD = `${tlv("50", text("AMERICAN EXPRESS"))}${tlv("57", "374245AAAAA1006D2412201AAAAAAAAAAAAAAA")}${tlv("5A", "374245AAAAA1006F")}${tlv("5F24", "241231")}${tlv("5F34", "00")}`;

/** E2 with the card's data, as recorded but for its initialisation vector. */
export const decisionWanted = (block = sealed()): string =>
  answerIn("E2", tlv("C1", "00") + block + CARD + tlv("9F06", "A000000025010402"));

export interface AnswerOn {
  /** 9F27. */
  readonly information?: string;
  /** 9F34; none where it is empty. */
  readonly results?: string;
  readonly atc?: string;
  readonly amount?: string;
  readonly type?: string;
  readonly more?: string;
  readonly block?: string;
}

/** A first or final answer of a card. */
export function cardAnswer(
  template: string,
  {
    information = "80",
    results = "1E0300",
    atc = "0019",
    amount = "000000001234",
    type = "00",
    more = "",
    block = sealed(),
  }: AnswerOn = {},
): string {
  const transaction = tlv("9C", type) + tlv("9F02", amount) + tlv("5F2A", "0978") + tlv("9F06", "A000000025010402");
  const card =
    tlv("9F10", "06020103A00000") +
    tlv("9F26", "1122334455667788") +
    tlv("9F27", information) +
    (results === "" ? "" : tlv("9F34", results)) +
    tlv("9F36", atc);
  return answerIn(template, CARD + transaction + card + more + block);
}

/** A swipe whose track 2 has this service code: shape as recorded. */
export function swipe(code: string, block = sealed()): string {
  const track = `${text(";410039")}${"AA".repeat(6)}${text(`9769=2504${code}`)}${"AA".repeat(16)}${text("?5")}`;
  return answerIn(
    "E0",
    tlv("48", "0005") + tlv("DFDB06", track) + tlv("DFDF6E", "010001") + tlv("DFDF20", "00000000") + block,
  );
}

export const PIN_BLOCK = "8B68AF72199529B8";
export const PIN_KSN = "FFFF0102628D12000001";
/** DED6's answer, in the letters of host 05. */
export const PIN_TYPED = answerIn("E0", tlv("DFED6C", text(PIN_BLOCK)) + tlv("DFED03", text(PIN_KSN.slice(4))));
export const NUMBER_TYPED = `${tlv("DFDB01", `${text("476173")}${"AA".repeat(6)}${text("0119")}`)}${tlv("DFDB03", "AAAAAAAA")}${sealed()}9000`;

export const REFUND: CollectRequest = { ...SALE, transactionType: "20" };

/** What SALE starts with, and goes on with. */
export const START_SALE = `start-transaction ${tlv("E0", "9C01009F02060000000012349F03060000000000009A032601159F21031430005F2A020978DFA2180100DFDF0D0101DFCC790100DFA2040101")}`;
export const CONTINUE_SALE = `continue-transaction 0100 ${tlv("E0", "9F02060000000012349F03060000000000005F2A020978DFA2180100C00101DFCC790100")}`;

/** Opens the link and identifies the device; everything that happened is already looked at. */
export function identified(bench: Bench): Bench {
  bench.feed({ on: "opened" });
  if ("settle" in bench.timers()) bench.fire("settle");
  bench.command({ do: "identify" });
  bench.answer(OK, RESET_ANSWER, ONE_READER, OK, PIN_KEY, SRED_KEY, CLOCK_ANSWER, CONFIGURATION_ANSWER);
  bench.look();
  return bench;
}

/** A collect whose slot is known to be empty, or to hold a card. Returns its number. */
export function looking(bench: Bench, request: CollectRequest, slot: string): number {
  identified(bench);
  const n = bench.command({ do: "collect", request });
  bench.answer(OK);
  bench.event(slot);
  return n;
}

/** A collect that waits at an empty slot, its text shown. Returns its number. */
export function waiting(bench: Bench, request: CollectRequest = SALE): number {
  const n = looking(bench, request, NO_CARD);
  bench.answer(OK);
  bench.look();
  return n;
}

/** A collect whose transaction runs on the device: START was sent. Returns its number. */
export function running(bench: Bench, request: CollectRequest = SALE): number {
  const n = looking(bench, request, CARD_IN);
  bench.look();
  return n;
}

/** The same, and the card was asked for its first cryptogram. */
export function deciding(bench: Bench, request: CollectRequest = SALE): number {
  const n = running(bench, request);
  bench.answer(decisionWanted());
  bench.look();
  return n;
}

/** A collect whose reader waits. Returns its number. */
export function tapping(bench: Bench, request: CollectRequest = ALL): number {
  const n = looking(bench, request, NO_CARD);
  bench.answer(OK);
  bench.look();
  return n;
}

/** A chip that gave its ARQC and waits. */
export function held(bench: Bench): Bench {
  deciding(bench);
  bench.answer(cardAnswer("E4"));
  bench.look();
  return bench;
}

/** A tap without verification that was told, and waits for CONTINUE. */
export function tapHeld(bench: Bench): Bench {
  tapping(bench);
  bench.event(cardAnswer("E4", { results: "1F0302", more: tlv("9F39", "07") }));
  bench.look();
  return bench;
}
