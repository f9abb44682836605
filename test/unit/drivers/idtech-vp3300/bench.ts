import { newCodec, read } from "../../../../drivers/idtech-vp3300/codec.ts";
import { idtechVp3300Spec, type NeoState } from "../../../../drivers/idtech-vp3300/driver.ts";
import { encodeAnswer, encodeCommand } from "../../../../drivers/idtech-vp3300/frame.ts";
import { nameOf } from "../../../../drivers/idtech-vp3300/message.ts";
import { encodeMsrRecord } from "../../../../drivers/idtech-vp3300/msr-record.ts";
import { reportsOf } from "../../../../drivers/idtech-vp3300/reports.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import type { TransportKind } from "../../../../src/terminal/driver.ts";
import { createDriverBench, type DriverBench, SALE } from "../../../support/driver-bench.ts";
import { vectors } from "./vectors.ts";

/**
 * A driver on a bench: events go in by hand, and everything it does is kept. Answers are written as "command status
 * data", in hexadecimal.
 */
export interface Bench extends DriverBench<NeoState> {
  answer(...frames: readonly string[]): void;
  /** Something of the reader's own: its commands have their CRC the other way round. */
  tell(...frames: readonly string[]): void;
}

/** "60 00 C0..." as a frame. */
function frameIn(text: string, encode: typeof encodeAnswer = encodeAnswer): Uint8Array {
  const [command = 0, code = 0, ...data] = fromHex(text.replaceAll(" ", ""));
  return encode({ command, code, data: Uint8Array.from(data) });
}

export function createBench(transport: TransportKind = "serial"): Bench {
  const bench = createDriverBench({
    spec: idtechVp3300Spec,
    transport,
    inWords: (written) => written.flatMap(commandsIn),
  });
  const says = (frames: readonly string[], encode: typeof encodeAnswer): void => {
    for (const text of frames) {
      const frame = frameIn(text, encode);
      for (const bytes of transport === "usb" ? reportsOf(frame) : [frame]) bench.feed({ on: "bytes", bytes });
    }
  };
  return {
    ...bench,
    answer: (...frames) => says(frames, encodeAnswer),
    tell: (...frames) => says(frames, encodeCommand),
  };
}

function commandsIn(write: Uint8Array): readonly string[] {
  return read(newCodec("serial"), write).heard.map((frame) =>
    `${nameOf(frame) ?? "unknown"} ${toHex(frame.data)}`.trim(),
  );
}

const KSN = "FFFF987654320040000A";
const text = (words: string): string => toHex(new TextEncoder().encode(words));
export const firmwareOf = (words: string): string => `2900 ${text(words)}`;
export const FIRMWARE = firmwareOf("VP3300 USB NEO v1.01.064");
export const SERIAL = `1200 ${text("630T00001".padEnd(15, "\0"))}`;
export const DATA_KEY = `8100 010A${KSN}`;
export const MODULES = "0900 434C204149442C312E30350D0A454D564C322C312E31300D0A";
export const DONE = { cancel: "0500", ping: "1800", poll: "0100", switches: "0100" } as const;

/** What follows 05-01 until the device is idle: its answer, the pause, the answer to the ping. */
export function idles(bench: Bench): void {
  bench.answer(DONE.cancel);
  bench.fire("answer");
  bench.answer(DONE.ping);
}

/** Opens the link and identifies a VP3300; everything that happened is already looked at. */
export function identified(bench: Bench): Bench {
  bench.feed({ on: "opened" });
  if ("settle" in bench.timers()) bench.fire("settle");
  bench.command({ do: "identify" });
  idles(bench);
  bench.answer(FIRMWARE, SERIAL, DONE.poll, DATA_KEY, MODULES, DONE.switches);
  bench.look();
  return bench;
}

export const SEALED = `DFEE120A${KSN}57A1114761CCCCCCCC0010D2212201CCCCCCCCCC57C118${vectors.demo.enc57}`;
export const SELECTED = "6000 C0DFEE25020010 4F07A0000000031010";
export const MORE = "6063";

/** An answer of the chip to SALE: result, cryptogram information (9F27) and counter (9F36), then `more`. */
export function chipAnswer(result: string, information: string, atc = "0289", more = ""): string {
  return `6000 C0DFEE2502${result}${SEALED}950580000080009C01009F02060000000012349F260852A596394EDA96D99F2701${information}9F3602${atc}${more}`;
}
export const ONLINE = chipAnswer("0004", "80");

/** A tap in chip mode. */
export function tapAnswer(status: string, information: string, more = ""): string {
  return `02${status} E100${SEALED}9F02060000000012349F260811223344556677889F2701${information}9F36020007${more}`;
}

export function swipeAnswer(record: string = vectors.stripe.hex): string {
  return `0200 C8DFEE2381${(record.length / 2).toString(16).padStart(2, "0")}${record}9F390190`;
}

/** A collect that waits for a contact chip: 60-10 was sent. Returns its number. */
export function waiting(bench: Bench, request: CollectRequest = SALE): number {
  identified(bench);
  const n = bench.command({ do: "collect", request });
  bench.look();
  return n;
}

/** A collect whose transaction runs: 60-11 was sent. */
export function running(bench: Bench, request: CollectRequest = SALE): number {
  const n = waiting(bench, request);
  bench.answer(MORE, SELECTED);
  bench.look();
  return n;
}

/** A chip that gave its ARQC and waits. */
export function held(bench: Bench): Bench {
  running(bench);
  bench.answer(MORE, ONLINE);
  bench.look();
  return bench;
}

/** A swipe whose track 2 shows so much, and whose ciphertext is any. */
export function recordWith(masked: string): string {
  const encrypted = [new Uint8Array(0), new Uint8Array(Math.ceil(masked.length / 8) * 8).fill(0xb3)] as const;
  return toHex(
    encodeMsrRecord({
      masked: ["", masked],
      encrypted,
      serial: new Uint8Array(10),
      ksn: fromHex("FFFF987654320040000A"),
    }),
  );
}
