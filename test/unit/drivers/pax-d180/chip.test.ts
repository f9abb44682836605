import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FINAL_OBJECTS, FIRST_OBJECTS } from "../../../../drivers/pax-d180/objects.ts";
import { plainCode } from "../../../../drivers/pax-d180/status-codes.ts";
import { CHIP_STEP_MS, START_MS } from "../../../../drivers/pax-d180/timing.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { toHex } from "../../../../src/kit/hex.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  type Answer,
  type Bench,
  createBench,
  identified,
  OBJECTS,
  object,
  running,
  type Script,
  SEALED_57,
} from "./bench.ts";

/** A collect with a card in, whose answers are the usual ones but for these. */
function collected(
  script: Script,
  request = SALE,
): {
  readonly bench: Bench;
  readonly n: number;
  readonly notices: readonly Notice[];
  readonly sent: readonly string[];
} {
  const bench = identified(createBench());
  const n = bench.command({ do: "collect", request });
  bench.runTo(undefined, script);
  const { notices, sent } = bench.look();
  return { bench, n, notices: notices.filter((notice) => notice.n === n && notice.on !== "prompt"), sent };
}

describe("a chip's transaction", () => {
  test("goes step by step to its first cryptogram, and each step has its time", () => {
    const bench = createBench();
    const n = running(bench, "init");
    bench.runTo("select");
    expect(bench.look().sent).toEqual([
      "set-object 009C0000000100",
      "set-object 5F2A000000020978",
      "set-object 5F360000000102",
      `select 00${"0000000"}${n}`,
    ]);
    expect(bench.timers()).toMatchObject({ answer: CHIP_STEP_MS });
    bench.runTo("start");
    expect(bench.look().sent).toEqual(["read-records", "authenticate-card", "start 000004D200000000"]);
    expect(bench.timers()).toMatchObject({ answer: START_MS });
  });

  test("gives a card: what is clear, what is sealed, and one key serial number behind the last of it, whose counter is raised", () => {
    const { bench, n, notices, sent } = collected({});
    const [notice] = notices;
    if (notice?.on !== "card") throw new Error("no card");
    expect(notice).toMatchObject({ n, card: { interface: "chip", decision: "online", masked: { last4: "" } } });
    expect(notice.card.icc.map(({ tag }) => tag).toSorted()).toEqual(Object.keys(OBJECTS).toSorted());
    expect([notice.card.sred?.ksn, notice.card.sred?.data.reveal(), notice.card.pin]).toEqual([
      "FFFF9876543210E00001",
      SEALED_57,
      undefined,
    ]);
    expect(sent.slice(-3)).toEqual(["get-object 0057", "ksn 01", "next-ksn 01"]);
    expect(sent.filter((one) => one.startsWith("get-object"))).toHaveLength(FIRST_OBJECTS.length + 1);
    expect(bench.timers()).toEqual({ look: 400 });
  });

  test("no command for a PIN, for typed digits, or for everything in one is ever sent", () => {
    const { bench, sent } = collected({});
    bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    bench.runTo(undefined, { "9F27": [0, object("40")] });
    expect([...sent, ...bench.look().sent].filter((one) => /^(9006|9003|9049|909B)/.test(one))).toEqual([]);
  });

  test("an amount beyond four bytes with a sign is set by a command of its own", () => {
    const request = { ...SALE, amount: 2_147_483_648 };
    const told: Answer = [0, object("002147483648")];
    const { notices, sent } = collected({ "9F02": told }, request);
    expect(sent).toContain("set-amount 002147483648000000000000");
    expect(sent).toContain("start 0000000000000000");
    expect(notices).toMatchObject([{ on: "card" }]);
    const most = collected({ "9F02": [0, object("002147483647")] }, { ...SALE, amount: 2_147_483_647 });
    expect(most.sent).toContain("start 7FFFFFFF00000000");
  });

  test.each([
    ["0", [0, "01"], "40", "approved-offline"],
    ["0", [0, "00"], "00", "declined-offline"],
    ["0", [0, "03"], "00", "declined-offline"],
    ["denied", [-11, "00"], "00", "declined-offline"],
    ["denied, with its base", [-0xa0000 - 11, "00"], "00", "declined-offline"],
    ["denied, without a word of the card", [-11], "00", "declined-offline"],
  ] as const)("%s %j is a card that decided by itself", (_what, start, information, decision) => {
    const { bench, notices } = collected({ start, "9F27": [0, object(information)] });
    expect(notices).toMatchObject([{ on: "card", card: { decision } }]);
    const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "refused" }]);
  });

  test.each<[string, Script, string]>([
    ["another amount", { "9F02": [0, object("000000001235")] }, "protocol"],
    ["another type", { "9C": [0, object("20")] }, "protocol"],
    ["another currency", { "5F2A": [0, object("0840")] }, "refused"],
    ["a cryptogram that says no", { "9F27": [0, object("00")] }, "protocol"],
    ["no cryptogram", { "9F26": [-16] }, "protocol"],
    ["a length that is wrong", { "9F26": [0, "0000000952A596394EDA96D9"] }, "protocol"],
    ["no ciphertext", { "57": [-16], "5A": [-17] }, "keys-missing"],
    ["ciphertext that is not whole blocks", { "57": [-0x110000, object("112233")] }, "keys-missing"],
    ["no key serial number", { ksn: [-1] }, "keys-missing"],
    ["a key serial number of another length", { ksn: [0, "FFFF"] }, "keys-missing"],
    ["track 2 in clear", { "57": [0, object("4761739001010119D31122010000000000")] }, "clear-card-data"],
    [
      "track 2 in clear, told as ciphertext",
      { "57": [-0x110000, object("4761739001010119D31122010000000000FFFFFFFFFFFFFF")] },
      "clear-card-data",
    ],
    ["its number in clear", { "57": [-16], "5A": [0, object("4761739001010119")] }, "clear-card-data"],
    ["no key", { "57": [-301] }, "keys-missing"],
    ["a key that is used up", { "57": [-324] }, "keys-missing"],
    ["a locked device", { "57": [-320] }, "tampered"],
    ["a locked device, with its base", { ksn: [-0x10000 - 320] }, "tampered"],
  ])("with %s is no card: it is declined, and a fault told", (_what, script, code) => {
    const { n, notices, sent } = collected(script);
    expect(notices).toMatchObject([{ n, on: "fault", code }]);
    expect(sent.at(-1)).toBe("complete 0300000000");
    expect(JSON.stringify(notices)).not.toContain("4761739001010119");
  });

  test("masked digits in place of ciphertext are no leak, and no card either", () => {
    expect(collected({ "57": [0, object("476173FFFFFF0119D3112201FFFFFFFFFF")] }).notices).toMatchObject([
      { on: "fault", code: "keys-missing" },
    ]);
  });

  test("whose track 2 is told without a value is asked for its number", () => {
    const { sent } = collected({ "57": [0, object("")], "5A": [-0x110000, object("1122334455667788")] });
    expect(sent.slice(-4)).toEqual(["get-object 0057", "get-object 005A", "ksn 01", "next-ksn 01"]);
  });

  test("is told although the counter of its key cannot be raised", () => {
    expect(collected({ "next-ksn": [-320] }).notices).toMatchObject([{ on: "card" }]);
  });

  test("the number comes sealed where there is no track 2", () => {
    const { notices, sent } = collected({ "57": [-16], "5A": [-0x110000, object("1122334455667788")] });
    expect(notices).toMatchObject([{ on: "card", card: { sred: { ksn: "FFFF9876543210E00001" } } }]);
    expect(sent.slice(-4)).toEqual(["get-object 0057", "get-object 005A", "ksn 01", "next-ksn 01"]);
  });

  test("a key whose counter was left is raised first, once", () => {
    const bench = createBench();
    running(bench, "57");
    bench.answer(-344);
    expect(bench.outstanding()).toBe("next-ksn");
    bench.runTo(undefined);
    expect(bench.look().sent).toEqual(["next-ksn 01", "get-object 0057", "ksn 01", "next-ksn 01"]);
    expect(collected({ "57": [-344], "5A": [-344] }).notices).toMatchObject([{ on: "fault", code: "keys-missing" }]);
  });

  test.each([
    ["a kind that is none", [0, "07"]],
    ["no kind", [0]],
    ["denied beside a TC", [-11, "01"]],
    ["denied beside an ARQC", [-11, "02"]],
  ] as const)("a contradiction (%s) is no card: whatever it made is declined", (_what, start) => {
    const { n, notices, sent } = collected({ start });
    expect(notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
    expect(sent.at(-1)).toBe("complete 0300000000");
  });

  test("a refund is told, and a chip that asks for its issuer is declined first", () => {
    const request = { ...SALE, transactionType: "20" } as const;
    const { bench, n, notices, sent } = collected({ "9C": [0, object("20")] }, request);
    expect(sent.at(-1)).toBe("complete 0300000000");
    expect(notices).toMatchObject([{ n, on: "card", card: { decision: "online" } }]);
    const m = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ n: m, code: "refused" }]);
  });

  test("a device that acknowledges and says nothing is lost", () => {
    const bench = createBench();
    const n = running(bench, "start");
    bench.bytes("06");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  });

  test("no two neighbours in the list of objects have the same length", () => {
    const lengths: Readonly<Record<string, number>> = {
      "9F26": 8,
      "9F27": 1,
      "9F36": 2,
      "82": 2,
      "95": 5,
      "9F37": 4,
      "9A": 3,
      "9C": 1,
      "9F02": 6,
      "5F2A": 2,
    };
    const more: Readonly<Record<string, number>> = {
      "9F33": 3,
      "9F1A": 2,
      "9F34": 3,
      "5F34": 1,
      "9F03": 6,
      "9F35": 1,
      "9F41": 4,
      "9F1E": 8,
      "9F09": 2,
      "9B": 2,
    };
    const all = { ...lengths, ...more, "9F21": 3, "9F11": 1, "8A": 2 };
    for (const list of [FIRST_OBJECTS, FINAL_OBJECTS]) {
      const known = list.map((tag) => Object.entries(all).find(([one]) => one === tag)?.[1]);
      expect(known.filter((length, at) => at > 0 && length !== undefined && length === known[at - 1])).toEqual([]);
    }
  });
});

