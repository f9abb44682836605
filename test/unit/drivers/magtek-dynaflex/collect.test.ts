import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payloadFor } from "../../../../drivers/magtek-dynaflex/properties.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { arqc, batch, CIPHERTEXT, createBench, identified, KSN, MASKED, PLAIN, PROPERTIES, running } from "./bench.ts";

const EMV = "861E9C01009F02060000000012349F03060000000000005F2A0209785F360102";
const start = (readers: string): string =>
  `start 820100A3${(readers.length / 2).toString(16).padStart(2, "0").toUpperCase()}${readers}84020002${EMV}`;

function collect(changes: Partial<CollectRequest>, given = PROPERTIES) {
  const bench = identified(createBench(), given);
  const n = bench.command({ do: "collect", request: { ...ALL, ...changes } });
  return { bench, n, ...bench.look() };
}

describe("START", () => {
  test.each<[string, Partial<CollectRequest>, string]>([
    ["everything", {}, "810101820101830101"],
    ["a chip", { interfaces: ["chip"] }, "810100820101830100"],
    ["a tap", { interfaces: ["contactless"] }, "810100820100830101"],
    ["a stripe in place of a chip", { again: "fallback" }, "810101820100830100"],
    ["a chip that was swiped", { again: "use-chip" }, "810100820101830100"],
    ["a number that is typed", { interfaces: ["keyed"] }, "8101008201008301008403000001"],
  ])("asks for %s, in full EMV flow and without a limit", (_what, changes, readers) => {
    expect(collect(changes).sent).toEqual([start(readers)]);
  });

  test("a refund says so, and a device names only the readers that it has", () => {
    expect(collect({ transactionType: "20" }).sent[0]).toContain("9C0120");
    const prox = { ...PROPERTIES, model: "44796E6150726F78" };
    expect(collect({}, prox).sent).toEqual([start("830101")]);
    expect(collect({ interfaces: ["chip"] }, prox)).toMatchObject({
      sent: [],
      notices: [{ on: "fault", code: "refused", detail: expect.stringContaining("contactless") }],
    });
  });

  test.each<[string, Partial<CollectRequest>]>([
    ["interfaces", { interfaces: [] }],
    ["interfaces", { interfaces: ["keyed"] }],
    ["amount", { amount: -1 }],
    ["currencyNumeric", { currencyNumeric: "EUR" }],
    ["now.date", { now: { date: "1", time: "143000" } }],
  ])("a request with a wrong %s is refused before anything is said", (field, wrong) => {
    expect(collect(wrong, PLAIN)).toMatchObject({
      sent: [],
      notices: [{ on: "fault", code: "refused", detail: expect.stringContaining(field) }],
    });
  });

  test("without a key for card data nothing is started", () => {
    expect(collect({}, { ...PROPERTIES, keys: "00000001" })).toMatchObject({
      sent: [],
      notices: [{ on: "fault", code: "keys-missing" }],
    });
  });

  test.each([
    ["020316", "device-error", "battery"],
    ["02011C", "misconfigured", "locked"],
    ["020119", "keys-missing", "key"],
    ["010110", "keys-missing", "PIN key"],
    ["000016", "tampered", "tampered"],
    ["0A0B0C", "device-error", "not documented"],
  ])("refused with %s is %s", (detail, code, words) => {
    const { bench, n } = collect({});
    bench.answer(detail);
    expect(bench.look().notices).toEqual([{ n, on: "fault", code, detail: expect.stringContaining(words) }]);
    expect(bench.timers()).toEqual({});
  });

  test.each([
    ["01", "tampered"],
    ["06", "keys-missing"],
    ["00", "keys-missing"],
  ])("refused as offline, the device is asked why: problems %s are %s", (problems, code) => {
    const { bench, n } = collect({});
    bench.answer("010109");
    expect(bench.look().sent).toEqual(["get-property 2.3.1.2.1.2"]);
    bench.answer("000000", payloadFor("2.3.1.2.1.2", fromHex(problems)));
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code }]);
  });

  test("offline without another word is a device without keys", () => {
    const { bench } = collect({});
    bench.answer("010109");
    bench.answer("010109");
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "keys-missing" }]);
  });

  test("a transaction that is in the way is cancelled, once", () => {
    const { bench, n } = collect({});
    bench.answer("020308");
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look()).toMatchObject({ sent: [start("810101820101830101")], notices: [] });
    bench.answer("020308");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
  });

  test("no answer, and the link is opened anew", () => {
    const { bench, n } = collect({});
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "no-answer" }] });
  });

  test("a response to another host's request starts nothing (PROTOCOL.md 3.3)", () => {
    const { bench } = collect({});
    bench.answerAnother();
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.answer();
    expect(bench.look().notices).toMatchObject([{ on: "prompt" }]);
  });

  test("what is told before START was answered is of an earlier transaction", () => {
    const { bench, n } = collect({});
    bench.tell("outcome", "00030100");
    bench.tell("progress", "10080302", batch("00"));
    expect(bench.look().notices).toEqual([]);
    bench.answer();
    bench.tell("outcome", "10020600");
    bench.tell("outcome", "10020700");
    expect(bench.look().notices).toEqual([{ n, on: "prompt", prompt: "INSERT_OR_TAP", swipe: true }]);
  });
});

