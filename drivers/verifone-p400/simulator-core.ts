import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import type { PaceName } from "../../src/simulator/pace.ts";
import { encodeAnswer } from "../vipa/message.ts";
import { ANSWER_MS, answer, EMPTY, say, soon, type VipaDevice } from "../vipa/simulator-core.ts";

/**
 * Delays of a plain answer and of the reader's end after CANCEL CONTACTLESS, in milliseconds; `real` as recorded from a
 * UX301 (PROTOCOL.md 8).
 */
const TIMES = {
  quick: { plainMs: ANSWER_MS, readerEndMs: ANSWER_MS },
  real: { plainMs: 330, readerEndMs: 1_330 },
} as const satisfies Readonly<Record<PaceName, object>>;

/**
 * The command for which the session works. Its outcome is that command's answer, or follows a contactless command
 * unsolicited.
 */
export type Open = "none" | "start" | "first" | "second" | "tap" | "tap-end" | "pin" | "keyed";

/** State of one device while it is powered. */
export interface Verifone extends VipaDevice {
  /** DF0D of the device, then of its modules. */
  readonly units: readonly string[];
  readonly times: (typeof TIMES)[PaceName];
  open: Open;
  /** The party that waits for CONTINUE: a card for the decision on its data, a card for its issuer, or a reader. */
  held: "nobody" | "decision" | "chip" | "tap";
  /** 9C of the latest transaction. */
  kind: string;
  /** Card data encrypted before the first cryptogram, once for both answers (PROTOCOL.md 4.6). */
  early: SealedBytes | undefined;
  /** The PIN of the chip transaction, until it is fetched. */
  pin: SealedBytes | undefined;
  /** P1 of the running ONLINE PIN: the form of its answer. */
  pinHost: number;
  isReaderOpen: boolean;
}

export function newVerifone(device: VipaDevice, units: readonly string[]): Verifone {
  const nothing = { early: undefined, pin: undefined, pinHost: 0x05, isReaderOpen: false };
  return { ...device, units, times: TIMES[device.on.pace], open: "none", held: "nobody", kind: "00", ...nothing };
}

/** Sends an unsolicited message after the device's usual delay. */
export function tellSoon(verifone: Verifone, body: Uint8Array, statusWord?: string, delayMs = ANSWER_MS): void {
  soon(verifone, delayMs, () => say(verifone, true, encodeAnswer(body, statusWord)));
}

/** Commands that the session's outcome answers; they need no further delay. */
const OF_CARD: readonly Open[] = ["start", "first", "second", "pin", "keyed"];

/**
 * Answers the running command after the device's usual delay, then starts the next one. A contactless transaction
 * continues after its answer.
 */
export function reply(
  verifone: Verifone,
  body: Uint8Array,
  statusWord?: string,
  delayMs: number = OF_CARD.includes(verifone.open) ? ANSWER_MS : verifone.times.plainMs,
): void {
  if (verifone.open !== "tap" && verifone.open !== "tap-end") verifone.open = "none";
  answer(verifone, body, statusWord, delayMs);
}

/** Acknowledges a command that continues; its result follows unsolicited (PROTOCOL.md 4.5). */
export function accept(verifone: Verifone, open: Open): void {
  verifone.open = open;
  answer(verifone, EMPTY, undefined, verifone.times.plainMs);
}

/** Ends all running work. */
export function toNobody(verifone: Verifone): void {
  verifone.held = "nobody";
  verifone.early = undefined;
  verifone.pin = undefined;
  verifone.open = "none";
}