describe("a chip that gives no cryptogram", () => {
  const steps = ["select", "read-records", "authenticate-card", "start"] as const;
  const rulings = [
    [-1, "chip-unreadable"],
    [-2, "chip-unreadable"],
    [-4, "chip-unreadable"],
    [-9, "chip-unreadable"],
    [-22, "chip-unreadable"],
    [-3, "blocked"],
    [-5, "blocked"],
    [-6, "not-supported"],
    [-10, "not-supported"],
    [-8, "timeout"],
  ] as const;

  test.each(steps.flatMap((step) => rulings.map(([rc, why]) => [step, rc, why] as const)))(
    "%s ends with %s: %s",
    (step, rc, why) => {
      const { n, notices, sent } = collected({ [step]: [rc] });
      expect(notices).toEqual([{ n, on: "no-card", why }]);
      expect(sent.at(-1)).toBe("slot 00");
    },
  );

  test.each(steps)("%s that the customer cancels", (step) => {
    const { n, notices } = collected({ [step]: [-7] });
    expect(notices).toEqual([{ n, on: "cancelled", by: "customer" }]);
  });

  test("a card that was pulled is no reason for the stripe", () => {
    const bench = createBench();
    const n = running(bench, "read-records");
    bench.answer(-2);
    bench.answer(0, "01");
    expect(bench.look().notices).toEqual([
      { n: 0, on: "slot", card: false },
      { n, on: "no-card", why: "removed" },
    ]);
    expect(bench.timers()).toEqual({});
  });

  test.each<[string, Script, string]>([
    ["no beginning", { init: [-30] }, "device-error"],
    ["a result that says nothing", { select: [-99] }, "device-error"],
    ["a locked device", { start: [-320] }, "tampered"],
    ["no key", { "read-records": [-301] }, "keys-missing"],
  ])("%s is a fault", (_what, script, code) => {
    const { n, notices } = collected(script);
    expect(notices).toMatchObject([{ n, on: "fault", code }]);
  });

  test("an amount that is not taken is a fault", () => {
    const { notices } = collected({ "set-amount": [-30] }, { ...SALE, amount: 5_000_000_000 });
    expect(notices).toMatchObject([{ on: "fault", code: "device-error" }]);
  });

  test.each([
    [-301, -301],
    [-0x10000 - 301, -301],
    [-0xa0000 - 22, -22],
    [-0x110000, -0x110000],
    [-0xffff, -0xffff],
    [-0x10000, -0x10000],
    [5, 5],
  ])("return code %s is %s, with or without a base", (rc, plain) => {
    expect(plainCode(rc)).toBe(plain);
  });
});

