import { timerNames } from "../../../../drivers/miura-m020/flow.ts";
import { LONGEST_MESSAGE } from "../../../../drivers/miura-m020/frame.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { APPROVE, deedsWith, driverOf } from "../driver-row.ts";
import {
  type Bench,
  CARD_IN,
  CARD_UPSIDE_DOWN,
  CLOCK_ANSWER,
  CONFIGURATION_ANSWER,
  cardAnswer,
  createBench,
  E3_TC,
  E4_ARQC,
  E5_AAC,
  ENTER_PIN,
  INFO_ANSWER,
  identified,
  KEYS_READY,
  NO_CARD,
  NUMBER_SEALED,
  NUMBER_TYPED,
  PIN_OK,
  PIN_TYPED,
  RESET_ANSWER,
  running,
  SWIPE_FAILED,
  swipe,
  tapAnswer,
  tapHeld,
} from "./bench.ts";
import { vectors } from "./vectors.ts";

const PAN = "4761739001010119";
const ANSWERS = [
  ...["9000", "9F41", "9F30", "9FFF", "9F42", "9F43", "9F44", "9FC3", "089000"],
  ...[RESET_ANSWER, KEYS_READY, CLOCK_ANSWER, CONFIGURATION_ANSWER, INFO_ANSWER],
  ...[E3_TC, E4_ARQC, E5_AAC, PIN_TYPED, NUMBER_TYPED, NUMBER_SEALED],
  ...[tapAnswer("E4", "80", "1F0302"), tapAnswer("E4", "80", "420300"), tapAnswer("E5", "00", "1F0302")],
  ...[cardAnswer("E4", "80", "0289", `5A08${PAN}`), cardAnswer("E3", "40", "0289", `5708${PAN}`)],
];
const CANCEL_KEY = "E005DFA205011B9000";
const EVENTS = [
  ...[NO_CARD, CARD_IN, CARD_UPSIDE_DOWN, ENTER_PIN, PIN_OK, CANCEL_KEY],
  ...[swipe("101"), swipe("201"), swipe("120"), SWIPE_FAILED],
];

const answers = (bench: Bench, body: string): void => bench.answer(body);
const tells = (bench: Bench, body: string): void => bench.event(body);

export const miuraM020 = driverOf<Bench>({
  driver: "miura-m020",
  transports: ["tcp", "serial"],
  bench: createBench,
  held: (bench) => {
    running(bench);
    bench.event(ENTER_PIN, PIN_OK);
    bench.answer(E4_ARQC);
  },
  approves: (bench) => bench.answer(E3_TC),
  declines: (bench) => bench.answer(E5_AAC),
  otherSales: {
    tap: (bench) => {
      tapHeld(bench);
      bench.command(APPROVE);
      bench.answer(tapAnswer("E3", "40", "1F0302"));
    },
    "number that is typed": (bench) => {
      identified(bench);
      bench.command({ do: "collect", request: { ...ALL, interfaces: ["keyed"] } });
      bench.answer(NUMBER_SEALED);
      bench.command(APPROVE);
      bench.answer("9000");
    },
  },
  deeds: {
    ...deedsWith("answers", ANSWERS, answers),
    ...deedsWith("tells", EVENTS, tells),
    ...deedsWith(
      "says, as published,",
      vectors.packets.map(({ hex }) => hex),
      (bench, hex) => bench.feed({ on: "bytes", bytes: fromHex(hex) }),
    ),
  },
  harmless: {
    ...deedsWith("tells besides", [PIN_OK, CANCEL_KEY, "E605DFA40101039000"], tells),
    ...deedsWith("answers besides", ["9000", RESET_ANSWER], answers),
  },
  timers: timerNames,
  oneJob: (bench) => bench.state(),
  sizes: (bench) => {
    const { pending, chains } = bench.state().codec;
    return {
      "bytes of a packet": [pending.length, 257],
      "bytes of a chain": [Math.max(0, ...Object.values(chains).map(({ length }) => length)), LONGEST_MESSAGE],
    };
  },
  clear: [PAN],
});
