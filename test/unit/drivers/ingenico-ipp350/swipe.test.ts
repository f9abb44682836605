import { describe, expect, test } from "vitest";
import { READS } from "../../../../drivers/ingenico-ipp350/timing.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import { CIPHER, chipTracks, createBench, emv, identified, KSN, TRACKS, waiting } from "./bench.ts";

const APPROVED = { verdict: "approved", arc: "3030", scripts: [] } as const;

describe("a swipe", () => {
  test("is told with what is sealed, and completed by an acknowledgement", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.tell(`23.0M${TRACKS}`);
    const { notices } = bench.look();
    expect(notices).toMatchObject([
      {
        n,
        on: "card",
        card: {
          interface: "magstripe",
          decision: "online",
          icc: [],
          hasChip: false,
          masked: { bin: "476173", last4: "1119" },
        },
      },
    ]);
    const [notice] = notices;
    expect(notice?.on === "card" && [notice.card.sred?.data.reveal(), notice.card.sred?.ksn]).toEqual([CIPHER, KSN]);
    const m = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().sent).toEqual(["11."]);
    bench.tell("11.00Ready");
    expect(bench.look().notices).toEqual([{ n: m, on: "finished", verdict: "read", emv: [] }]);
  });

  test("of a chip card belongs into the slot, but in place of a broken chip", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.tell(`23.0M${chipTracks()}`, "00.0000");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "use-chip" }]);
    const fallback = createBench();
    const m = waiting(fallback, { ...ALL, again: "fallback", interfaces: ["stripe"] });
    fallback.tell(`23.0M${chipTracks()}`);
    expect(fallback.look().notices).toMatchObject([
      { n: m, on: "card", card: { interface: "magstripe", hasChip: true } },
    ]);
  });

  test("that could not be read is tried again, so often and no more", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    for (let times = 1; times < READS; times += 1) {
      bench.tell("23.1M||");
      const { sent, notices } = bench.look();
      expect([sent, notices.map((notice) => notice.on === "prompt" && notice.prompt)]).toEqual([
        ["14.01", "13.1234~"],
        times === 1 ? ["TRY_AGAIN"] : [],
      ]);
      bench.tell("13.0");
      expect(bench.look().sent).toEqual(["23.3|||CMS"]);
    }
    bench.tell("23.0M||", "00.0000");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "use-chip" }]);
  });

  test.each([
    ["with a whole number", TRACKS.replace("4761730000001119=", "4761739001011119="), "clear-card-data"],
    [
      "with another number behind its expiry",
      TRACKS.replace("31121010000000000?|1", "3112101123456789012345?|1"),
      "clear-card-data",
    ],
    ["without its sealed tracks", TRACKS.replace(/\|1:4.*$/, "|"), "keys-missing"],
    ["sealed in another way", TRACKS.replace(/\|1:4.*$/, `|4111|${"A".repeat(40)}|${KSN}050006`), "keys-missing"],
  ])("%s is a fault", (_what, tracks, code) => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.tell(`23.0M${tracks}`, "00.0000");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code }]);
  });
});

test("a tap in stripe mode is told like a swipe", () => {
  const bench = createBench();
  const n = waiting(bench, ALL);
  bench.tell(`23.0C|;4761730000001119=31122010000000000?|1:2:${CIPHER}:${KSN}`);
  expect(bench.look().notices).toMatchObject([
    { n, on: "card", card: { interface: "contactless-magstripe", masked: { last4: "1119" } } },
  ]);
});

test("a number that is typed is asked for by a prompt of its own", () => {
  const bench = identified(createBench());
  const n = bench.command({ do: "collect", request: { ...SALE, interfaces: ["keyed"] } });
  bench.tell("13.0");
  expect(bench.look()).toMatchObject({
    sent: ["14.01", "13.1234~", "23.3|||H"],
    notices: [{ n, on: "prompt", prompt: "ENTER_CARD_NUMBER" }],
  });
  bench.tell(
    `23.0H%M4761730000001119^MANUALLY/ENTERED^3112000000000000000?|;4761730000001119=3112000000000?|1:3:${CIPHER}:${KSN}`,
  );
  expect(bench.look().notices).toMatchObject([
    { n, on: "card", card: { interface: "keyed", masked: { bin: "476173", last4: "1119" } } },
  ]);
  const m = bench.command({ do: "ask-pin", request: SALE });
  expect(bench.look().notices).toMatchObject([{ n: m, on: "fault", code: "refused" }]);
});

describe("the other exits of 23.", () => {
  test.each([
    ["23.1S", { on: "no-card", why: "chip-unreadable" }],
    ["23.4", { on: "no-card", why: "use-chip" }],
    ["23.5", { on: "no-card", why: "use-chip" }],
    ["23.7M||", { on: "fault", code: "keys-missing" }],
    ["23.6?", { on: "fault", code: "device-error", detail: expect.stringContaining("cardPrompt") }],
    ["23.A?", { on: "fault", code: "device-error" }],
    ["23.R?", { on: "fault", code: "device-error" }],
    ["23.0x", { on: "fault", code: "device-error" }],
    ["23.", { on: "fault", code: "device-error" }],
  ])("%s", (body, ending) => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.tell(body, "00.0000");
    expect(bench.look().notices).toMatchObject([{ n, ...ending }]);
  });

  test("the end of our own first 23. is passed over where it arrived twice", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.tell("23.a?", `23.0M${TRACKS}`);
    expect(bench.look().notices).toMatchObject([{ n, on: "card" }]);
  });
});

describe("a tap", () => {
  test("goes on by itself to its cryptogram, waits for the issuer, and is completed", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.tell("23.0E", emv("02", "80"), emv("03", "80", "", "D101B:0001:a0|"));
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ n, on: "card", card: { interface: "contactless-chip", decision: "online" } }],
    });
    const m = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().sent).toEqual(["33.04.0000|T8A:0002:a00|"]);
    bench.tell(emv("05", "80", "A"));
    expect(bench.look().notices).toMatchObject([{ n: m, on: "finished", verdict: "read" }]);
  });

  test.each([
    ["approved", "A", "read"],
    ["approved", "D", "declined"],
    ["declined", "D", "read"],
  ] as const)("an issuer who %s and a device that says %s end as %s", (verdict, word, ends) => {
    const bench = createBench();
    waiting(bench, ALL);
    bench.tell("23.0E", emv("03", "80"));
    bench.look();
    const m = bench.command({
      do: "complete",
      issuer: { verdict, arc: verdict === "approved" ? "3030" : "3035", scripts: [] },
    });
    bench.tell(`33.05.0000|D1003:0001:a${word}|`);
    expect(bench.look().notices).toMatchObject([{ n: m, on: "finished", verdict: ends }]);
  });

  test("an approval of the device's own is not believed", () => {
    const bench = createBench();
    waiting(bench, ALL);
    bench.tell("23.0E", emv("03", "80"));
    bench.look();
    const m = bench.command({ do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [] } });
    bench.tell("33.05.0000|D1003:0001:aA|", "00.0000");
    expect(bench.look().notices).toMatchObject([{ n: m, on: "fault", code: "protocol" }]);
  });

  test.each([
    ["CDIV", "use-chip"],
    ["CNSUP", "use-chip"],
    ["CABLK", "blocked"],
  ])("that ends with %s is told as %s", (code, why) => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.tell("23.0E", `33.05.0000|D1003:0001:aE|D1010:000${code.length}:a${code}|`, "00.0000");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why }]);
  });
});
