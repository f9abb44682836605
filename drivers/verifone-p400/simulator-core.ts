import type { Tlv } from "../../src/emv/tlv.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import type { PaceName } from "../../src/simulator/pace.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { SealedBytes } from "../../src/testbed/sealed-bytes.ts";
import type { Apdu } from "./apdu.ts";
import { type Deframer, encodeMessage, newDeframer } from "./frame.ts";
import { encodeAnswer, encodeTemplate } from "./message.ts";

/** How long the device takes to say what came of a card or a person, in milliseconds. */
export const ANSWER_MS = 4;

/** How long it takes to answer a plain command, and to leave its reader after it said that it will; `real` as recorded of a UX301 (PROTOCOL.md 8). */
const TIMES = {
  quick: { plainMs: ANSWER_MS, readerEndMs: ANSWER_MS },
  real: { plainMs: 330, readerEndMs: 1_330 },
} as const satisfies Readonly<Record<PaceName, object>>;

export const EMPTY = new Uint8Array(0);

/** The command for which the session works: what it says is that command's answer, or, of a contactless one, what follows unasked. */
export type Open = "none" | "start" | "first" | "second" | "tap" | "tap-end" | "pin" | "keyed";

/** One device: what it remembers while it is on. */
export interface Vipa {
  readonly on: DeviceOn;
  /** DF0D of the device, then of its modules. */
  readonly units: readonly string[];
  readonly session: CardSession;
  /** Begins the next command that waits, if none is being worked on. */
  readonly next: () => void;
  readonly times: (typeof TIMES)[PaceName];
  deframer: Deframer;
  queue: Apdu[];
  isBusy: boolean;
  open: Open;
  /** Who waits for CONTINUE: a card whose data was told and wants a decision, one that waits for its issuer, or a reader. */
  held: "nobody" | "decision" | "chip" | "tap";
  /** 9C of the transaction that began last. */
  kind: string;
  /** Card data sealed before the first cryptogram: it is sealed once for both answers (PROTOCOL.md 4.6). */
  early: SealedBytes | undefined;
  /** Card data as it was sealed with the last answer, for the ones after it. */
  sealed: readonly Tlv[];
  /** The PIN of the chip's transaction, until it is fetched. */
  pin: SealedBytes | undefined;
  /** P1 of the ONLINE PIN that is being worked on: how its answer is written. */
  pinHost: number;
  isReaderOpen: boolean;
  /** CARD STATUS: events are wanted, and keys. */
  isReporting: boolean;
  hasKeyEvents: boolean;
  clockOffsetMs: number;
  /** Answers still on their way when the link goes, or the device restarts, belong to an age that is over. */
  age: number;
}

export function newVipa(on: DeviceOn, units: readonly string[], session: CardSession, next: () => void): Vipa {
  return {
    on,
    units,
    session,
    next,
    times: TIMES[on.pace],
    deframer: newDeframer,
    queue: [],
    isBusy: false,
    open: "none",
    held: "nobody",
    kind: "00",
    early: undefined,
    sealed: [],
    pin: undefined,
    pinHost: 0x05,
    isReaderOpen: false,
    isReporting: false,
    hasKeyEvents: false,
    clockOffsetMs: 0,
    age: 0,
  };
}

export function soon(vipa: Vipa, delayMs: number, act: () => void): void {
  const { age } = vipa;
  vipa.on.clock.after(delayMs, () => {
    if (age === vipa.age) act();
  });
}

export function say(vipa: Vipa, unsolicited: boolean, body: Uint8Array): void {
  for (const frame of encodeMessage({ unsolicited, body })) vipa.on.send(frame);
}

/** Something unasked. */
export function tell(vipa: Vipa, template: "E0" | "E6", objects: readonly Tlv[]): void {
  say(vipa, true, encodeAnswer(encodeTemplate(template, objects)));
}

/** Something unasked, after the device's usual time. */
export function tellSoon(vipa: Vipa, body: Uint8Array, statusWord?: string, delayMs = ANSWER_MS): void {
  soon(vipa, delayMs, () => say(vipa, true, encodeAnswer(body, statusWord)));
}

/** Commands whose answer is what the session says: it took its time already. */
const OF_CARD: readonly Open[] = ["start", "first", "second", "pin", "keyed"];

/** Answers the command that is being worked on, after the device's usual time, and begins the next. A contactless transaction goes on behind it. */
export function reply(vipa: Vipa, body: Uint8Array, statusWord?: string, delayMs: number = OF_CARD.includes(vipa.open) ? ANSWER_MS : vipa.times.plainMs): void {
  if (vipa.open !== "tap" && vipa.open !== "tap-end") vipa.open = "none";
  answer(vipa, body, statusWord, delayMs);
}

/** The same for a command that goes on: what comes of it follows unasked (PROTOCOL.md 4.5). */
export function accept(vipa: Vipa, open: Open): void {
  vipa.open = open;
  answer(vipa, EMPTY, undefined, vipa.times.plainMs);
}

function answer(vipa: Vipa, body: Uint8Array, statusWord: string | undefined, delayMs: number): void {
  soon(vipa, delayMs, () => {
    vipa.isBusy = false;
    say(vipa, false, encodeAnswer(body, statusWord));
    vipa.next();
  });
}

/** What runs on the device is over. */
export function toNobody(vipa: Vipa): void {
  vipa.held = "nobody";
  vipa.early = undefined;
  vipa.pin = undefined;
  vipa.open = "none";
}
