import { type PaxState, paxD180Spec } from "../../../../drivers/pax-d180/driver.ts";
import { ACK, cutLine, encodeFrame, type Frame, frameIn } from "../../../../drivers/pax-d180/frame.ts";
import { answerFrame, callBackFrame, nameOf, word } from "../../../../drivers/pax-d180/message.ts";
import { SEALED } from "../../../../drivers/pax-d180/status-codes.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import type { TransportKind } from "../../../../src/terminal/driver.ts";
import { createDriverBench, type DriverBench, SALE } from "../../../support/driver-bench.ts";

/** What a device answers to a command: a return code, and what stands behind it in hexadecimal. */
export type Answer = readonly [rc: number, data?: string];
/** What answers what: a command by its name, an object by its tag. */
export type Script = Readonly<Record<string, Answer>>;

/** A driver on a bench: events go in by hand, and everything it does is kept. */
export interface Bench extends DriverBench<PaxState> {
  /**
   * Everything since the last look: commands ("select 0000000001"), other bytes ("06"), notices, and whether the link
   * is to be reopened.
   */
  look(): ReturnType<DriverBench<PaxState>["look"]> & { readonly bytes: readonly string[] };
  /** Timers that run, with their milliseconds; how long a repetition counts as one is left out. */
  timers(): Readonly<Record<string, number>>;
  bytes(hex: string | Uint8Array): void;
  /** Acknowledges and answers the command that is outstanding. */
  answer(rc: number, data?: string): void;
  /** The device asks something while it works. */
  callBack(sub: number, data: string): void;
  /**
   * Answers one command after the other by the script, then by the usual answers, until the named command is
   * outstanding or nothing is.
   */
  runTo(stop: string | undefined, script?: Script): void;
  /** Answers the command that is outstanding as usual. */
  runOne(): void;
  /** The command that is outstanding: its name, and the tag where it has one. */
  outstanding(): string | undefined;
}

const KSN = "FFFF9876543210E00001";
export const SEALED_57 = "1122334455667788112233445566778811223344556677AA";

/** Objects of a card that wants to go online for 12.34 EUR. */
export const OBJECTS: Readonly<Record<string, string>> = {
  "9F26": "52A596394EDA96D9",
  "9F27": "80",
  "9F36": "0289",
  "9F10": "06010A03A00000",
  "82": "1C00",
  "95": "8000008000",
  "9F37": "11223344",
  "9A": "260115",
  "9C": "00",
  "9F02": "000000001234",
  "5F2A": "0978",
  "9F1A": "0276",
  "9F33": "6028C8",
  "84": "A0000000031010",
  "50": "56495341",
};

const text = (words: string): string => toHex(Uint8Array.of(words.length, ...new TextEncoder().encode(words)));

const USUAL: Script = {
  serial: [0, text("12345678")],
  terminal: [0, `23${"00".repeat(29)}`],
  versions: [0, "0201300102030400"],
  "emv-version": [0, text("v6.14")],
  "ped-version": [0, text("1.02")],
  clock: [0, "26011514300004"],
  ksn: [0, KSN],
  "key-hit": [0, "01"],
  key: [0, "FF"],
  slot: [0, "00"],
  swiped: [0, "01"],
  start: [0, "02"],
};

/** A4: the card does as it is told. */
const TC: Answer = [0, "01"];
const DECLINED_BY_HOST: Answer = [0, "03"];

/** An object as a device tells it. */
export function object(hex: string): string {
  return toHex(word(hex.length / 2)) + hex;
}

