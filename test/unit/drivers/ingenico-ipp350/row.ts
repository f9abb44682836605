import { timerNames } from "../../../../drivers/ingenico-ipp350/flow.ts";
import { ACK, LONGEST_PENDING, NAK } from "../../../../drivers/ingenico-ipp350/frame.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { lineTimers, MOST_WAITING } from "../../../../src/terminal/acknowledged-line.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { APPROVE, deedsWith, driverOf } from "../driver-row.ts";
import {
  type Bench,
  chipTracks,
  createBench,
  emv,
  held,
  KSN,
  ONLINE_PIN_RULE,
  PIN,
  PREPARED,
  SETTINGS,
  TRACKS,
  UNIT,
  waiting,
} from "./bench.ts";
import { vectors } from "./vectors.ts";

const BODIES = [
  ...["00.0000", "04.0B0000", "09.020201I", "09.020201R", "10.", "11.00Ready", "13.0", "13.1", "24.0"],
  ...["28.20000201", "28.20000202", "31.1", "31.a", `31.0${PIN}${KSN}`],
  ...["23.0S", "23.0E", "23.0Q", "23.1M||", "23.2", "23.7", "23.a"],
  ...[`23.0M${TRACKS}`, `23.0M${chipTracks()}`, `23.0C${TRACKS}`, `23.0H${TRACKS}`],
  ...["33.00.0000", "33.00.E000", PREPARED, "33.04.E000", "33.05.0000|D1003:0001:aE|D1010:0004:aCDIV|"],
  "33.03.0000|T57:FFFF:h00|",
  ...[emv("03", "80"), emv("03", "80", "", ONLINE_PIN_RULE)],
  ...[emv("05", "40", "A"), emv("05", "00", "D"), emv("05", "80", "D")],
  ...[UNIT, ...SETTINGS],
  emv("03", "80").replace("4761730000001119D", "4761739001011119D"),
  `23.0M${TRACKS.replace("4761730000001119=", "4761739001011119=")}`,
];

const says = (bench: Bench, hex: string): void => bench.feed({ on: "bytes", bytes: fromHex(hex) });

export const ingenicoIpp350 = driverOf<Bench>({
  driver: "ingenico-ipp350",
  transports: ["tcp", "serial", "usb"],
  bench: (transport) => createBench(transport),
  held,
  approves: (bench) => bench.tell(emv("05", "40", "A")),
  declines: (bench) => bench.tell(emv("05", "00", "D")),
  otherSales: {
    swipe: (bench) => {
      waiting(bench, ALL);
      bench.tell(`23.0M${TRACKS}`);
      bench.command(APPROVE);
    },
  },
  deeds: {
    ...deedsWith("tells", BODIES, (bench, body) => bench.tell(body)),
    ...deedsWith(
      "says, as published,",
      vectors.frames.map(({ hex }) => hex),
      says,
    ),
    acknowledges: (bench) => bench.feed({ on: "bytes", bytes: Uint8Array.of(ACK) }),
    refuses: (bench) => bench.feed({ on: "bytes", bytes: Uint8Array.of(NAK) }),
  },
  harmless: deedsWith("tells besides", ["11.00Ready", "24.0"], (bench, body) => bench.tell(body)),
  timers: [...timerNames, ...lineTimers],
  oneJob: (bench) => bench.state().inner,
  sizes: (bench) => {
    const { line } = bench.state();
    return {
      "bytes of a frame": [line.pending.length, LONGEST_PENDING],
      "frames that wait": [line.waiting.length, MOST_WAITING],
    };
  },
  clear: ["4761739001011119"],
});
