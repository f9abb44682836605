import { describe, expect, test } from "vitest";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  CARD_IN,
  cardAnswer,
  createBench,
  deciding,
  held,
  identified,
  NO_CARD,
  OK,
  running,
  sealed,
  swipe,
  tapHeld,
  tapping,
  text,
  tlv,
  waiting,
} from "./bench.ts";

/*
 * What puts a terminal out of service: wherever it shows, and however little the device says afterwards (PROTOCOL.md 5
 * and 7.7).
 */

const PAN = "4761739001010119";
const TRACK = `${PAN}D15122011758989389`;
const CLEAR: readonly (readonly [string, string])[] = [
  ["5A", tlv("5A", PAN)],
  ["57", tlv("57", TRACK)],
  ["99", tlv("99", "1234")],
  ["5F22", tlv("5F22", text(`;${PAN}=15122011758989389?`))],
  ["DFDB01", tlv("DFDB01", text(PAN))],
  ["DFDB02", tlv("DFDB02", text("123"))],
  ["DFDB06", tlv("DFDB06", text(`;${PAN}=1512?`))],
];

/** A message that holds the object somewhere, told by an answer or unasked. */
const MESSAGES: readonly (readonly [string, (bench: Bench, object: string) => void])[] = [
  ["E4, answered", (bench, object) => bench.answer(cardAnswer("E4", { more: object }))],
  ["E4, unasked", (bench, object) => bench.event(cardAnswer("E4", { more: object }))],
  ["E5, unasked", (bench, object) => bench.event(answerIn("E5", object))],
  ["E7", (bench, object) => bench.event(answerIn("E7", object + sealed()))],
  ["E8", (bench, object) => bench.event(answerIn("E8", tlv("C6", object)))],
  ["6F", (bench, object) => bench.event(answerIn("6F", tlv("A5", tlv("BF0C", object))))],
  ["E6", (bench, object) => bench.event(answerIn("E6", tlv("C3", "02") + object))],
  ["a key", (bench, object) => bench.event(`${tlv("DFA205", "0D")}${object}9000`)],
  ["a list", (bench, object) => bench.answer(`${object}${sealed()}9000`)],
  ["a swipe", (bench, object) => bench.event(answerIn("E0", tlv("48", "0005") + object + sealed()))],
  ["an error", (bench, object) => bench.answer(`${tlv("E0", object)}9F26`)],
];

const STATES: readonly (readonly [string, (bench: Bench) => unknown])[] = [
  ["nothing", identified],
  ["identifying", (bench) => [bench.feed({ on: "opened" }), bench.command({ do: "identify" })]],
  ["waiting", waiting],
  ["the reader waits", tapping],
  ["the first cryptogram", deciding],
  ["a chip waits for its issuer", held],
  ["a tap waits for its issuer", tapHeld],
  ["being cancelled", (bench) => [running(bench), bench.command({ do: "cancel" })]],
  [
    "a number being typed",
    (bench) => identified(bench).command({ do: "collect", request: { ...SALE, interfaces: ["keyed"] } }),
  ],
  [
    "completing",
    (bench) => held(bench).command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } }),
  ],
];

describe("card data in clear", () => {
  test.each(STATES)("is told once, whatever message it is in, during: %s", (_state, begin) => {
    for (const [tag, object] of CLEAR) {
      for (const [message, say] of MESSAGES) {
        const bench = createBench();
        begin(bench);
        bench.look();
        say(bench, object);
        const { notices } = bench.look();
        const leaks = notices.filter((notice) => notice.on === "fault" && notice.code === "clear-card-data");
        expect(leaks, `${tag} in ${message}`).toEqual([
          {
            n: expect.any(Number),
            on: "fault",
            code: "clear-card-data",
            detail: `the device sent card data in clear: ${tag}`,
          },
        ]);
        expect(
          notices.filter(({ on }) => on === "card"),
          `${tag} in ${message}`,
        ).toEqual([]);
      }
    }
  });

  test("a verification number that is masked, or a swipe as recorded, is none", () => {
    const bench = identified(createBench());
    bench.answer(`${tlv("DFDB02", text("***"))}9000`, `${tlv("DFDB02", "AAAAAA")}9000`);
    bench.event(swipe("101"));
    expect(bench.look().notices).toEqual([{ n: 0, on: "slot", card: false }]);
  });
});

