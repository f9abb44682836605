import { timerNames } from "../../../../drivers/magtek-dynaflex/flow.ts";
import { LONGEST_FRAME } from "../../../../drivers/magtek-dynaflex/frame.ts";
import { properties } from "../../../../drivers/magtek-dynaflex/identity.ts";
import { commands, LONGEST_MESSAGE, parseMessage } from "../../../../drivers/magtek-dynaflex/message.ts";
import { payloadFor } from "../../../../drivers/magtek-dynaflex/properties.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { APPROVE, deedsWith, driverOf } from "../driver-row.ts";
import { arqc, type Bench, batch, createBench, held } from "./bench.ts";
import { vectors } from "./vectors.ts";

const PAN = "4761739001010119";
const DETAILS = ["000000", "020304", "020305", "020308", "010109", "02011C", "02030D", "FFFFFF"];
const OUTCOMES = [
  ...["00010000", "00030100", "00030200", "08030500", "10020002", "10020600", "10020300", "10020700", "10028000"],
  ...["20020600", "20020D00", "08020600"],
];
const PROGRESS = ["10010200", "10010300", "20010400", "20010500", "08010100", "10020601"];
const DEVICE = ["00000000", "00010000", "00020100", "01020000", "01030000", "02000000"];
const REFERENCES = Array.from({ length: 8 }, (_, at) => at * 5 + 1);

/** Answers whatever command with this reference. */
function answersTo(bench: Bench, ref: number): void {
  for (const command of Object.values(commands))
    bench.says({ is: "response", ref, command, summary: 0, detail: "000000", payload: new Uint8Array(0) });
}

function answers(bench: Bench, detail: string): void {
  const asked = bench.last();
  if (asked === undefined) return;
  const isProperty = asked.command === commands["get-property"];
  bench.answer(detail, isProperty ? payloadFor(properties.serialNumber, fromHex("B6032260")) : undefined);
}

function answersAnother(bench: Bench): void {
  if (bench.last() !== undefined) bench.answerAnother();
}

function says(bench: Bench, hex: string): void {
  const message = parseMessage(fromHex(hex));
  if (typeof message !== "string" && message.is !== "other") bench.says(message);
}

export const magtekDynaflex = driverOf<Bench>({
  driver: "magtek-dynaflex",
  transports: ["usb", "serial", "websocket"],
  bench: createBench,
  held,
  approves: (bench) => {
    bench.answer();
    bench.tell("outcome", "10020600");
    bench.tell("progress", "10080302", batch("00"));
  },
  declines: (bench) => {
    bench.answer();
    bench.tell("outcome", "10028000");
    bench.tell("progress", "10080302", batch("01"));
  },
  otherSales: {
    tap: (bench) => {
      held(bench, "20");
      bench.command(APPROVE);
      bench.answer();
    },
  },
  deeds: {
    ...deedsWith("answers", [...DETAILS, "000000", "000000"], answers),
    ...deedsWith("answers as to request", REFERENCES, answersTo),
    "answers another host": answersAnother,
    ...deedsWith("tells progress", PROGRESS, (bench, code) => bench.tell("progress", code)),
    ...deedsWith("tells the outcome", OUTCOMES, (bench, code) => bench.tell("outcome", code)),
    ...deedsWith("tells of the device", DEVICE, (bench, code) => bench.tell("device", code)),
    ...deedsWith("tells of the screen", ["02010100", "02020000"], (bench, code) => bench.tell("screen", code)),
    ...deedsWith("gives an ARQC", ["10080202", "20080202", "08080202"], (bench, code) =>
      bench.tell("progress", code, arqc({ type: "" })),
    ),
    ...deedsWith("gives an ARQC with, in clear,", ["5A", "57", "9F6B", "82", "DF42"], (bench, tag) =>
      bench.tell("progress", "10080202", arqc({ more: [[tag, PAN]] })),
    ),
    ...deedsWith("gives batch data", ["00", "01"], (bench, word) => bench.tell("progress", "10080302", batch(word))),
    ...deedsWith(
      "says, as published,",
      vectors.messages.map(({ hex }) => hex),
      says,
    ),
  },
  harmless: {
    "answers another host besides": answersAnother,
    ...deedsWith("tells besides of the screen", ["02010100", "02020000"], (bench, code) => bench.tell("screen", code)),
  },
  timers: timerNames,
  oneJob: (bench) => bench.state(),
  sizes: (bench) => {
    const { pending, assembly } = bench.state().codec;
    return {
      "bytes of a frame": [pending.length, LONGEST_FRAME],
      "bytes of a message": [assembly?.soFar.length ?? 0, LONGEST_MESSAGE - 1],
    };
  },
  clear: [PAN],
});
