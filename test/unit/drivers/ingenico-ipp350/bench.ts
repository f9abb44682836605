import { ingenicoIpp350Spec, type RbaState } from "../../../../drivers/ingenico-ipp350/driver.ts";
import { ACK, cutFrames, encodeFrame, FS, GS } from "../../../../drivers/ingenico-ipp350/frame.ts";
import { bytesIn, reportsOf, TO_DEVICE, TO_HOST } from "../../../../drivers/ingenico-ipp350/reports.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { ascii } from "../../../../src/kit/bytes.ts";
import type { TransportKind } from "../../../../src/terminal/driver.ts";
import { createDriverBench, type DriverBench, SALE } from "../../../support/driver-bench.ts";

/**
 * A driver on a bench: events go in by hand, and everything it does is kept. Its frames are acknowledged at once, and
 * its device is set to euros. Bodies have "|" for FS and "~" for GS.
 */
export interface Bench extends DriverBench<RbaState> {
  /** Without the line's own. */
  timers(): Readonly<Record<string, number>>;
  /** Bodies of the device's. */
  tell(...bodies: readonly string[]): void;
}

const plain = (text: string): string => text.replaceAll("|", FS).replaceAll("~", GS);
const shown = (body: Uint8Array): string => ascii(body).replaceAll(FS, "|").replaceAll(GS, "~");
const NOTHING = new Uint8Array(0);

export function createBench(transport: TransportKind = "tcp", options: Readonly<Record<string, string>> = {}): Bench {
  const chunks = (bytes: Uint8Array): readonly Uint8Array[] =>
    transport === "usb" ? reportsOf(TO_HOST, bytes) : [bytes];
  const bodiesIn = (written: readonly Uint8Array[]): readonly string[] => {
    const stream = Uint8Array.from(
      written.flatMap((one) => [...(transport === "usb" ? bytesIn(TO_DEVICE, one) : one)]),
    );
    return cutFrames(false)(NOTHING, stream).items.flatMap((item) => (item.is === "frame" ? [shown(item.body)] : []));
  };
  const says = (bytes: Uint8Array): void => {
    for (const chunk of chunks(bytes)) bench.feed({ on: "bytes", bytes: chunk });
  };
  const acknowledge = (sent: readonly string[]): void => {
    for (const _each of sent) says(Uint8Array.of(ACK));
  };
  const bench = createDriverBench({
    spec: ingenicoIpp350Spec,
    transport,
    options: { currency: "EUR", ...options },
    inWords: bodiesIn,
    afterwards: acknowledge,
  });
  return {
    ...bench,
    timers: () => Object.fromEntries(Object.entries(bench.timers()).filter(([name]) => !name.startsWith("line-"))),
    tell: (...bodies) => {
      for (const body of bodies) says(encodeFrame(plain(body)));
    },
  };
}

export const UNIT = "07.INGENICO|iPP350|80412345|128|256||SEC 4|OS 22|RBA 23.0.4|E|F|||80412345|DC 7|ENG 4";
/** Settings in the order in which they are asked for, and variables. */
export const SETTINGS = [
  ...[
    "61.291~1~19|",
    "61.26~7~1|",
    "61.219~1~1|",
    "61.219~21~0|",
    "61.28~1~9|",
    "61.27~29~1|",
    "61.214~1~PKG 7|",
    "61.214~10~0007|",
  ],
  ...["29.20000202011526", "29.20000201143000", "29.2000050060000"],
];

/** Opens the link and identifies a device; everything that happened is already looked at. */
export function identified(bench: Bench, unit: string = UNIT): Bench {
  bench.feed({ on: "opened" });
  if ("settle" in bench.timers()) bench.fire("settle");
  bench.command({ do: "identify" });
  bench.tell("00.0000", unit, ...SETTINGS);
  bench.look();
  return bench;
}

export const CIPHER = "00112233445566778899AABBCCDDEEFF";
export const KSN = "FFFF9876543210E00001";
const SEALED = `TFF1F:00${`1:2:${CIPHER}:${KSN}`.length.toString(16).toUpperCase().padStart(2, "0")}:a1:2:${CIPHER}:${KSN}|`;
export const PIN = "1B9C1845EB993A7A";
const MASKED = "T57:0011:h4761730000001119D31122010000000000|T5A:0008:h4761730000001119|";
const COMMON =
  "T9F02:0006:h000000001234|T9C:0001:h00|T5F2A:0002:h0978|T9F36:0002:h0289|T9F26:0008:h1122334455667788|T95:0005:h8000008000|";

/** 33.NN of a card: cryptogram information (9F27), the device's last word (1003) where there is one, and `more`. */
export function emv(step: string, information: string, word = "", more = ""): string {
  const last = word === "" ? "" : `D1003:0001:a${word}|`;
  return `33.${step}.0000|${MASKED}${SEALED}${COMMON}T9F27:0001:h${information}|${last}${more}`;
}

export const PREPARED = `33.02.0000|${MASKED}T84:0007:hA0000000031010|`;
export const ONLINE_PIN_RULE = "T9F34:0003:h420300|";
export const TRACKS = `%B4761730000001119^TEST CARD/VISA^31121010000000000?|;4761730000001119=31121010000000000?|1:4:${CIPHER}:${KSN}`;
export const chipTracks = (tracks: string = TRACKS): string => tracks.replaceAll("3112101", "3112201");

/** A collect that waits for a card: 23. was sent. Returns its number. */
export function waiting(bench: Bench, request: CollectRequest = SALE): number {
  identified(bench);
  const n = bench.command({ do: "collect", request });
  bench.tell("13.0");
  bench.look();
  return n;
}

/** A chip whose first cryptogram is asked for: the amount was confirmed. */
export function authorizing(bench: Bench, request: CollectRequest = SALE): number {
  const n = waiting(bench, request);
  bench.tell("09.020201I", "23.0S", "33.00.0000", PREPARED, "04.0B0000", "13.0");
  bench.look();
  return n;
}

/** A chip that gave its ARQC and waits. */
export function held(bench: Bench): Bench {
  authorizing(bench);
  bench.tell(emv("03", "80"));
  bench.look();
  return bench;
}
