import { describe, expect, test } from "vitest";
import { leakIn, leakInTracks } from "../../../../drivers/ingenico-ipp350/sealed.ts";
import type { Tlv } from "../../../../src/emv/tlv.ts";
import { fromAscii } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { authorizing, CIPHER, createBench, emv, held, identified, KSN, SETTINGS, UNIT, waiting } from "./bench.ts";

const NUMBER = "4761739001010119";
const CLEAR = `;${NUMBER}=31122011234567890?`;

const hex = (tag: string, value: string): Tlv => ({ tag, value: fromHex(value) });
const text = (tag: string, value: string): Tlv => ({ tag, value: fromAscii(value) });
const tracks = (first: string, second = "", third = "") => ({ tracks: [first, second, third] as const });

describe("card data in clear where nobody looks for them", () => {
  test.each(["23.0E|", "23.0S|", "23.1M|", "23.2M|", "23.aM|", "23.0Q|"])(
    "%s with a track ends the collect",
    (head) => {
      const bench = createBench();
      const n = waiting(bench, ALL);
      bench.tell(`${head}${CLEAR}|`, "00.0000");
      expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "fault", code: "clear-card-data" });
    },
  );

  test.each([
    `87.0M${CLEAR}||`,
    `18.${CLEAR}|`,
    `41.M000${CLEAR}`,
    `29.20000398${NUMBER}=3112`,
    `23.0M${CLEAR}`,
    emv("03", "80", "", `TDFEE:0025:a${CLEAR}|`),
  ])("%s of an idle device, and of one that is asked who it is, is told", (body) => {
    const idle = identified(createBench());
    idle.tell(body);
    expect(idle.look().notices).toMatchObject([{ n: 0, on: "fault", code: "clear-card-data" }]);
    const asked = createBench();
    asked.feed({ on: "opened" });
    asked.command({ do: "identify" });
    asked.tell("00.0000", body);
    expect(asked.look().notices).toMatchObject([{ n: 0, on: "fault", code: "clear-card-data" }]);
  });

  test("a leak beside a completion is told behind the card's word, and does not end it", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    bench.tell(`23.0M${CLEAR}`);
    expect(bench.look().notices).toEqual([]);
    bench.tell(emv("05", "40", "A"));
    expect(bench.look().notices).toMatchObject([
      { n, on: "finished", verdict: "approved" },
      { n: 0, on: "fault", code: "clear-card-data" },
    ]);
  });

  test("an EMV message that cannot be read is looked at as far as it goes", () => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.tell(`33.03.0000|T5A:0009:h${NUMBER}|`, "00.0000");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "clear-card-data" }]);
  });

  test.each([
    [hex("70", `5A08${NUMBER}`), "5A"],
    [hex("E1", `700A5A08${NUMBER}`), "5A"],
    [text("DFEE", CLEAR), "DFEE"],
    [text("FF1D", "4761 7390 0101 0119"), "FF1D"],
    [text("1017", "%B3782 822463 10005^TEST^31121011234?"), "1017"],
    [hex("57", "4761730000000119D3112201123450000F"), "57"],
    [text("FF1F", `1:2:${toHex(fromAscii(`;${NUMBER}=31122010`))}:${KSN}`.replace(":3B", ":0000000000003B")), "FF1F"],
  ])("%j is a leak", (object, tag) => {
    expect(leakIn([object])).toBe(`the device sent card data in clear: ${tag}`);
  });

  test("tags are the same however many zeros stand before them", () => {
    for (const tag of ["5A", "05A", "005A", "00005A", "0000005A"]) {
      const bench = createBench();
      const n = authorizing(bench);
      bench.tell(`33.03.0000|T${tag}:0008:h${NUMBER}|`, "00.0000");
      expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "clear-card-data" }]);
    }
  });

  test("a verification number that was typed is one, zeros in its place are not", () => {
    const typed = (cvv: string) =>
      tracks(
        `%M4761730000000119^MANUALLY/ENTERED^3112000000${cvv}000000?`,
        `;4761730000000119=3112000000${cvv}000?`,
        `${CIPHER}:${KSN}`,
      );
    expect(leakInTracks(typed("123"))).toContain("track 1, 2");
    expect(leakInTracks(typed("000"))).toBeUndefined();
  });
});

describe("what a device says of itself", () => {
  test("never brings a number into identity or fault", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    const answers = SETTINGS.map((answer) =>
      answer.startsWith("61.214~1~")
        ? `61.214~1~${NUMBER}|`
        : answer.startsWith("29.20000202")
          ? `29.20000202${NUMBER}`
          : answer,
    );
    bench.tell("00.0000", UNIT.replace("OS 22", NUMBER).replace("iPP350", `iPP350 ${NUMBER}`), ...answers);
    const { notices } = bench.look();
    expect(notices).toMatchObject([{ on: "ready" }]);
    expect(JSON.stringify(notices)).not.toContain("47617390");
  });

  test.each(["61.291~1~", "61.26~7~", "61.219~1~"])("nor does an entry %s that holds one", (entry) => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.tell(
      "00.0000",
      UNIT,
      ...SETTINGS.map((answer) => (answer.startsWith(entry) ? `${entry}${NUMBER}|` : answer)),
    );
    expect(bench.look().notices).toMatchObject([
      { on: "fault", code: "misconfigured", detail: expect.not.stringContaining("4761") },
    ]);
  });
});