export function createBench(transport: TransportKind = "tcp", options: Readonly<Record<string, string>> = {}): Bench {
  let others: string[] = [];
  let open: Frame | undefined;
  const commandsIn = (written: readonly Uint8Array[]): readonly string[] =>
    written.flatMap((bytes) => {
      const [item] = cutLine(new Uint8Array(0), bytes).items;
      if (item?.is !== "frame") {
        others.push(toHex(bytes));
        return [];
      }
      const frame = frameIn(item.body);
      const name = nameOf(frame);
      if (name !== undefined) open = frame;
      return [`${name ?? toHex(Uint8Array.of(frame.command, frame.sub))} ${toHex(frame.data)}`.trim()];
    });
  const bench = createDriverBench({ spec: paxD180Spec, transport, options, inWords: commandsIn });
  const nameNow = (): string | undefined => {
    if (open === undefined) return undefined;
    const name = nameOf(open);
    return name === "get-object" ? toHex(open.data).replace(/^00/, "") : name;
  };
  const answer = (rc: number, data = ""): void => {
    const frame = open;
    if (frame === undefined) throw new Error("nothing is outstanding");
    open = undefined;
    bench.feed({ on: "bytes", bytes: concat(Uint8Array.of(ACK), answerFrame(frame, rc, fromHex(data))) });
  };
  const usual = (name: string): Answer => {
    const known = USUAL[name];
    if (known !== undefined) return known;
    if (name === "complete") return open?.data[0] === 0 ? TC : DECLINED_BY_HOST;
    if (name === "57") return [SEALED, object(SEALED_57)];
    const value = OBJECTS[name];
    if (value !== undefined) return [0, object(value)];
    return /^[0-9A-F]{2,4}$/.test(name) ? [-16] : [0];
  };
  return {
    ...bench,
    look: () => {
      const seen = { ...bench.look(), bytes: others };
      others = [];
      return seen;
    },
    timers: () => Object.fromEntries(Object.entries(bench.timers()).filter(([name]) => name !== "line-repeat")),
    bytes: (hex) => bench.feed({ on: "bytes", bytes: typeof hex === "string" ? fromHex(hex) : hex }),
    answer,
    callBack: (sub, data) =>
      bench.feed({ on: "bytes", bytes: concat(Uint8Array.of(ACK), callBackFrame(sub, fromHex(data))) }),
    runTo: (stop, script = {}) => {
      for (let steps = 0; steps < 200; steps += 1) {
        const name = nameNow();
        if (name === undefined || name === stop) return;
        const [rc, data] = script[name] ?? usual(name);
        answer(rc, data);
      }
      throw new Error(`${stop ?? "the end"} was not reached`);
    },
    runOne: () => {
      const name = nameNow();
      if (name !== undefined) answer(...usual(name));
    },
    outstanding: nameNow,
  };
}

/** A whole answer as bytes, without the acknowledgement before it. */
export function answerHex(command: number, rc: number, data = ""): string {
  return toHex(encodeFrame({ command: command >> 8, sub: command & 0xff, data: concat(word(rc), fromHex(data)) }));
}

export const EMPTY_SLOT: Script = { slot: [0, "01"] };

/** Opens the link and identifies a D180 with its slot empty; everything that happened is already looked at. */
export function identified(bench: Bench, script: Script = {}): Bench {
  bench.feed({ on: "opened" });
  if ("settle" in bench.timers()) bench.fire("settle");
  bench.command({ do: "identify" });
  bench.runTo(undefined, { ...EMPTY_SLOT, ...script });
  bench.look();
  return bench;
}

/** A collect that waits for a card: a round is over and the device is left alone. Returns its number. */
export function waiting(bench: Bench, request: CollectRequest = SALE): number {
  identified(bench);
  const n = bench.command({ do: "collect", request });
  bench.runTo(undefined, EMPTY_SLOT);
  bench.look();
  return n;
}

/** A collect with a card in, at the named command. */
export function running(bench: Bench, stop: string, request: CollectRequest = SALE, script: Script = {}): number {
  identified(bench);
  const n = bench.command({ do: "collect", request });
  bench.runTo(stop, script);
  bench.look();
  return n;
}

/** A chip that gave its ARQC and waits. */
export function held(bench: Bench): Bench {
  identified(bench);
  bench.command({ do: "collect", request: SALE });
  bench.runTo(undefined);
  bench.look();
  return bench;
}
