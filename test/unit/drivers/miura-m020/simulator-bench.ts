import { type CommandName, commandApdu, encodeApdu } from "../../../../drivers/miura-m020/apdu.ts";
import { encodeMessage, push } from "../../../../drivers/miura-m020/frame.ts";
import { leavesOf, parseAnswer } from "../../../../drivers/miura-m020/message.ts";
import { miuraM020Simulator } from "../../../../drivers/miura-m020/simulator.ts";
import { newDeframer } from "../../../../drivers/vipa/frame.ts";
import { encodeTemplate } from "../../../../drivers/vipa/message.ts";
import { findTag, type Tlv } from "../../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import type {
  Attachment,
  LineKind,
  SimulatedTerminal,
  SimulatorOn,
} from "../../../../src/simulator/simulated-terminal.ts";
import { createVirtualClock, type VirtualClock } from "../../../support/virtual-clock.ts";

/** A host at a simulated terminal that says nothing by itself: a test sees every message, in order. */
export interface Bench {
  readonly clock: VirtualClock;
  readonly terminal: SimulatedTerminal;
  /** Frames as they came, hexadecimal. */
  readonly frames: readonly string[];
  /** Bodies with their status words, in hexadecimal: "u:" before the unasked ones. */
  readonly heard: readonly string[];
  attach(line?: LineKind): Attachment;
  raw(hex: string): void;
  send(name: CommandName, more?: { readonly p1?: number; readonly data?: Uint8Array }): void;
  /** Sends, runs all timers for so long (a second unless told), and gives what came meanwhile. */
  ask(
    name: CommandName,
    more?: { readonly p1?: number; readonly data?: Uint8Array },
    waitMs?: number,
  ): Promise<readonly string[]>;
  /** What came since the last look. */
  news(): readonly string[];
}

export function bench(
  on: Partial<Pick<SimulatorOn, "automatic" | "memory" | "serialNumber">> & { readonly seed?: number } = {},
): Bench {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 10, 15, 0));
  const { seed = 1, automatic, ...rest } = on;
  const terminal = miuraM020Simulator.create({ clock, random: seededRandom(seed), automatic, ...rest });
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
  const news = (): readonly string[] => {
    const fresh = heard.slice(seen);
    seen = heard.length;
    return fresh;
  };
  const send: Bench["send"] = (name, more) => {
    const apdu = encodeApdu(commandApdu(name, more), true);
    if (apdu === undefined) throw new Error(`${name} does not fit`);
    for (const frame of encodeMessage({ nad: 1, unsolicited: false, body: apdu })) attachment?.receive(frame);
  };
  const ask: Bench["ask"] = async (name, more, waitMs = 1000) => {
    send(name, more);
    await clock.advance(waitMs);
    return news();
  };
  return { clock, terminal, frames, heard, attach, raw: (hex) => attachment?.receive(fromHex(hex)), send, ask, news };
}

/** START TRANSACTION data for 12.34 EUR. */
export const START = fromHex("E0269C01009F02060000000012349A032601159F2103101500DFA2040101DFA20301005F2A020978");

/** CONTINUE TRANSACTION data. */
export function continueData(arc: string, authentication?: Uint8Array): Uint8Array {
  const code = { tag: "8A", value: new TextEncoder().encode(arc) };
  return encodeTemplate("E0", authentication === undefined ? [code] : [code, { tag: "91", value: authentication }]);
}

/** The template and all objects of a message with status word 9000. */
export function opened(message: string | undefined): {
  readonly template: string;
  readonly objects: readonly Tlv[];
  readonly hex: (tag: string) => string;
} {
  const answer = parseAnswer(fromHex((message ?? "").replace("u:", "")));
  if (answer.is !== "template") throw new Error(`no template: ${message}`);
  const objects = leavesOf(answer.objects);
  return { template: answer.template, objects, hex: (tag) => toHex(findTag(objects, tag) ?? new Uint8Array(0)) };
}

/** From a quiet terminal to a card in the slot and START sent; then the PIN, where one is asked for. */
export async function toHost(at: Bench, card: string, pin = "1234"): Promise<ReturnType<typeof opened>> {
  at.terminal.present(card);
  at.send("start-transaction", { data: START });
  await at.clock.advance(100);
  at.terminal.press([pin, "ENTER"]);
  await at.clock.advance(100);
  return opened(at.news().at(-1));
}
