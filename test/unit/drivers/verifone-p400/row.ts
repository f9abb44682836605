import { timerNames } from "../../../../drivers/verifone-p400/flow.ts";
import { LONGEST_MESSAGE } from "../../../../drivers/verifone-p400/frame.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { APPROVE, deedsWith, driverOf } from "../driver-row.ts";
import type { Bench } from "./bench.ts";
import * as say from "./bench.ts";
import { vectors } from "./vectors.ts";

const { OK, tlv, text } = say;
const PAN = "4761739001010119";

const TC = say.cardAnswer("E3", { information: "40", block: "" });
const AAC = say.cardAnswer("E5", { information: "00", block: "" });
const ANSWERS = [
  ...[OK, say.RESET_ANSWER, say.ONE_READER, say.PIN_KEY, say.SRED_KEY, say.CLOCK_ANSWER, say.CONFIGURATION_ANSWER],
  ...["9F19", "9F22", "9F23", "9F25", "9F41", "9F43", "9F50", "9FFF"],
  ...[say.decisionWanted(), say.cardAnswer("E4"), say.cardAnswer("E4", { results: "420300" }), TC],
  ...[say.cardAnswer("E5", { information: "00" }), say.PIN_TYPED, say.NUMBER_TYPED, say.CARD_IN],
  `${tlv("DFDE7E", "41")}9000`,
];
const EVENTS = [
  ...[say.NO_CARD, say.CARD_IN, say.CARD_SILENT, say.SWIPE_FAILED, say.RED_KEY, say.POWERED_ON],
  ...[say.CHOOSE_APPLICATION, say.enterPin("03"), say.enterPin("02")],
  ...["9F31", "9F32", "9F33", "9F35", "9F36", "9F37", "9F41", OK],
  ...[say.cardAnswer("E4", { results: "1F0302" }), say.cardAnswer("E4", { results: "420300" })],
  ...[say.answerIn("E7", say.sealed()), say.answerIn("E3", ""), say.answerIn("E5", "")],
  ...[say.swipe("101"), say.swipe("201"), say.swipe("120")],
];
/** The number of a card in clear, in every object that can hold it. */
const LEAKS = [
  tlv("5A", PAN),
  tlv("57", `${PAN}D15122011758989389`),
  tlv("5F22", text(`;${PAN}=15122011758989389?`)),
  tlv("DFDB06", text(`;${PAN}=1512?`)),
  tlv("DFDB01", text(PAN)),
  tlv("C6", tlv("5A", PAN)),
  tlv("9F7C", PAN),
  tlv("5F20", text(PAN)),
  tlv("C4", text(PAN)),
  tlv("9F1E", text(PAN)),
];

const answers = (bench: Bench, body: string): void => bench.answer(body);
const tells = (bench: Bench, body: string): void => bench.event(body);
const says = (bench: Bench, hex: string): void => bench.feed({ on: "bytes", bytes: fromHex(hex) });

/** A device that waits for a card in whatever way. */
function reading(bench: Bench): void {
  say.tapping(bench, ALL);
}

export const verifoneP400 = driverOf<Bench>({
  driver: "verifone-p400",
  transports: ["tcp", "serial"],
  bench: (transport) => say.createBench({ transport }),
  held: (bench) => {
    say.deciding(bench);
    bench.event(say.enterPin("03"));
    bench.answer(say.cardAnswer("E4", { results: "420300" }), say.PIN_TYPED);
  },
  approves: (bench) => bench.answer(TC),
  declines: (bench) => bench.answer(AAC),
  otherSales: {
    tap: (bench) => {
      reading(bench);
      bench.event("9F35", say.cardAnswer("E4", { results: "420300" }));
      bench.answer(say.PIN_TYPED);
      bench.command({ do: "ask-pin", request: ALL });
      bench.answer(say.PIN_TYPED);
      bench.command(APPROVE);
      bench.answer(OK);
      bench.event(say.answerIn("E3", ""));
    },
    swipe: (bench) => {
      reading(bench);
      bench.event(say.swipe("120"));
      bench.answer(OK);
      bench.event("9F41");
      bench.answer(say.PIN_TYPED);
      bench.command(APPROVE);
      bench.answer(OK);
    },
    "number that is typed": (bench) => {
      say.identified(bench);
      bench.command({ do: "collect", request: { ...ALL, interfaces: ["keyed"] } });
      bench.answer(say.NUMBER_TYPED);
      bench.command(APPROVE);
      bench.answer(OK);
    },
  },
  deeds: {
    ...deedsWith("answers", ANSWERS, answers),
    ...deedsWith("tells", EVENTS, tells),
    ...deedsWith("answers E4 with", LEAKS, (bench, more) => bench.answer(say.cardAnswer("E4", { more }))),
    ...deedsWith("tells E4 with", LEAKS, (bench, more) => bench.event(say.cardAnswer("E4", { more }))),
    ...deedsWith("answers E5 with", LEAKS, (bench, more) =>
      bench.answer(say.cardAnswer("E5", { information: "00", more })),
    ),
    ...deedsWith("answers E2 with", LEAKS, (bench, leak) => bench.answer(say.answerIn("E2", tlv("C1", "00") + leak))),
    ...deedsWith("tells E0 with", LEAKS, (bench, leak) =>
      bench.event(say.answerIn("E0", tlv("48", "0005") + leak + say.sealed())),
    ),
    ...deedsWith("answers without a template", LEAKS, (bench, leak) => bench.answer(`${leak}${say.sealed()}9000`)),
    ...deedsWith("tells E6 with", LEAKS, (bench, leak) => bench.event(say.answerIn("E6", tlv("C3", "02") + leak))),
    ...deedsWith(
      "says, as recorded,",
      [...vectors.recorded, ...vectors.built].map(({ hex }) => hex),
      says,
    ),
  },
  harmless: {
    ...deedsWith(
      "tells besides",
      [
        say.enterPin("03"),
        say.RED_KEY.replace("1B9000", "0D9000"),
        say.answerIn("E6", tlv("C3", "0E")),
        ...["9F41", "9F36", OK, say.answerIn("E8", ""), say.cardAnswer("E4")],
      ],
      tells,
    ),
    "says an empty packet": (bench) => says(bench, "020002900090"),
  },
  timers: timerNames,
  othersTimers: ["daily", "greeting"],
  oneJob: (bench) => bench.state().one,
  sizes: (bench) => {
    const { codec, job } = bench.state().one;
    return {
      "bytes of a packet": [codec.pending.length, 257],
      "bytes of a chain": [Math.max(0, ...Object.values(codec.chains).map(({ length }) => length)), LONGEST_MESSAGE],
      "notices of a stop": [job.is === "stop" ? job.notices.length : 0, 5],
    };
  },
  clear: [PAN],
});
