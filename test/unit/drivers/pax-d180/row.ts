import { timerNames } from "../../../../drivers/pax-d180/flow.ts";
import { LONGEST_FRAME } from "../../../../drivers/pax-d180/frame.ts";
import { lineTimers, MOST_WAITING } from "../../../../src/terminal/acknowledged-line.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { deedsWith, driverOf } from "../driver-row.ts";
import { answerHex, type Bench, createBench, EMPTY_SLOT, held, object, SEALED_57, waiting } from "./bench.ts";
import { vectors } from "./vectors.ts";

const PAN = "4761739001010119";
const RETURN_CODES = [0, -1, -2, -7, -8, -11, -22, -301, -320, -344, -0x110000, -0xffff, -0x10000 - 320];
const COMMANDS = [
  0x9019, 0x9020, 0x9034, 0x9036, 0x903d, 0x903e, 0x904f, 0x9048, 0x9050, 0x9051, 0x9053, 0x9054, 0x9059, 0x9082,
  0x9083, 0x9097, 0x9098, 0x9099, 0x909a, 0x90a3, 0x90a4,
];
const DATA = [
  "",
  "00",
  "01",
  "02",
  "1B",
  object("80"),
  object("40"),
  object(`${PAN}D31122010000000000`),
  object(SEALED_57),
  "FFFF9876543210E00001",
  "0500",
];
const ANSWERS = [
  ...COMMANDS.flatMap((command) => RETURN_CODES.map((rc) => answerHex(command, rc))),
  ...COMMANDS.flatMap((command) => DATA.map((data) => answerHex(command, 0, data))),
  ...DATA.map((data) => answerHex(0x9082, -0x110000, data)),
];

const bytes = (bench: Bench, hex: string): void => bench.bytes(hex);

function answersAsUsual(bench: Bench, commands: number): void {
  for (let answered = 0; answered < commands; answered += 1) bench.runOne();
}

export const paxD180 = driverOf<Bench>({
  driver: "pax-d180",
  transports: ["tcp", "serial"],
  bench: (transport) => createBench(transport),
  held,
  approves: (bench) => bench.runTo(undefined, { "9F27": [0, object("40")] }),
  declines: (bench) => bench.runTo(undefined, { complete: [0, "00"], "9F27": [0, object("00")] }),
  otherSales: {
    swipe: (bench) => {
      waiting(bench, ALL);
      bench.fire("poll");
      bench.runTo(undefined, { ...EMPTY_SLOT, swiped: [0, "00"], tracks: [0, "0005AABBCCDDEE00"] });
    },
  },
  deeds: {
    ...deedsWith("says", ANSWERS, bytes),
    ...deedsWith("answers as usual", [1, 5, 20, 60], answersAsUsual),
    ...deedsWith("asks", [0xb0, 0xb1, 0xb2, 0xb4, 0xb6, 0xc0, 0xff], (bench, sub) => bench.callBack(sub, "02000300")),
    ...deedsWith(
      "says, as published,",
      vectors.frames.map(({ hex }) => hex),
      bytes,
    ),
    ...deedsWith("acknowledges or refuses with", ["06", "15"], bytes),
  },
  harmless: deedsWith("acknowledges besides", ["06"], bytes),
  timers: [...timerNames, ...lineTimers],
  oneJob: (bench) => bench.state().inner,
  sizes: (bench) => {
    const { line } = bench.state();
    return {
      "bytes of a frame": [line.pending.length, LONGEST_FRAME - 1],
      "frames that wait": [line.waiting.length, MOST_WAITING],
    };
  },
  clear: [PAN],
});
