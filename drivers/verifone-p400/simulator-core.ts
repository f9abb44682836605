import type { PaceName } from "../../src/simulator/pace.ts";
import type { SealedBytes } from "../../src/testbed/sealed-bytes.ts";
import { encodeAnswer } from "../vipa/message.ts";
import { ANSWER_MS, answer, EMPTY, say, soon, type VipaDevice } from "../vipa/simulator-core.ts";

/** How long it takes to answer a plain command, and to leave its reader after it said that it will; `real` as recorded of a UX301 (PROTOCOL.md 8). */
const TIMES = {
  quick: { plainMs: ANSWER_MS, readerEndMs: ANSWER_MS },
  real: { plainMs: 330, readerEndMs: 1_330 },
} as const satisfies Readonly<Record<PaceName, object>>;

/** The command for which the session works: what it says is that command's answer, or, of a contactless one, what follows unasked. */
export type Open = "none" | "start" | "first" | "second" | "tap" | "tap-end" | "pin" | "keyed";

/** One device: what it remembers while it is on. */
export interface Verifone extends VipaDevice {
  /** DF0D of the device, then of its modules. */
  readonly units: readonly string[];
  readonly times: (typeof TIMES)[PaceName];
  open: Open;
  /** Who waits for CONTINUE: a card whose data was told and wants a decision, one that waits for its issuer, or a reader. */
  held: "nobody" | "decision" | "chip" | "tap";
  /** 9C of the transaction that began last. */
  kind: string;
  /** Card data sealed before the first cryptogram: it is sealed once for both answers (PROTOCOL.md 4.6). */
  early: SealedBytes | undefined;
  /** The PIN of the chip's transaction, until it is fetched. */
  pin: SealedBytes | undefined;
  /** P1 of the ONLINE PIN that is being worked on: how its answer is written. */
  pinHost: number;
  isReaderOpen: boolean;
}

export function newVerifone(device: VipaDevice, units: readonly string[]): Verifone {
  const nothing = { early: undefined, pin: undefined, pinHost: 0x05, isReaderOpen: false };
  return { ...device, units, times: TIMES[device.on.pace], open: "none", held: "nobody", kind: "00", ...nothing };
}

/** Something unasked, after the device's usual time. */
export function tellSoon(verifone: Verifone, body: Uint8Array, statusWord?: string, delayMs = ANSWER_MS): void {
  soon(verifone, delayMs, () => say(verifone, true, encodeAnswer(body, statusWord)));
}

/** Commands whose answer is what the session says: it took its time already. */
const OF_CARD: readonly Open[] = ["start", "first", "second", "pin", "keyed"];

/** Answers the command that is being worked on, after the device's usual time, and begins the next. A contactless transaction goes on behind it. */
export function reply(
  verifone: Verifone,
  body: Uint8Array,
  statusWord?: string,
  delayMs: number = OF_CARD.includes(verifone.open) ? ANSWER_MS : verifone.times.plainMs,
): void {
  if (verifone.open !== "tap" && verifone.open !== "tap-end") verifone.open = "none";
  answer(verifone, body, statusWord, delayMs);
}

/** The same for a command that goes on: what comes of it follows unasked (PROTOCOL.md 4.5). */
export function accept(verifone: Verifone, open: Open): void {
  verifone.open = open;
  answer(verifone, EMPTY, undefined, verifone.times.plainMs);
}

/** What runs on the device is over. */
export function toNobody(verifone: Verifone): void {
  verifone.held = "nobody";
  verifone.early = undefined;
  verifone.pin = undefined;
  verifone.open = "none";
}
