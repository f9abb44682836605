import { describe, expect, test } from "vitest";
import { fromHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { arqc, createBench, held, identified, MASKED, resultOf, waiting } from "./bench.ts";
import { vectors } from "./vectors.ts";

const byMeaning = (start: string): string =>
  vectors.commands.find(({ meaning }) => meaning.startsWith(start))?.data ?? "";

describe("a collect", () => {
  test("starts as the published requests do, with every way and without quick chip", () => {
    const bench = identified();
    bench.command({ do: "collect", request: { ...ALL, amount: 1000, currencyNumeric: "840", currencyCode: "USD" } });
    const published = byMeaning("start: chip, tap and stripe");
    // Seconds, options and reporting are our own choice.
    expect(bench.look().sent).toEqual([`start FF0700${published.slice(6, -2)}02`]);
  });

  test.each([
    [["chip"], "02"],
    [["contactless"], "04"],
    [["stripe"], "01"],
    [["chip", "contactless"], "06"],
  ] as const)("offers %j as %s", (interfaces, cards) => {
    const bench = identified();
    bench.command({ do: "collect", request: { ...ALL, interfaces } });
    expect(bench.look().sent[0]?.slice(6, 12)).toBe(`FF${cards}00`);
  });

  test.each([
    ["edynamo", "000000000000"],
    ["tdynamo", "000000000000"],
    ["mdynamo", "000000001250"],
  ])(
    "a refund on %s is started with %s as its amount, and ends with the card once it was stopped",
    (reader, amount) => {
      const bench = identified(createBench(reader));
      const n = bench.command({ do: "collect", request: { ...ALL, amount: 1250, transactionType: "20" } });
      expect(bench.look().sent[0]).toMatch(new RegExp(`^start FF0[1-7]00${amount}20`));
      bench.result();
      bench.progress("01", "02");
      bench.tell("arqc", arqc());
      expect(bench.look()).toMatchObject({ sent: ["cancel"] });
      bench.result();
      bench.tell("result", resultOf("10"));
      expect(bench.look().notices).toMatchObject([{ n, on: "card", card: { interface: "chip" } }]);
    },
  );

  test.each([
    ["01", "05", "chip"],
    ["09", "06", "contactless-chip"],
    ["09", "08", "contactless-magstripe"],
    ["0A", "01", "magstripe"],
  ])("event %s and card type %s are a card by %s", (event, type, via) => {
    const { bench, n } = waiting(identified());
    bench.progress(event, "02");
    bench.tell("arqc", arqc({ type }));
    expect(bench.look().notices.at(-1)).toMatchObject({
      n,
      on: "card",
      card: { interface: via, decision: "online", icc: [], masked: { bin: "476134", last4: "0119" } },
    });
  });

  test.each([
    ["17", "02", "blocked"],
    ["1B", "02", "blocked"],
    ["19", "02", "not-supported"],
    ["1A", "02", "not-supported"],
    ["28", "02", "use-chip"],
    ["12", "22", "timeout"],
    ["12", "1F", "timeout"],
    ["15", "23", "not-supported"],
  ])("progress %s and status %s are no card: %s", (stage, status, why) => {
    const { bench, n } = waiting(identified());
    bench.progress("06", stage);
    bench.tell("result", resultOf(status));
    expect(bench.look().notices).toMatchObject([{ n, on: "no-card", why }]);
  });

  test("a card that was pulled before the result is removed, and not unreadable", () => {
    const { bench, n } = waiting(identified());
    bench.progress("01", "02");
    bench.progress("08", "12");
    bench.tell("result", resultOf("02"));
    expect(bench.look().notices).toContainEqual({ n, on: "no-card", why: "removed" });
  });

  test("a decision without a card is of an earlier transaction; one with a number in clear is a leak", () => {
    const { bench, n } = waiting(identified());
    bench.tell("result", resultOf("01"));
    expect(bench.look().notices).toEqual([]);
    bench.progress("01", "02");
    bench.look();
    bench.tell("result", resultOf("01", [{ tag: "5A", value: fromHex("4761739001010119") }]));
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "clear-card-data" }]);
  });

  test("a collect is refused while a card waits for its issuer", () => {
    const bench = held();
    const n = bench.command({ do: "collect", request: ALL });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });

  test("a chip that cannot be read is unreadable, and removed where it was pulled", () => {
    for (const isPulled of [false, true]) {
      const { bench, n } = waiting(identified());
      bench.progress("01", "02");
      bench.progress("02", "12");
      bench.tell("result", resultOf("02"));
      expect(bench.timers()["answer"]).toBe(100);
      if (isPulled) bench.progress("08", "00");
      else bench.fire("answer");
      expect(bench.look().notices.find((notice) => notice.n === n && notice.on === "no-card")).toMatchObject({
        why: isPulled ? "removed" : "chip-unreadable",
      });
    }
  });

  test("a stripe that was not read is swiped again, three times at most", () => {
    const { bench, n } = waiting(identified(), { interfaces: ["stripe"] });
    for (let times = 0; times < 3; times += 1) {
      bench.progress("0A", "31");
      bench.tell("result", resultOf("02"));
      expect(bench.look().sent).toHaveLength(1);
      bench.result();
    }
    bench.progress("0A", "31");
    bench.tell("result", resultOf("02"));
    expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "no-card", why: "not-supported" });
  });

  test.each([
    ["00", "13", "approved-offline"],
    ["01", "14", "declined-offline"],
  ])("a card that decided by itself: status %s and progress %s", (status, stage, decision) => {
    const { bench, n } = waiting(identified());
    bench.progress("01", "02");
    bench.progress("06", stage);
    bench.tell("result", resultOf(status));
    expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "card", card: { decision } });
  });

  test.each([
    ["00", "14"],
    ["01", "13"],
    ["00", "12"],
  ])("a decision that progress does not tell as well is a fault: status %s, progress %s", (status, stage) => {
    const { bench } = waiting(identified());
    bench.progress("01", "02");
    bench.progress("06", stage);
    bench.tell("result", resultOf(status));
    expect(bench.look().notices.at(-1)).toMatchObject({ on: "fault", code: "protocol" });
  });

  test.each([
    ["card data without ciphertext", { sealed: false }, "keys-missing"],
    ["a fixed key", { encryption: "00" }, "misconfigured"],
    ["the PIN variant of the key", { encryption: "81" }, "misconfigured"],
    ["a number in clear", { track: ";4761739001010119=2212201?" }, "clear-card-data"],
    ["a card type that does not fit", { type: "01" }, "protocol"],
  ])("%s stops the transaction and is a fault", (_what, of, code) => {
    const { bench, n } = waiting(identified());
    bench.progress("01", "02");
    bench.tell("arqc", arqc(of));
    bench.result();
    bench.tell("result", resultOf("10"));
    expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "fault", code });
  });

  test("a stripe whose service code tells of a chip is to be inserted", () => {
    const { bench } = waiting(identified());
    bench.progress("0A", "3E");
    bench.tell("arqc", arqc({ type: "07" }));
    bench.result();
    bench.tell("result", resultOf("10"));
    expect(bench.look().notices.at(-1)).toMatchObject({ on: "no-card", why: "use-chip" });
  });

  test.each([
    ["0381", "keys-missing"],
    ["0382", "keys-missing"],
    ["0383", "keys-missing"],
    ["0390", "keys-missing"],
    ["0385", "misconfigured"],
    ["0396", "device-error"],
    ["0384", "device-error"],
    ["03FF", "device-error"],
  ])("START refused with %s is %s", (result, code) => {
    const bench = identified();
    const n = bench.command({ do: "collect", request: ALL });
    bench.result(result);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code, detail: expect.stringContaining(result) }]);
  });

  test("a transaction that a cancel does not end in time is lost with its link", () => {
    const { bench, n } = waiting(identified());
    const cancel = bench.command({ do: "cancel" });
    bench.fire("watchdog");
    const { notices, reopen } = bench.look();
    expect(reopen).toBe(true);
    expect(notices.map((notice) => notice.n).toSorted()).toEqual([n, cancel]);
    expect(notices.at(-1)).toMatchObject({ on: "fault", detail: expect.stringContaining("did not end within") });
  });

  test("a transaction that is in the way is cancelled, once", () => {
    const bench = identified();
    bench.command({ do: "collect", request: ALL });
    bench.look();
    bench.result("038F");
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.result();
    expect(bench.look().sent[0]).toMatch(/^start/);
    bench.result("038F");
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "device-error" }]);
  });

  test("an application is chosen for the cardholder: the first, behind the title", () => {
    const { bench } = waiting(identified());
    bench.tell("selection", Uint8Array.of(0, 30, 0x41, 0, 0x42, 0, 0x43, 0));
    expect(bench.look().sent).toEqual([`selection ${byMeaning("selection")}`]);
  });

  test("prompts: two cards, a telephone, a chip that nobody asked for", () => {
    const { bench } = waiting(identified(), { interfaces: ["contactless"] });
    bench.progress("03", "2A");
    bench.progress("03", "2B");
    bench.progress("01", "02");
    bench.progress("08", "00");
    const prompts = bench.look().notices.flatMap((notice) => (notice.on === "prompt" ? [notice.prompt] : []));
    expect(prompts).toEqual(["ONE_CARD_ONLY", "SEE_PHONE", "REMOVE_CARD", "TAP"]);
  });

  test("a member's ways alone are offered", () => {
    const bench = identified(createBench("dynawave"));
    bench.command({ do: "collect", request: { ...ALL, interfaces: ["chip"] } });
    expect(bench.look().notices).toMatchObject([
      { on: "fault", code: "refused", detail: expect.stringContaining("contactless") },
    ]);
    expect(MASKED).toContain("0119");
  });
});
