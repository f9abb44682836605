import { timerNames } from "../../../../drivers/idtech-vp3300/flow.ts";
import { LONGEST_DATA } from "../../../../drivers/idtech-vp3300/frame.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { APPROVE, deedsWith, driverOf } from "../driver-row.ts";
import {
  type Bench,
  chipAnswer,
  createBench,
  DATA_KEY,
  DONE,
  FIRMWARE,
  held,
  MODULES,
  MORE,
  ONLINE,
  SELECTED,
  SERIAL,
  swipeAnswer,
  tapAnswer,
  waiting,
} from "./bench.ts";
import { vectors } from "./vectors.ts";

const PAN = "4761739001010119";
const ANSWERS = [
  ...[...Object.values(DONE), FIRMWARE, SERIAL, DATA_KEY, MODULES, MORE, SELECTED, ONLINE],
  ...["0208", "0281", "020A", "600A", "6090", "601D"],
  ...["0000", "0001", "0002", "0003", "0007", "0011", "0012", "007A", "3005", "5023", "FFFF"].map(
    (result) => `6000 C0DFEE2502${result}9F270140`,
  ),
  ...[chipAnswer("0002", "40"), chipAnswer("0003", "00"), chipAnswer("0004", "80", "0289", `5A08${PAN}`)],
  ...[chipAnswer("0002", "40", "0289", `5708${PAN}`), tapAnswer("23", "80", `5A08${PAN}`)],
  ...[tapAnswer("23", "80"), tapAnswer("00", "40"), swipeAnswer()],
  ...["020A 01FFEE1F0430000000", "020A 01FFEE1F0402000000"],
];
const TOLD = [
  "F200 01",
  "F200 00",
  "1401 4E454F",
  "6101 01 0000 0200 454E 0000 0000",
  "6102 01",
  "6101 03 0000 0200 454E 0300 810E1C 0000",
];

export const idtechVp3300 = driverOf<Bench>({
  driver: "idtech-vp3300",
  transports: ["serial", "usb"],
  bench: createBench,
  held,
  approves: (bench) => bench.answer(MORE, chipAnswer("0002", "40")),
  declines: (bench) => bench.answer(MORE, chipAnswer("0003", "00")),
  otherSales: {
    tap: (bench) => {
      waiting(bench, ALL);
      bench.answer(tapAnswer("23", "80"));
      bench.command(APPROVE);
    },
    swipe: (bench) => {
      waiting(bench, ALL);
      bench.answer(swipeAnswer());
      bench.command(APPROVE);
    },
  },
  deeds: {
    ...deedsWith("answers", ANSWERS, (bench, text) => bench.answer(text)),
    ...deedsWith("tells", TOLD, (bench, text) => bench.tell(text)),
    ...deedsWith(
      "says, as published,",
      vectors.frames.map(({ hex }) => hex),
      (bench, hex) => bench.feed({ on: "bytes", bytes: fromHex(hex) }),
    ),
  },
  harmless: deedsWith("tells besides", ["F200 01", "6102 01", "6101 01 0000 0200 454E 0000 0000"], (bench, text) =>
    bench.tell(text),
  ),
  timers: timerNames,
  oneJob: (bench) => bench.state(),
  sizes: (bench) => ({ "bytes of a frame": [bench.state().codec.pending.length, LONGEST_DATA + 299] }),
  clear: [PAN],
});