describe("a card", () => {
  const card = (face: string, changes: object = {}): object => ({
    interface: face,
    decision: "online",
    icc: [],
    masked: { bin: "476173", last4: "0119" },
    ...changes,
  });

  test.each([
    ["a chip", "10010200", "10", "05", "chip"],
    ["a tap", "20010400", "20", "06", "contactless-chip"],
    ["a tap in stripe mode", "20010400", "20", "08", "contactless-magstripe"],
    ["a stripe", "08010100", "08", "01", "magstripe"],
    ["a number that was typed", "07010100", "07", "03", "keyed"],
    ["a chip of no type", "10010200", "10", "00", "chip"],
  ])("%s is told with its ciphertext alone", (_what, event, technology, type, face) => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("progress", event);
    expect(Object.keys(bench.timers())).toEqual(["watchdog"]);
    bench.tell(
      "progress",
      `${technology}080202`,
      arqc({
        type,
        more: [
          ["82", "1980"],
          ["5F20", "41"],
          ["9F6E", "0840000030300000"],
        ],
      }),
    );
    const { notices, sent } = bench.look();
    expect(sent).toEqual([]);
    expect(notices.at(-1)).toEqual({
      n,
      on: "card",
      card: { ...card(face), ...(type === "01" && { hasChip: false }), sred: expect.objectContaining({ ksn: KSN }) },
    });
    const told = notices.at(-1);
    expect(told?.on === "card" && told.card.sred?.data.reveal()).toBe(CIPHERTEXT);
    expect(bench.timers()).toEqual({});
  });

  test("no more of its number is told than the device is set to leave", () => {
    const bench = createBench();
    running(bench, ALL, { ...PROPERTIES, leading: "04" });
    bench.tell("progress", "10080202", arqc());
    expect(bench.look().notices.at(-1)).toMatchObject({ card: { masked: { last4: "0119" } } });
    const other = createBench();
    running(other);
    other.tell("progress", "10080202", arqc({ masked: "" }));
    expect(other.look().notices.at(-1)).toMatchObject({ card: { masked: { last4: "" } } });
  });

  test("a second ARQC is the same one again, and is never told", () => {
    const bench = createBench();
    running(bench);
    bench.tell("progress", "10080202", arqc());
    bench.look();
    bench.tell("progress", "10080202", arqc());
    bench.tell("progress", "10080202", arqc({ ksn: "FFFF9876543210E00002" }));
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });

  test("a key serial number of AES is as good", () => {
    const bench = createBench();
    running(bench);
    bench.tell("progress", "10080202", arqc({ ksn: "123456789012345600000001", encryption: "9D" }));
    expect(bench.look().notices.at(-1)).toMatchObject({
      on: "card",
      card: { sred: { ksn: "123456789012345600000001" } },
    });
  });

  test("prompts follow what happens", () => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("progress", "20010500");
    bench.tell("screen", "02010100", fromHex("8101008201018309534545205048 4F4E45".replace(" ", "")));
    bench.tell("screen", "02010100", fromHex("81010082010183085445587420425359"));
    bench.tell("progress", "20010400");
    bench.tell("progress", "10010200");
    const prompts = bench.look().notices.filter(({ on }) => on === "prompt");
    expect(prompts).toEqual(
      ["ONE_CARD_ONLY", "SEE_PHONE", "PROCESSING"].map((prompt) => ({ n, on: "prompt", prompt })),
    );
  });

  test("a chip that is not asked for is to be taken out, and somebody else is waited for", () => {
    const bench = createBench();
    const n = running(bench, { ...ALL, interfaces: ["contactless"] });
    bench.tell("progress", "10010200");
    expect(bench.look().notices).toContainEqual({ n, on: "prompt", prompt: "REMOVE_CARD" });
    expect(bench.timers()).toHaveProperty("card");
  });

  test("a device without a screen is told to take the first application", () => {
    const bench = createBench();
    running(bench, ALL, PLAIN);
    bench.tell("progress", "10010200");
    bench.tell("screen", "02020000", fromHex("81011E820101830456495341"));
    expect(bench.look().sent).toEqual(["selection 810100820100"]);
  });

  test.each<[string, Parameters<typeof arqc>[0], object]>([
    ["a chip card that was swiped", { type: "07" }, { on: "no-card", why: "use-chip" }],
    [
      "a driving licence, whose data are in clear",
      { type: "02", masked: ";6360001234567890=2212?" },
      { on: "no-card", why: "not-supported" },
    ],
    [
      "a stripe that the device fell back to by itself",
      { type: "01", fallback: "01" },
      { on: "no-card", why: "chip-unreadable" },
    ],
    ["a card of another kind than was read", { type: "05" }, { on: "fault", code: "protocol" }],
    ["a card without ciphertext", { type: "01", isSealed: false }, { on: "fault", code: "keys-missing" }],
    ["a fixed key", { type: "01", encryption: "00" }, { on: "fault", code: "misconfigured" }],
    ["a number in clear", { type: "01", more: [["5A", "4761739001010119"]] }, { on: "fault", code: "clear-card-data" }],
    [
      "a track in clear",
      { type: "01", more: [["DF42", "3B343736313733393030313031303131393D"]] },
      { on: "fault", code: "clear-card-data" },
    ],
    [
      "a masked track that is not masked",
      { type: "01", masked: ";4761739001010119=22122010000000000000?" },
      { on: "fault", code: "clear-card-data" },
    ],
    [
      "a PIN block in clear",
      { type: "01", more: [["99", "1122334455667788"]] },
      { on: "fault", code: "clear-card-data" },
    ],
    ["another amount", { type: "01", more: [["9F02", "000000009999"]] }, { on: "fault", code: "protocol" }],
    ["another kind of transaction", { type: "01", more: [["9C", "20"]] }, { on: "fault", code: "protocol" }],
  ])("%s ends the transaction, told once it is over", (_what, of, ending) => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("progress", "08010100");
    bench.look();
    bench.tell("progress", "08080202", arqc(of));
    expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [] });
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices).toMatchObject([{ n, ...ending }]);
  });

  test("a stripe stands in for a chip where it was asked for", () => {
    const bench = createBench();
    running(bench, { ...ALL, again: "fallback" });
    bench.tell("progress", "08080202", arqc({ type: "07", fallback: "01" }));
    expect(bench.look().notices.at(-1)).toMatchObject({ on: "card", card: { interface: "magstripe", hasChip: true } });
  });

  test("card data of a technology that no reader has end the transaction", () => {
    const bench = createBench();
    running(bench);
    bench.tell("progress", "40080202", arqc({ type: "" }));
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices.at(-1)).toMatchObject({ on: "fault", code: "protocol" });
  });

  test("card data that are none end the transaction", () => {
    const bench = createBench();
    running(bench);
    bench.tell("progress", "10080202", fromHex("8402FFFF"));
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices.at(-1)).toMatchObject({ on: "fault", code: "protocol" });
  });

  test.each([
    ["10020601", "keys"],
    ["10020602", "encrypt"],
  ])("PIN trouble %s ends it", (code, words) => {
    const bench = createBench();
    running(bench);
    bench.tell("progress", code);
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices.at(-1)).toMatchObject({
      on: "fault",
      code: "device-error",
      detail: expect.stringContaining(words),
    });
  });
});

test("no card that is told carries anything in clear but what its masked track shows", () => {
  const tags = fc.constantFrom("57", "5A", "5F20", "5F24", "9F6B", "56", "99", "82", "9F6E", "DF42");
  const objects = fc.array(fc.tuple(tags, fc.uint8Array({ minLength: 1, maxLength: 19 }).map(toHex)), { maxLength: 4 });
  fc.assert(
    fc.property(objects, (more) => {
      const bench = createBench();
      running(bench);
      bench.tell("progress", "10080202", arqc({ more }));
      for (const notice of bench.look().notices) {
        if (notice.on !== "card") continue;
        expect(notice.card).toMatchObject({ icc: [], masked: { bin: MASKED.slice(1, 7), last4: "0119" } });
        expect(Object.keys(notice.card).sort()).toEqual(["decision", "icc", "interface", "masked", "sred"]);
      }
    }),
  );
});