describe("a device that falls silent after it", () => {
  test.each([
    ["a leak", (bench: Bench) => bench.answer(cardAnswer("E4", { more: tlv("5A", PAN) })), "clear-card-data"],
    [
      "nothing sealed",
      (bench: Bench) => bench.answer(cardAnswer("E4", { block: sealed({ status: "00000001" }) })),
      "keys-missing",
    ],
    [
      "the old encryption",
      (bench: Bench) => bench.answer(cardAnswer("E4", { more: tlv("DFDF6F", "01") })),
      "misconfigured",
    ],
    ["no keys", (bench: Bench) => bench.answer("9F19"), "keys-missing"],
  ])("%s was told before, and is not dressed up as a device that did not answer", (_what, act, code) => {
    for (const end of ["timer", "closed"]) {
      const bench = createBench();
      const n = deciding(bench);
      act(bench);
      if (end === "timer") bench.fire("answer");
      else bench.feed({ on: "closed" });
      const { notices } = bench.look();
      expect(notices[0]).toMatchObject({ n, on: "fault", code });
      expect(notices.filter((notice) => notice.n === n)).toHaveLength(1);
    }
  });
});

describe("a status word that tells of keys", () => {
  const WORDS = [
    ["9F19", "keys-missing"],
    ["9F53", "misconfigured"],
    ["9F54", "misconfigured"],
    ["9F55", "misconfigured"],
  ] as const;
  const ENDS: readonly (readonly [string, (bench: Bench, word: string) => void])[] = [
    ["START", (bench, word) => [running(bench), bench.answer(word)]],
    ["the first CONTINUE", (bench, word) => [deciding(bench), bench.answer(word)]],
    ["START CONTACTLESS", (bench, word) => ready(bench, word)],
    ["the reader", (bench, word) => [tapping(bench), bench.event(word)]],
    [
      "MANUAL PAN",
      (bench, word) => [
        identified(bench).command({ do: "collect", request: { ...SALE, interfaces: ["keyed"] } }),
        bench.answer(word),
      ],
    ],
    [
      "ONLINE PIN",
      (bench, word) => {
        tapping(bench);
        bench.event(cardAnswer("E4", { results: "420300" }));
        bench.answer(word);
      },
    ],
  ];
  const ready = (bench: Bench, word: string): void => {
    identified(bench).command({ do: "collect", request: ALL });
    bench.answer(OK);
    bench.event(NO_CARD);
    bench.answer(word);
  };

  test.each(ENDS)("puts the terminal out of service wherever it comes: %s", (_where, end) => {
    for (const [word, code] of WORDS) {
      const bench = createBench();
      end(bench, word);
      const faults = bench.look().notices.filter(({ on }) => on === "fault");
      expect(faults, word).toMatchObject([{ n: 2, on: "fault", code, detail: expect.stringContaining(word) }]);
    }
  });
});

test("a fault carries four bytes of the device's own word at most", () => {
  const bench = createBench();
  deciding(bench);
  bench.answer(cardAnswer("E4", { block: sealed({ status: `00000001${PAN}` }) }));
  const { notices } = bench.look();
  expect(notices).toMatchObject([{ code: "keys-missing", detail: expect.stringContaining("DFDB0F 00000001)") }]);
  expect(JSON.stringify(notices)).not.toContain(PAN);
});

test("a card that comes in while a terminal out of service is brought back to idle is still seen", () => {
  const bench = createBench();
  deciding(bench);
  bench.answer("9F19");
  bench.event(NO_CARD, CARD_IN);
  expect(bench.look().notices).toContainEqual({ n: 0, on: "slot", card: true });
});
