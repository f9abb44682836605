import { describe, expect, test } from "vitest";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import {
  type Bench,
  chipAnswer,
  createBench,
  held,
  identified,
  idles,
  ONLINE,
  running,
  SEALED,
  waiting,
} from "./bench.ts";
import { vectors } from "./vectors.ts";

/*
 * Clear card data by the side doors: what stands for ciphertext, what is no object, a third track, and words of the
 * device's own.
 */

const CLEAR_TRACK_2 = "4761739001010010D22122011234567F";
const MASKED_TRACK_2 = "4761CCCCCCCC0010D2212201CCCCCCCC";

const endingOf = (bench: Bench, n: number): unknown => bench.look().notices.find((notice) => notice.n === n);

describe("clear card data in the place of ciphertext", () => {
  test.each([
    ["without a mark, behind its masked form", `57A110${MASKED_TRACK_2}5710${CLEAR_TRACK_2}`],
    ["marked as encrypted", `57A110${MASKED_TRACK_2}57C110${CLEAR_TRACK_2}`],
    [
      "marked as encrypted, in the object that is encrypted as a whole",
      `57A110${MASKED_TRACK_2}57C1185710${CLEAR_TRACK_2}000000000000`,
    ],
    ["marked as encrypted, without a masked form", `57C110${CLEAR_TRACK_2}`],
    ["marked as masked, in a template of the device's own", `FF8105A1125710${CLEAR_TRACK_2}`],
  ])("%s is told as such, and goes nowhere", (_what, objects) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(ONLINE.replace(SEALED.slice(28), objects));
    idles(bench);
    const ending = endingOf(bench, n);
    expect(ending).toMatchObject({ on: "fault", code: "clear-card-data" });
    expect(JSON.stringify(ending)).not.toContain("4761739001010010");
  });

  test("an empty object behind a masked one is no ciphertext: the next that is some counts", () => {
    const bench = createBench();
    const n = running(bench);
    const { enc5A } = vectors.demo;
    const length = (enc5A.length / 2 + 0xc000).toString(16).slice(2).toUpperCase();
    bench.answer(ONLINE.replace(SEALED.slice(28), `57A110${MASKED_TRACK_2}57005AC1${length}${enc5A}`));
    const ending = bench.look().notices.find((notice) => notice.n === n && notice.on === "card");
    expect(ending?.on === "card" && ending.card.sred?.data.reveal()).toBe(enc5A);
  });

  test("ciphertext that happens to begin like a number is ciphertext", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(ONLINE.replace(vectors.demo.enc57, `476173900101001F${vectors.demo.enc57.slice(16)}`));
    expect(endingOf(bench, n)).toMatchObject({ on: "card" });
  });
});

const record = (text: string, type = "1B"): string => {
  const body = fromHex(`${type}${"00".repeat(4)}${toHex(new TextEncoder().encode(text))}`);
  const length = body.length;
  const sums = [body.reduce((all, byte) => all ^ byte, 0), body.reduce((all, byte) => (all + byte) & 0xff, 0)];
  return toHex(Uint8Array.of(0x02, length & 0xff, length >> 8, ...body, ...sums, 0x03));
};

test("a swipe in a record that is not an encrypted one is clear card data where its tracks are clear", () => {
  const bench = createBench();
  const n = waiting(bench, ALL);
  const clear = record(";4761739001010010=22122011234567?");
  bench.answer(`0200 C8DFEE2381${(clear.length / 2).toString(16).padStart(2, "0")}${clear}`);
  idles(bench);
  expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "clear-card-data" });
});

test("an answer that is no objects, but a track, is clear card data", () => {
  const bench = createBench();
  const n = waiting(bench, ALL);
  bench.answer(`0200 00${toHex(new TextEncoder().encode(";4761739001010010=22122011234567?"))}`);
  idles(bench);
  expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "clear-card-data" });
});

test("a number in the words with which the device starts is not repeated", () => {
  for (const bench of [held(createBench()), identified(createBench())]) {
    const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    const collect = bench.command({ do: "collect", request: ALL });
    bench.tell(`1401 ${toHex(new TextEncoder().encode("PAN 4761739001010010 NEO v1.01"))}`);
    const { notices } = bench.look();
    expect(notices.filter((notice) => notice.on === "fault" && (notice.n === n || notice.n === collect))).toHaveLength(
      2,
    );
    expect(JSON.stringify(notices)).not.toContain("4761739001010010");
  }
});

test("a decline with clear data in its answer is told, and so is the leak", () => {
  const bench = held(createBench());
  const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
  bench.answer(chipAnswer("0003", "00", "0289", `5710${CLEAR_TRACK_2}`));
  expect(bench.look().notices).toMatchObject([
    { n, on: "finished", verdict: "declined" },
    { n: 0, on: "fault", code: "clear-card-data" },
  ]);
});