describe("call-backs", () => {
  const asked = (sub: number, data: string): readonly string[] => {
    const bench = createBench();
    running(bench, "start");
    bench.callBack(sub, data);
    return bench.look().sent;
  };

  test.each([
    ["which application", 0xb0, "0002", "B0B0 00000000"],
    ["which candidate", 0xc0, "0002", "B0C0 00000000"],
    ["the amount", 0xb1, "00", "B0B1 00000000000004D2"],
    ["amount and cashback", 0xb1, "01", "B0B1 00000000000004D200000000"],
    ["amount and cashback, behind a code", 0xb1, "0000000001", "B0B1 00000000000004D200000000"],
    ["no PIN", 0xb2, "00000000", "B0B2 00000000"],
    ["a PIN for the issuer", 0xb2, "01000000", "B0B2 FFFFFFF2"],
    ["a PIN for the issuer, behind a code", 0xb2, "0000000001000000", "B0B2 FFFFFFF2"],
    ["a PIN for the card", 0xb2, "02000300", "B0B2 00000000"],
    ["a referral", 0xb3, "", "B0B3 00000002"],
    ["the issuer", 0xb4, "", "B0B4 000000030000000000000000000000"],
    ["an advice", 0xb5, "", "B0B5 00000000"],
    ["a PIN that was right", 0xb6, "", "B0B6 00000000"],
    ["an object that it does not know", 0xb7, "9F1C00000008", "B0B7 FFFFFFFF"],
    ["to send an APDU", 0xbb, "00", "B0BB FFFFFFFF"],
  ])("asked for %s", (_what, sub, data, answer) => {
    expect(asked(sub, data)).toEqual([answer]);
  });

  test("an amount that was set before is not given again", () => {
    const bench = createBench();
    running(bench, "start", { ...SALE, amount: 5_000_000_000 });
    bench.callBack(0xb1, "00");
    expect(bench.look().sent).toEqual(["B0B1 0000000000000000"]);
  });

  test("a PIN for the card takes its time, is told, and ends as one", () => {
    const bench = createBench();
    const n = running(bench, "start");
    bench.callBack(0xb2, "02000300");
    expect(bench.look().notices).toEqual([{ n, on: "prompt", prompt: "ENTER_PIN" }]);
    expect(bench.timers()).toMatchObject({ answer: START_MS + SALE.pinMs });
    bench.bytes("06");
    bench.callBack(0xb6, "");
    expect(bench.look().notices).toEqual([{ n, on: "prompt", prompt: "PROCESSING" }]);
    bench.bytes("06");
    bench.answer(-8);
    bench.answer(0, "00");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "pin-timeout" }]);
  });

  test("the answer to a call-back is sent again until it is acknowledged, and the command's own answer ends that", () => {
    const bench = createBench();
    running(bench, "start");
    bench.callBack(0xb1, "00");
    bench.fire("line-ack");
    expect(bench.look().sent).toEqual(["B0B1 00000000000004D2", "B0B1 00000000000004D2"]);
    bench.answer(0, "02");
    expect(bench.look().sent).toEqual([]);
    // Of the second sending.
    bench.bytes("06");
    expect(bench.look().sent).toEqual(["get-object 9F26"]);
  });

  test("on a device that nobody uses, or that is to stop, all of them are cancelled", () => {
    const idle = identified(createBench());
    idle.callBack(0xb1, "00");
    expect(idle.look().sent).toEqual(["B0B1 FFFFFFF9"]);
    const bench = createBench();
    running(bench, "select");
    bench.command({ do: "cancel" });
    bench.callBack(0xb0, "0002");
    expect(bench.look().sent).toEqual(["B0B0 FFFFFFF9"]);
  });
});

test("the objects of a card come out as they were told, whatever their values", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 8, maxLength: 8 }),
      fc.uint8Array({ minLength: 1, maxLength: 32 }),
      (cryptogram, own) => {
        const { notices } = collected({
          "9F26": [0, object(toHex(cryptogram))],
          "9F10": [0, object(toHex(own))],
        });
        const [icc = []] = notices.map((notice) => (notice.on === "card" ? notice.card.icc : []));
        const told = (tag: string): Uint8Array | undefined => icc.find((one) => one.tag === tag)?.value;
        expect([told("9F26"), told("9F10")]).toEqual([cryptogram, own]);
        expect(icc.length).toBe(Object.keys(OBJECTS).length);
      },
    ),
    { numRuns: 50 },
  );
});
