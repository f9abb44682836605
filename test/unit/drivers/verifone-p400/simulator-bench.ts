import { type CommandName, commandApdu, encodeApdu } from "../../../../drivers/verifone-p400/apdu.ts";
import { encodeMessage, push } from "../../../../drivers/verifone-p400/frame.ts";
import { insidesOf, leavesOf, parseAnswer } from "../../../../drivers/verifone-p400/message.ts";
import { verifoneP400Simulator } from "../../../../drivers/verifone-p400/simulator.ts";
import type { Parameters } from "../../../../drivers/vipa/apdu.ts";
import { newDeframer } from "../../../../drivers/vipa/frame.ts";
import { findTag, type Tlv } from "../../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import type { PaceName } from "../../../../src/simulator/pace.ts";
import type {
  Attachment,
  LineKind,
  SimulatedTerminal,
  SimulatorModel,
} from "../../../../src/simulator/simulated-terminal.ts";
import { createVirtualClock, type VirtualClock } from "../../../support/virtual-clock.ts";
import { tlv } from "./bench.ts";

/** A host at a simulated terminal that says nothing by itself: a test sees every message, in order. */
export interface Bench {
  readonly clock: VirtualClock;
  readonly terminal: SimulatedTerminal;
  /** Frames as they came, hexadecimal. */
  readonly frames: readonly string[];
  attach(line?: LineKind): Attachment;
  raw(hex: string): void;
  send(name: CommandName, parameters?: Parameters): void;
  /**
   * Sends, runs all timers for so long (half a second unless told), and gives what came meanwhile: bodies with their
   * status words, "u:" before the unasked ones.
   */
  ask(name: CommandName, parameters?: Parameters, waitMs?: number): Promise<readonly string[]>;
  /** What came since the last look, after so long. */
  news(waitMs?: number): Promise<readonly string[]>;
}

interface BenchOn {
  readonly seed?: number;
  readonly simulator?: SimulatorModel;
  readonly pace?: PaceName;
}

export function bench({ seed = 2, simulator = verifoneP400Simulator, pace = "quick" }: BenchOn = {}): Bench {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 10, 15, 0));
  const terminal = simulator.create({ clock, random: seededRandom(seed), automatic: undefined, pace });
  const frames: string[] = [];
  const heard: string[] = [];
  let seen = 0;
  let attachment: Attachment | undefined;
  const attach = (line?: LineKind): Attachment => {
    let deframer = newDeframer;
    attachment = terminal.attach((bytes) => {
      frames.push(toHex(bytes));
      const pushed = push(deframer, bytes);
      deframer = pushed.error === undefined ? pushed.state : newDeframer;
      for (const { unsolicited, body } of pushed.messages) heard.push(`${unsolicited ? "u:" : ""}${toHex(body)}`);
    }, line);
    return attachment;
  };
  attach();
  const news: Bench["news"] = async (waitMs = 500) => {
    await clock.advance(waitMs);
    const fresh = heard.slice(seen);
    seen = heard.length;
    return fresh;
  };
  const send: Bench["send"] = (name, parameters) => {
    for (const frame of encodeMessage({ unsolicited: false, body: encodeApdu(commandApdu(name, parameters)) }))
      attachment?.receive(frame);
  };
  const ask: Bench["ask"] = async (name, parameters, waitMs) => {
    send(name, parameters);
    return news(waitMs);
  };
  return { clock, terminal, frames, attach, raw: (hex) => attachment?.receive(fromHex(hex)), send, ask, news };
}

/** The template of an answer, its objects, and one of them in hexadecimal; FF7F's by name. */
export interface Opened {
  readonly template: string;
  readonly leaves: readonly Tlv[];
  hex(tag: string): string;
}

export function opened(heard: string | undefined): Opened {
  const answer = parseAnswer(fromHex((heard ?? "").replace("u:", "")));
  if (answer.is !== "template" && answer.is !== "list") throw new Error(`no objects in ${heard}`);
  const leaves = leavesOf(answer.objects);
  const sealed = insidesOf(answer.objects, "FF7F")[0] ?? [];
  const hex = (tag: string): string => toHex(findTag(sealed, tag) ?? findTag(leaves, tag) ?? new Uint8Array());
  return { template: answer.is === "template" ? answer.template : "list", leaves, hex };
}

const TRANSACTION = "9F02060000000012349F03060000000000009A032601159F21031015005F2A020978";
export const START: Uint8Array = fromHex(tlv("E0", `9C0100${TRANSACTION}DFA2180100DFA2040101`));
export const TAP: Uint8Array = fromHex(tlv("E0", `${TRANSACTION}9C01009F06020001`));
export const GO_ON: Uint8Array = fromHex(tlv("E0", `${TRANSACTION}C00101`));
export const FETCH: Uint8Array = fromHex(tlv("E0", "DFED0D0140"));

/** What the issuer said, for the second CONTINUE. */
export function told(code: string, more = ""): Uint8Array {
  return fromHex(tlv("E0", `8A02${code}${more}C001${code === "3030" ? "01" : "00"}`));
}

/** Up to the E4 of the card of that name, with its PIN typed. */
export async function toHost(at: Bench, card = "visa-contact"): Promise<Opened> {
  at.terminal.present(card);
  await at.ask("start-transaction", { data: START });
  at.send("continue-transaction", { p1: 0x01, data: GO_ON });
  await at.clock.advance(100);
  at.terminal.press(["1234", "ENTER"]);
  return opened((await at.news()).at(-1));
}
