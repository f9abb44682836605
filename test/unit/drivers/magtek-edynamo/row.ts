import { timerNames } from "../../../../drivers/magtek-edynamo/flow.ts";
import { LONGEST_FRAME, LONGEST_MESSAGE } from "../../../../drivers/magtek-edynamo/frame.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { deedsWith, driverOf } from "../driver-row.ts";
import { arqc, type Bench, createBench, held, identified, resultOf } from "./bench.ts";

const PAN = "4761739001010119";
const EVENTS = ["01", "02", "03", "06", "07", "08", "09", "0A"];
const STAGES = ["00", "02", "11", "12", "13", "14", "17", "28", "2A", "31"];
const STATUSES = ["00", "01", "02", "10", "1E", "21", "22", "23", "FF"];

function ends(bench: Bench, stage: string, status: string): void {
  bench.pending();
  bench.result();
  bench.progress("06", stage);
  bench.tell("result", resultOf(status));
}

export const magtekEdynamo = driverOf<Bench>({
  driver: "magtek-edynamo",
  transports: ["serial", "usb"],
  bench: (transport) => createBench("tdynamo", transport),
  held: (bench) => void held(identified(bench)),
  approves: (bench) => ends(bench, "13", "00"),
  declines: (bench) => ends(bench, "14", "01"),
  otherSales: {
    tap: (bench) => void held(identified(bench), { type: "06" }, "03"),
  },
  deeds: {
    ...deedsWith("tells the result", ["0000", "0000", "038D", "038F", "0381", "0396"], (bench, result) =>
      bench.result(result),
    ),
    ...deedsWith("answers", [0x00, 0x06, 0x02], (bench, code) => bench.answer(code, "423346")),
    "says that it is at work": (bench) => bench.pending(),
    ...deedsWith(
      "tells progress",
      EVENTS.flatMap((event) => STAGES.map((stage) => [event, stage] as const)),
      (bench, [event, stage]) => bench.progress(event, stage),
    ),
    ...deedsWith("gives an ARQC of type", ["01", "05", "06", "07"], (bench, type) =>
      bench.tell("arqc", arqc({ type })),
    ),
    ...deedsWith("gives an ARQC with, in clear,", ["5A", "57", "9F6B", "82"], (bench, tag) =>
      bench.tell("arqc", arqc({ more: [{ tag, value: fromHex(PAN) }] })),
    ),
    ...deedsWith("gives the result", STATUSES, (bench, status) => bench.tell("result", resultOf(status))),
    ...deedsWith("gives a result that is cut off", STATUSES, (bench, status) =>
      bench.tell("result", resultOf(status).slice(0, -6)),
    ),
    ...deedsWith("tells", ["progress", "arqc", "result"] as const, (bench, name) =>
      bench.tell(
        name,
        Uint8Array.from({ length: 20 }, (_, at) => at * 13),
      ),
    ),
  },
  harmless: {
    "says besides that it is at work": (bench) => bench.pending(),
    ...deedsWith("tells progress besides", ["00", "2A"], (bench, stage) => bench.progress("03", stage)),
  },
  timers: timerNames,
  oneJob: (bench) => bench.state().one,
  sizes: (bench) => {
    const { pending, assembly } = bench.state().one.codec;
    return {
      "bytes of a frame": [pending.length, LONGEST_FRAME],
      "bytes of a message": [assembly?.soFar.length ?? 0, LONGEST_MESSAGE],
    };
  },
  clear: [PAN],
});
